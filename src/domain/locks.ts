/** Locks on what belongs to no noun alone. */
import type { Sql } from '../db/client.ts'

/**
 * Held until the transaction ends, so that what is counted per workspace (seats, owners, switched-on workflows, webhook
 * endpoints, living keys) is still so when the change that depends on the count is made. Holds back no reader, and nobody who merely
 * refers to the row.
 */
export const lockWorkspace = (tx: Sql, workspaceId: string) =>
  tx`select 1 from workspaces where id = ${workspaceId} for no key update`
