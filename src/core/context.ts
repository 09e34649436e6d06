import type { Sql } from '../platform/postgres/client.ts'
import { transaction } from '../platform/postgres/client.ts'
import type { Plan } from './plan.ts'

export type Role = 'owner' | 'agent'

/** The authenticated caller, its workspace and the workspace's plan. Not related to the actors in src/queue. */
export type Caller =
  | { type: 'api_key'; id: string; workspaceId: string; plan: Plan }
  | {
      type: 'user'
      id: string
      workspaceId: string
      plan: Plan
      role: Role
      /** True if the workspace requires a second factor and this member has none. */
      lacksSecondFactor?: boolean
      /** True if the workspace requires single sign-on and this call does not come from one. */
      lacksSso?: boolean
      /** True if the session began with single sign-on. */
      isBySso?: boolean
      /** Access token of the call. Missing for a session. */
      token?: CallerToken
    }

/** An access token. With the access `read` it can only call operations that read. */
export interface CallerToken {
  id: string
  name: string
  access: 'read' | 'write'
}

/** The HTTP request that caused a call. */
export interface RequestRef {
  /** Value of the `X-Request-Id` header of the response. */
  readonly requestId: string
  /** Network address of the client. */
  readonly address: string
}

/** Context of every domain verb: a database connection or transaction, the caller and the request. */
export interface Ctx {
  sql: Sql
  caller: Caller
  /** Missing if there is no HTTP request, for example on the command line. */
  request?: RequestRef
  /** Entity tags of the `If-Match` header. The record must have one of them. Null or missing allows any version. */
  ifMatch?: readonly string[] | null
}

/**
 * Runs `work` on a read connection acquired for the workspace. Rejects if `work` fails or no connection can be
 * acquired.
 */
export type ReadRunner = <T>(workspaceId: string, work: (sql: Sql) => Promise<T>) => Promise<T>

export const isOwner = (caller: Caller): boolean => caller.type === 'user' && caller.role === 'owner'

/** Joins the caller's transaction if there is one, otherwise opens one. */
export const inTransaction = <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  transaction(ctx.sql, sql => work({ ...ctx, sql }))
