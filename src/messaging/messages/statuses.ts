/** Records statuses that providers report after they accept a message. Concurrent calls share one write. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LockConflict } from '../../core/errors.ts'
import { type Failed, Retry } from '../../platform/micro-batch.ts'
import { bisectOnError } from '../../platform/postgres/bisect.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { microBatched } from '../../platform/postgres/micro-batched.ts'
import {
  deleteEarlyStatuses,
  type EarlyStatus,
  findEarlyStatuses,
  type ProviderMessage,
  type ReportedStatus,
  recordReported,
} from './statuses-sql.ts'

/** `early`: no message has that id, or not yet. The status is stored until the message is recorded. */
export type StatusReceipt = 'recorded' | 'early'

/**
 * Records a status. The message only moves forward, in whatever order statuses arrive. Concurrent calls share one
 * statement. A repeated status is recorded once.
 */
export const recordStatuses = (sql: Sql, reported: ReportedStatus): Promise<StatusReceipt> =>
  recordBatched(sql, sanitize(reported))

const maxId = 500
const maxDetail = 1000

/** Makes all values storable in PostgreSQL and limits their length. */
const sanitize = (reported: ReportedStatus): ReportedStatus => ({
  ...reported,
  providerMessageId: toStorable(reported.providerMessageId, maxId),
  detail: reported.detail === null ? null : toStorable(reported.detail, maxDetail),
})

const toStorable = (text: string, max: number): string =>
  text.toWellFormed().replaceAll('\0', '\ufffd').slice(0, max).toWellFormed()

const recordBatched = microBatched<ReportedStatus, StatusReceipt>(
  (sql, statuses) => bisectOnError(sql, statuses, some => recordBatch(sql, some)),
  {
    resourceOf: ({ channelId, messageId, providerMessageId }) => `${channelId} ${messageId ?? providerMessageId}`,
    groupOf: ({ channelId }) => channelId,
  },
)

const recordBatch = async (sql: Sql, reported: ReportedStatus[]): Promise<(StatusReceipt | Failed | Retry)[]> => {
  const { locked, early } = await recordReported(sql, reported)
  const missing = reported.filter((_, index) => early.has(index))
  // The message may have been recorded concurrently by a transaction that did not see this status. One of the two sees
  // the other.
  if (missing.length > 0) await applyEarlyStatuses(sql, missing)
  return reported.map((_, index) => {
    if (locked.has(index)) return conflict
    return early.has(index) ? 'early' : 'recorded'
  })
}

const conflict = new Retry(new LockConflict('The message is being changed by another call.'))

const maxAttempts = 50
const retryMs = 20

/**
 * Records the early statuses of those of these messages that now exist. Call it in a separate statement after the
 * provider's id of a message is recorded.
 */
export const applyEarlyStatuses = async (sql: Sql, messages: readonly ProviderMessage[]): Promise<void> => {
  for (let left = maxAttempts; ; left--) {
    const early = await findEarlyStatuses(sql, messages)
    if (early.length === 0) return
    const { locked } = await recordReported(sql, early.map(toReported))
    const applied = early.filter((_, index) => !locked.has(index))
    if (applied.length > 0) await deleteEarlyStatuses(sql, applied)
    if (locked.size === 0) return
    if (left === 0) throw new LockConflict('The message is being changed by another call.')
    await sleep(retryMs)
  }
}

const toReported = ({ id: _, ...early }: EarlyStatus): ReportedStatus => ({ ...early, messageId: null })
