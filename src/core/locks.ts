/** Locks that several modules share. */
import type { Sql } from '../platform/postgres/client.ts'

/**
 * Locks the workspace row until the transaction ends. Counts per workspace (seats, owners, enabled workflows, webhook
 * endpoints, active keys) therefore stay valid until the dependent change is committed. Does not block readers or rows
 * that reference the workspace. Seats and owners are rows of the directory: with several databases, the directory needs
 * a lock of its own for them.
 */
export const lockWorkspace = (tx: Sql, workspaceId: string) =>
  tx`select 1 from workspaces where id = ${workspaceId} for no key update`
