/** Drops the pending deliveries of deleted endpoints. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../platform/postgres/client.ts'
import { epoch } from '../../queue/queue.ts'
import { dropPage, findEndpointsToDrop } from './sql.ts'

/** Milliseconds to wait if other transactions have locked every remaining row. They hold these locks only briefly. */
const retryLockedMs = 20

/**
 * Drops the pending deliveries in pages until none is left. Idempotent. Skips a delivery whose attempt is being
 * recorded, and finds it in a later page. `onDropped` is called with the number of each page.
 */
export const dropDeliveries = async (
  sql: Sql,
  endpoint: { workspaceId: string; webhookId: string },
  onDropped?: (count: number) => void,
): Promise<void> => {
  for (let from = epoch; ; ) {
    const { found, dropped, lastMs } = await dropPage(sql, { ...endpoint, from })
    onDropped?.(dropped)
    if (!found && from === epoch) return
    if (found && dropped === 0) await sleep(retryLockedMs)
    from = found && lastMs !== null ? new Date(lastMs) : epoch
  }
}

/**
 * Drops deliveries that were created while their endpoint was being deleted. No attempt would ever be made for them.
 */
export const dropOrphanedDeliveries = async (sql: Sql, onDropped?: (count: number) => void): Promise<void> => {
  for (const endpoint of await findEndpointsToDrop(sql)) await dropDeliveries(sql, endpoint, onDropped)
}
