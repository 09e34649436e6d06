/** Disconnecting a channel: what was still to be sent over it is skipped. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import { audited } from '../audited.ts'
import { markDisconnected } from '../channels/index.ts'
import type { Ctx } from '../context.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { enqueue } from '../tasks.ts'
import { verb } from '../verb.ts'
import { skipPageOfChannel } from './sql.ts'

/** So many are skipped before the answer; the rest is done by a task, for it may be much. */
const skippedAtOnce = 500
const pageSize = 1000
/** A page is held, so short is what anybody may have to wait for one of its rows. */
const pollMs = 20

/** Disconnects the channel; its number is free from now on, and its history stays. Done again, it changes nothing. */
export const disconnectChannel = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  const disconnect = async ({ sql, caller: { workspaceId } }: Ctx) => {
    const channel = isId(id) ? await markDisconnected(sql, workspaceId, id) : null
    if (!channel) throw notFound('channel')
    const { found } = await skipPageOfChannel(sql, { workspaceId, channelId: id, limit: skippedAtOnce })
    if (found) await enqueue(sql, 'skip_messages', { workspaceId, channelId: id }, `skip:${id}`)
    return channel
  }
  await audited(ctx, disconnect, ({ now, ...detail }) =>
    now ? { action: 'disconnectChannel', target: { type: 'channel', id }, detail } : null,
  )
})

/**
 * Skips what is left, in pages; safe to repeat. One that is being handed over at this moment is left to whoever does, one
 * that somebody holds is looked for again. What is queued later all the same, the channel's actor skips.
 */
export const skipMessages = async (sql: Sql, channel: { workspaceId: string; channelId: string }): Promise<void> => {
  for (;;) {
    const { found, skipped } = await skipPageOfChannel(sql, { ...channel, limit: pageSize })
    if (!found) return
    if (skipped === 0) await sleep(pollMs)
  }
}
