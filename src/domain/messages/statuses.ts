/** What providers tell of a message after they have taken it: those that wait are recorded together. */
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

/** `early`: no message is known by that id, or not yet; it is kept for whoever records one. */
export type StatusReceipt = 'recorded' | 'early'

/**
 * Records a status, and moves the message where it says more than was known: in whatever order they come, it only goes
 * forward. Gathered: callers that wait share a statement. Told twice, it is recorded once.
 */
export const recordStatuses = (sql: Sql, told: ToldStatus): Promise<StatusReceipt> => recording(sql, bounded(told))

const maxId = 500
const maxDetail = 1000

/** Nothing in it can be refused by the database, and all of it has a bound. */
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
  // Its message may have been recorded at the same moment, by somebody who saw nothing of this: one of both sees it.
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
 * Records what was told early of these messages, as far as they are there by now. To be asked, in a statement of its own,
 * by whoever has recorded by which id a provider knows a message.
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
