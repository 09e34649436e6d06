/** Hands messages to providers: one actor for each connected channel. */
import { Batcher } from '../db/batch.ts'
import { type Database, retrying } from '../db/client.ts'
import {
  type DueMessage,
  findDueMessages,
  findNextDueMessage,
  findUnattendedChannels,
  type MessageSettlement,
  sendMessage,
  settle,
} from '../domain/messages/index.ts'
import { wakeChannel } from '../domain/tasks.ts'
import type { ActorKind } from './actor.ts'

export const channelKind = 'channel'

/** The mailbox of channels. Messages that are settled at the same time share one statement. */
export const channelActors = ({ sql }: { sql: Database }): ActorKind<DueMessage> => {
  const settler = new Batcher<MessageSettlement, void>({
    maxSize: 500,
    lanes: 2,
    work: async settlements => {
      await retrying(() => settle(sql, settlements))
      return settlements.map(() => undefined)
    },
  })

  return {
    kind: channelKind,
    maxInHand: 64,
    read: ({ workspaceId, id }, limit, except) => findDueMessages(sql, { workspaceId, channelId: id, limit, except }),
    handle: async (_, message) => {
      await settler.add(await sendMessage(message))
      return true
    },
    nextDue: ({ workspaceId, id }) => findNextDueMessage(sql, workspaceId, id),
    wakeAt: ({ workspaceId, id }, at) => wakeChannel(sql, workspaceId, id, at),
    findUnattended: (holder, limit) => findUnattendedChannels(sql, holder, limit),
  }
}
