/** The channel actor's mailbox: messages of one channel that are due. */
import type { Sql } from '../../db/client.ts'
import { providerOf } from '../channels/index.ts'
import { type DueMessage, type MessageSettlement, settleMessages } from './sql.ts'

/**
 * Hands one message to its provider, unless the customer has opted out by now: the moment of sending decides, however
 * long ago the message was written.
 */
export const sendMessage = async (message: DueMessage): Promise<MessageSettlement> => {
  const { workspaceId, id, handle, text } = message
  const settlement = (statuses: MessageSettlement['statuses'], providerMessageId: string | null = null) => ({
    workspaceId,
    id,
    providerMessageId,
    statuses,
  })
  if (message.optedOut) return settlement([{ status: 'skipped', detail: 'The customer has opted out.' }])
  const outcome = await providerOf(message.channelKind).send({ id, handle, text })
  if (outcome.kind === 'refused') return settlement([{ status: 'failed', detail: outcome.detail }])
  return settlement([{ status: 'sent', detail: null }, ...outcome.statuses], outcome.providerMessageId)
}

/** Records what became of a batch of messages; safe to repeat. */
export const settle = async (sql: Sql, settlements: MessageSettlement[]): Promise<void> => {
  await settleMessages(sql, settlements)
}
