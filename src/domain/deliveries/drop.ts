/** Dropping what was still to be delivered to an endpoint that was removed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import { beginning } from '../mailbox.ts'
import { dropPage, findEndpointsOwed } from './sql.ts'

/** A page is held, so short is what anybody may have to wait for one of its rows. */
const pollMs = 20

/**
 * Drops it in pages, until nothing is left; safe to repeat. A delivery whose attempt is being recorded at this moment is
 * passed over and looked for again.
 */
export const dropDeliveries = async (sql: Sql, endpoint: { workspaceId: string; webhookId: string }): Promise<void> => {
  for (let from = beginning; ; ) {
    const { found, dropped, lastMs } = await dropPage(sql, { ...endpoint, from })
    if (!found && from === beginning) return
    if (found && dropped === 0) await sleep(pollMs)
    from = found && lastMs !== null ? new Date(lastMs) : beginning
  }
}

/** The same for what was made as its endpoint was removed: nobody would ever attempt it. */
export const dropOrphanedDeliveries = async (sql: Sql): Promise<void> => {
  for (const endpoint of await findEndpointsOwed(sql)) await dropDeliveries(sql, endpoint)
}
