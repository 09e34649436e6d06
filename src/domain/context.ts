import type { Sql } from '../db/client.ts'
import { transaction } from '../db/client.ts'

export type Role = 'owner' | 'agent'

/** Who is asking, and in which workspace. Not an actor: actors are the things in src/actors. */
export type Caller =
  | { type: 'api_key'; id: string; workspaceId: string }
  | { type: 'user'; id: string; workspaceId: string; role: Role }

/** What every verb of the domain is handed: the database, or a transaction on it, and who is asking. */
export interface Ctx {
  sql: Sql
  caller: Caller
}

/** Joins the caller's transaction when there is one, opens one otherwise. */
export const inTransaction = <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  transaction(ctx.sql, sql => work({ ...ctx, sql }))
