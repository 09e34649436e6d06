/** Disconnects a channel and skips the messages that were still queued for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { withAudit } from '../../accounts/audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { verb } from '../../core/verb.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { enqueue } from '../../queue/tasks.ts'
import { markDisconnected } from '../channels/index.ts'
import { skipChannelPage } from './sql.ts'

/** Maximum number of messages skipped within the request. A background task skips the rest. */
const maxSkippedInline = 500
const pageSize = 1000
/** Milliseconds between polls while all remaining rows are locked. A page holds its row locks only briefly. */
const pollMs = 20

/** Disconnects the channel. Its number becomes available immediately and its history is kept. Idempotent. */
export const disconnectChannel = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  const disconnect = async ({ sql, caller: { workspaceId } }: Ctx) => {
    const channel = isId(id) ? await markDisconnected(sql, workspaceId, id) : null
    if (!channel) throw notFound('channel')
    const { found } = await skipChannelPage(sql, { workspaceId, channelId: id, limit: maxSkippedInline })
    if (found) await enqueue(sql, 'skip_messages', { workspaceId, channelId: id }, `skip:${id}`)
    return channel
  }
  await withAudit(ctx, disconnect, ({ now, ...detail }) =>
    now ? { action: 'disconnectChannel', target: { type: 'channel', id }, detail } : null,
  )
})

/**
 * Skips the remaining messages in pages; idempotent. Messages that a worker has started to send are left to that worker;
 * locked messages are retried. Messages queued later are skipped by the channel's actor.
 */
export const skipMessages = async (sql: Sql, channel: { workspaceId: string; channelId: string }): Promise<void> => {
  for (;;) {
    const { found, skipped } = await skipChannelPage(sql, { ...channel, limit: pageSize })
    if (!found) return
    if (skipped === 0) await sleep(pollMs)
  }
}
