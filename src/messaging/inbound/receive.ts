/** Records messages from customers of all channels in micro-batches. */

import { LockConflict } from '../../core/errors.ts'
import { TimedYield } from '../../platform/event-loop.ts'
import { type Failed, Retry } from '../../platform/micro-batch.ts'
import { bisectOnError } from '../../platform/postgres/bisect.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { microBatched } from '../../platform/postgres/micro-batched.ts'
import type { InboundMessage } from './message.ts'
import { inboundRows, type PreparedMessage, prepareMessage } from './prepare.ts'
import { recordReceived } from './sql.ts'

/** Result of recording a message. */
export interface Receipt {
  messageId: string
  conversationId: string
  customerId: string
  /** False if the message was already recorded. */
  isNew: boolean
}

/**
 * Records a message and its effects, in a statement shared with concurrent calls. Each provider message id is handled
 * once per channel. A repetition returns the result of the first one.
 */
export const receiveMessage = (sql: Sql, message: InboundMessage): Promise<Receipt> =>
  receiveBatched(sql, prepareMessage(message))

/** Prepares messages, with pauses. Concurrent calls use at most half of the time together. */
export const prepareMessages = async (messages: readonly InboundMessage[]): Promise<PreparedMessage[]> => {
  const { yieldIfDue } = new TimedYield()
  const prepared: PreparedMessage[] = []
  for (const message of messages) {
    prepared.push(prepareMessage(message))
    await yieldIfDue()
  }
  return prepared
}

/**
 * Records messages that arrived together. Messages of one address keep their order. If their conversation is locked,
 * they wait for it in that order, up to the limit of waiting items. Returns results by position and never rejects.
 */
export const receiveMessages = async (
  sql: Sql,
  messages: readonly PreparedMessage[],
): Promise<(Receipt | Failed)[]> => {
  const byAddress = [...Map.groupBy(messages, ({ handle }) => handle).values()]
  const results = new Map<PreparedMessage, Receipt | Failed>()
  await Promise.all(
    byAddress.map(async some => {
      const receipts = await receiveBatched.inOrder(sql, some)
      for (const [index, receipt] of receipts.entries()) results.set(some[index]!, receipt)
    }),
  )
  return messages.map(one => results.get(one)!)
}

/**
 * Limits the number of messages that wait for one locked conversation, and for one channel, so that other messages of
 * the channel can proceed.
 */
const receiveBatched = microBatched<PreparedMessage, Receipt>(
  (sql, messages) => bisectOnError(sql, messages, some => receiveBatch(sql, some)),
  {
    resourceOf: ({ channelId, handle }) => `${channelId} ${handle}`,
    groupOf: ({ channelId }) => channelId,
  },
  // Limits the size of a batch, because encoding the parameters of a statement blocks the event loop.
  { max: 512 * 1024, sizeOf: ({ text }) => text?.length ?? 0 },
)

/** Records a batch. If a message occurs several times, the first one counts. */
const receiveBatch = async (sql: Sql, messages: PreparedMessage[]): Promise<(Receipt | Failed | Retry)[]> => {
  const first = new Map<string, PreparedMessage>()
  for (const one of messages) if (!first.has(messageKey(one))) first.set(messageKey(one), one)
  const rows = await recordReceived(sql, inboundRows([...first.values()]))
  const keys = [...first.keys()]
  const receipts = new Map(rows.map(({ position, ...receipt }) => [keys[position]!, receipt]))
  return messages.map(one => {
    const receipt = receipts.get(messageKey(one))
    if (!receipt) return conflict
    return first.get(messageKey(one)) === one ? receipt : { ...receipt, isNew: false }
  })
}

const conflict = new Retry(new LockConflict('The conversation is being changed by another call.'))

const messageKey = ({ channelId, providerMessageId }: PreparedMessage): string => `${channelId} ${providerMessageId}`
