/** Records messages from customers of all channels in micro-batches. */
import { Again, type Failed } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { eachOnItsOwn } from '../../db/each-on-its-own.ts'
import { HeldUp } from '../errors.ts'
import { gathered } from '../gather.ts'
import { inTurns } from '../turns.ts'
import { arrivedTogether, type Incoming, incoming } from './arrived.ts'
import type { InboundMessage } from './message.ts'
import { receive } from './sql.ts'

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
export const receiveMessage = (sql: Sql, message: InboundMessage): Promise<Receipt> => receiving(sql, incoming(message))

/** Prepares messages, and yields to the event loop every 10 ms. */
export const takeIn = async (messages: readonly InboundMessage[]): Promise<Incoming[]> => {
  const turns = inTurns()
  const taken: Incoming[] = []
  for (const message of messages) {
    taken.push(incoming(message))
    await turns()
  }
  return taken
}

/**
 * Records messages that arrived together. Messages of one address keep their order. If their conversation is locked,
 * they wait for it in that order, up to the limit of waiting items. Returns results by position and never rejects.
 */
export const receiveMessages = async (sql: Sql, asked: readonly Incoming[]): Promise<(Receipt | Failed)[]> => {
  const ofAddresses = [...Map.groupBy(asked, ({ handle }) => handle).values()]
  const became = new Map<Incoming, Receipt | Failed>()
  await Promise.all(
    ofAddresses.map(async some => {
      const receipts = await receiving.inOrder(sql, some)
      for (const [place, receipt] of receipts.entries()) became.set(some[place]!, receipt)
    }),
  )
  return asked.map(one => became.get(one)!)
}

/**
 * Limits the number of messages that wait for one locked conversation, and for one channel, so that other messages of
 * the channel can proceed.
 */
const receiving = gathered<Incoming, Receipt>(
  (sql, asked) => eachOnItsOwn(sql, asked, some => receiveTogether(sql, some)),
  {
    thingOf: ({ channelId, handle }) => `${channelId} ${handle}`,
    groupOf: ({ channelId }) => channelId,
  },
  // Limits the size of a batch, because encoding the parameters of a statement blocks the event loop.
  { max: 512 * 1024, sizeOf: ({ text }) => text?.length ?? 0 },
)

/** Records a batch. If a message occurs several times, the first one counts. */
const receiveTogether = async (sql: Sql, asked: Incoming[]): Promise<(Receipt | Failed | Again)[]> => {
  const first = new Map<string, Incoming>()
  for (const one of asked) if (!first.has(nameOf(one))) first.set(nameOf(one), one)
  const rows = await receive(sql, arrivedTogether([...first.values()]))
  const names = [...first.keys()]
  const receipts = new Map(rows.map(({ place, ...receipt }) => [names[place]!, receipt]))
  return asked.map(one => {
    const receipt = receipts.get(nameOf(one))
    if (!receipt) return beingChanged
    return first.get(nameOf(one)) === one ? receipt : { ...receipt, isNew: false }
  })
}

const beingChanged = new Again(new HeldUp('Somebody else is changing the conversation.'))

const nameOf = ({ channelId, providerMessageId }: Incoming): string => `${channelId} ${providerMessageId}`
