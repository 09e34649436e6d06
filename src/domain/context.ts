import type { Sql } from '../db/client.ts'
import { transaction } from '../db/client.ts'
import type { Plan } from './plan.ts'

export type Role = 'owner' | 'agent'

/** Who is asking, in which workspace, and what its plan includes. Not an actor: actors are the things in src/actors. */
export type Caller =
  | { type: 'api_key'; id: string; workspaceId: string; plan: Plan }
  | {
      type: 'user'
      id: string
      workspaceId: string
      plan: Plan
      role: Role
      /** The workspace keeps out members without a second factor, and this one has none. */
      lacksSecondFactor?: boolean
    }

/** The request by which something is asked for. */
export interface RequestRef {
  /** That of the answer's `X-Request-Id`. */
  readonly requestId: string
  /** The network address it came from. */
  readonly address: string
}

/** What every verb of the domain is handed: the database, or a transaction on it, and who is asking, by which request. */
export interface Ctx {
  sql: Sql
  caller: Caller
  /** Missing where nobody asks by one, as on the command line. */
  request?: RequestRef
  /** The entity tags of the header If-Match, one of which the record must have; null or missing where any will do. */
  ifMatch?: readonly string[] | null
}

/** Runs work on a connection that a workspace is lent for reading. Rejects as the work, and as the lender. */
export type Reading = <T>(workspaceId: string, work: (sql: Sql) => Promise<T>) => Promise<T>

export const isOwner = (caller: Caller): boolean => caller.type === 'user' && caller.role === 'owner'

/** Joins the caller's transaction when there is one, opens one otherwise. */
export const inTransaction = <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  transaction(ctx.sql, sql => work({ ...ctx, sql }))
