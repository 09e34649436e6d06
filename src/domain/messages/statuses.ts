/** Records statuses that providers report after they accept a message. Concurrent calls share one write. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Again, type Failed } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { eachOnItsOwn } from '../../db/each-on-its-own.ts'
import { HeldUp } from '../errors.ts'
import { gathered } from '../gather.ts'
import {
  deleteEarly,
  type EarlyStatus,
  findEarly,
  type ProvidersMessage,
  recordTold,
  type ToldStatus,
} from './statuses-sql.ts'

/** `early`: no message has that id, or not yet. The status is stored until the message is recorded. */
export type StatusReceipt = 'recorded' | 'early'

/**
 * Records a status. The message only moves forward, in whatever order statuses arrive. Concurrent calls share one
 * statement. A repeated status is recorded once.
 */
export const recordStatuses = (sql: Sql, told: ToldStatus): Promise<StatusReceipt> => recording(sql, bounded(told))

const maxId = 500
const maxDetail = 1000

/** Makes all values storable in PostgreSQL and limits their length. */
const bounded = (told: ToldStatus): ToldStatus => ({
  ...told,
  providerMessageId: storable(told.providerMessageId, maxId),
  detail: told.detail === null ? null : storable(told.detail, maxDetail),
})

const storable = (text: string, max: number): string =>
  text.toWellFormed().replaceAll('\0', '\ufffd').slice(0, max).toWellFormed()

const recording = gathered<ToldStatus, StatusReceipt>(
  (sql, asked) => eachOnItsOwn(sql, asked, some => recordTogether(sql, some)),
  {
    thingOf: ({ channelId, messageId, providerMessageId }) => `${channelId} ${messageId ?? providerMessageId}`,
    groupOf: ({ channelId }) => channelId,
  },
)

const recordTogether = async (sql: Sql, told: ToldStatus[]): Promise<(StatusReceipt | Failed | Again)[]> => {
  const { held, early } = await recordTold(sql, told)
  const notYet = told.filter((_, place) => early.has(place))
  // The message may have been recorded concurrently by a transaction that did not see this status. One of the two sees
  // the other.
  if (notYet.length > 0) await takeEarlyStatuses(sql, notYet)
  return told.map((_, place) => {
    if (held.has(place)) return beingChanged
    return early.has(place) ? 'early' : 'recorded'
  })
}

const beingChanged = new Again(new HeldUp('Somebody else is changing the message.'))

const tries = 50
const againMs = 20

/**
 * Records the early statuses of those of these messages that now exist. Call it in a separate statement after the
 * provider's id of a message is recorded.
 */
export const takeEarlyStatuses = async (sql: Sql, messages: readonly ProvidersMessage[]): Promise<void> => {
  for (let left = tries; ; left--) {
    const early = await findEarly(sql, messages)
    if (early.length === 0) return
    const { held } = await recordTold(sql, early.map(asTold))
    const taken = early.filter((_, place) => !held.has(place))
    if (taken.length > 0) await deleteEarly(sql, taken)
    if (held.size === 0) return
    if (left === 0) throw new HeldUp('Somebody else is changing the message.')
    await sleep(againMs)
  }
}

const asTold = ({ id: _, ...early }: EarlyStatus): ToldStatus => ({ ...early, messageId: null })
