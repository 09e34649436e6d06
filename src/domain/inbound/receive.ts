/** Messages from customers, from wherever they come: those that wait go together. */
import { Again, type Failed } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { eachOnItsOwn } from '../../db/each-on-its-own.ts'
import { HeldUp } from '../errors.ts'
import { gathered } from '../gather.ts'
import { inTurns } from '../turns.ts'
import { arrivedTogether, type Incoming, incoming } from './arrived.ts'
import type { InboundMessage } from './message.ts'
import { receive } from './sql.ts'

/** What a message became. */
export interface Receipt {
  messageId: string
  conversationId: string
  customerId: string
  /** False where it had been handled before: nothing was done. */
  isNew: boolean
}

/**
 * Records a message and what follows from it. Gathered: callers that wait share a statement. Each provider message id is
 * handled once per channel: the second time it answers what the first made.
 */
export const receiveMessage = (sql: Sql, message: InboundMessage): Promise<Receipt> => receiving(sql, incoming(message))

/** Makes messages ready to be recorded, in turns with whatever else this process has to do. */
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
 * Records messages that came together. Those of one address are a line: where their conversation is held, they wait for it
 * in their order, and as many of them as may wait are the first. Answers by position what each became, and never rejects.
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

/** Of one customer whose row is held, and over one channel, a few wait: the others of the channel need its places. */
const receiving = gathered<Incoming, Receipt>(
  (sql, asked) => eachOnItsOwn(sql, asked, some => receiveTogether(sql, some)),
  {
    thingOf: ({ channelId, handle }) => `${channelId} ${handle}`,
    groupOf: ({ channelId }) => channelId,
  },
  // Writing the parameters of a statement is synchronous.
  { max: 512 * 1024, sizeOf: ({ text }) => text?.length ?? 0 },
)

/** Of several that are the same message the first counts. */
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
