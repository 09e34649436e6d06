/** Locks that several modules share. */
import type { Sql } from '../platform/postgres/client.ts'

/**
 * Locks the workspace row until the transaction ends. Counts per workspace (enabled workflows, webhook endpoints, active
 * keys) therefore stay valid until the dependent change is committed. Does not block readers or rows that reference the
 * workspace.
 */
export const lockWorkspace = (tx: Sql, workspaceId: string) =>
  tx`select 1 from workspaces where id = ${workspaceId} for no key update`

/**
 * Locks the team of a workspace until the transaction ends: counts of seats, owners and service accounts stay valid. Not
 * a row lock, because the workspace can be in another database than its members.
 */
export const lockTeam = (tx: Sql, workspaceId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`team:${workspaceId}`}, 0))`
