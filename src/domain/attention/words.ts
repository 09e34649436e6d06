/** Titles and details of alerts. Pure functions of their input and the time `now`. */
import type { FailingChannel } from '../channels/index.ts'
import type { TroubledRow } from '../deliveries/index.ts'
import type { UnhandledType } from '../events/index.ts'
import type { RejectedRow } from '../refusals/index.ts'
import type { FailingWorkflow } from '../workflows/index.ts'
import type { Attention } from './schema.ts'

/**
 * Maximum counts per alert; a count that reaches its maximum is shown as "N or more". Deliveries are counted for all
 * endpoints together. `rejections` are rejected requests. `events` is the number of newest events checked for unhandled
 * types.
 */
export const maxCounted = { deliveries: 10_000, customers: 500, runs: 500, rejections: 500, events: 1000 }

/** Seconds after which a due delivery counts as late. */
export const lateSeconds = 60

/**
 * Returns the alert of an endpoint that is failing, held or late. Returns null for an endpoint held by an owner without
 * waiting deliveries.
 */
export const ofEndpoint = (row: TroubledRow, now: Date): Attention | null => {
  if (row.heldBy === 'service' && row.heldAt) return heldByService(row, row.heldAt)
  if (row.heldAt) return row.firstDueAt && waitingFor(row, row.firstDueAt, 'It is on hold: releasing it sends them.')
  if (row.failingSince) return failing(row, row.failingSince, now)
  return (
    row.firstDueAt &&
    waitingFor(row, row.firstDueAt, `The first should have been sent ${spanOf(row.firstDueAt, now)} ago.`)
  )
}

const heldByService = (row: TroubledRow, since: Date): Attention => ({
  kind: 'endpoint_failing',
  since: since.toISOString(),
  title: `${labelOf(row)} is on hold, because every attempt had failed for days.`,
  detail: `${waitFor(row)} Once it answers again, releasing it sends what waits.`,
  subject: { type: 'webhook', id: row.id },
})

const failing = (row: TroubledRow, since: Date, now: Date): Attention => {
  const how = row.statusCode === null ? (row.error ?? 'no answer') : `HTTP ${row.statusCode}`
  const next =
    row.firstDueAt === null
      ? ''
      : row.firstDueAt > now
        ? ` The next attempt is in ${spanOf(now, row.firstDueAt)}.`
        : ' The next attempt is due now.'
  return {
    kind: 'endpoint_failing',
    since: since.toISOString(),
    title: `${labelOf(row)} fails: ${how}.`,
    detail: `${failedOf(row)} ${waitFor(row)}${next}`,
    subject: { type: 'webhook', id: row.id },
  }
}

const failedOf = ({ failedAttempts }: TroubledRow): string => {
  if (failedAttempts === 0) return 'It was let go on, and nothing was tried since.'
  return failedAttempts === 1 ? 'The last attempt failed.' : `The last ${number(failedAttempts)} attempts failed.`
}

const waitingFor = (row: TroubledRow, since: Date, detail: string): Attention => ({
  kind: 'deliveries_waiting',
  since: since.toISOString(),
  title: `${waits(row)} for ${labelOf(row)}.`,
  detail,
  subject: { type: 'webhook', id: row.id },
})

const waitFor = (row: TroubledRow): string => (row.waiting === 0 ? 'No delivery waits.' : `${waits(row)}.`)

const waits = ({ waiting, countedTo }: TroubledRow): string =>
  counted(waiting, 'delivery waits', 'deliveries wait', countedTo)

/** Returns the name given by the owner, or the host of the URL. */
const labelOf = ({ name, url }: TroubledRow): string => name ?? URL.parse(url)?.host ?? url

/** Event usage of the current month. */
export interface MonthlyUse {
  used: number
  limit: number | null
  /** Start of the next month. */
  resetsAt: Date
}

const nearlyFull = 0.8
/** Minimum share for an early alert, if the allowance will be full before the month ends. */
const halfFull = 0.5

/**
 * Returns the alert for the monthly events, extrapolated from the daily average. Returns null while the rest of the
 * month fits.
 */
export const ofMonth = ({ used, limit, resetsAt }: MonthlyUse, now: Date): Attention | null => {
  if (limit === null || limit === 0 || used < limit * halfFull) return null
  const began = new Date(Date.UTC(resetsAt.getUTCFullYear(), resetsAt.getUTCMonth() - 1))
  const fullAt = new Date(now.getTime() + ((limit - used) * (now.getTime() - began.getTime())) / used)
  if (used < limit * nearlyFull && fullAt >= resetsAt) return null
  const isFull = used >= limit
  return {
    kind: 'allowance_nearly_full',
    since: began.toISOString(),
    title: isFull
      ? "All of this month's events are used."
      : `${Math.floor((100 * used) / limit)} % of this month's events are used.`,
    detail: `${number(used)} of ${number(limit)}. ${
      isFull
        ? `Further ones are refused until ${dayOf(resetsAt)} (UTC), unless the plan is upgraded.`
        : fullAt < resetsAt
          ? `At this pace it is full on ${dayOf(fullAt)} (UTC).`
          : 'At this pace there is room until the month is over.'
    }`,
    subject: { type: 'allowance', id: 'monthlyEvents' },
  }
}

export const ofChannel = ({ id, name, statusDetail, since }: FailingChannel): Attention => ({
  kind: 'channel_failing',
  since: since.toISOString(),
  title: `The provider of the channel "${name}" refuses us.`,
  detail: statusDetail ?? 'It said no reason.',
  subject: { type: 'channel', id },
})

export const ofRejected = ({ count, since, lastAt, message, id }: RejectedRow, now: Date): Attention => ({
  kind: 'events_rejected',
  since: since.toISOString(),
  title: `${counted(count, 'event was', 'events were')} rejected in the last 24 hours.`,
  detail: `Most frequent: ${shorten(message)} The newest was ${spanOf(lastAt, now)} ago.`,
  subject: { type: 'not_accepted', id },
})

const maxMessage = 200

const shorten = (text: string): string =>
  text.length > maxMessage ? `${text.slice(0, maxMessage).toWellFormed()}…` : text

export const ofUnhandled = ({ type, count, since }: UnhandledType): Attention => ({
  kind: 'event_type_unhandled',
  since: since.toISOString(),
  title: `No workflow listens for "${type}".`,
  detail: `${counted(count, 'event', 'events')} of this type started nothing, among the newest ${number(maxCounted.events)} of the last 24 hours. Create a workflow for it, or stop sending it.`,
  subject: { type: 'event_type', id: type },
})

/** Returns null if no customer is waiting. */
export const ofCustomers = (
  { count, longestId, since }: { count: number; longestId: string | null; since: Date | null },
  now: Date,
): Attention | null =>
  longestId === null || since === null
    ? null
    : {
        kind: 'customers_waiting',
        since: since.toISOString(),
        title: `${counted(count, 'customer waits', 'customers wait', maxCounted.customers)} for an answer.`,
        detail: count === 1 ? `For ${spanOf(since, now)}.` : `The longest has waited for ${spanOf(since, now)}.`,
        subject: { type: 'conversation', id: longestId },
      }

export const ofWorkflow = ({ id, name, failed, since, endReason }: FailingWorkflow): Attention => ({
  kind: 'runs_failing',
  since: since.toISOString(),
  title: `${counted(failed, 'run', 'runs', maxCounted.runs)} of "${name}" failed in the last 24 hours.`,
  detail: `The newest ended with ${endReason}.`,
  subject: { type: 'workflow', id },
})

const counted = (count: number, one: string, several: string, most = Number.POSITIVE_INFINITY): string => {
  if (count === 1) return `1 ${one}`
  return count >= most ? `${number(most)} or more ${several}` : `${number(count)} ${several}`
}

const number = (value: number): string => value.toLocaleString('en')

/** Formats a duration in minutes, hours or days. */
const spanOf = (from: Date, to: Date): string => {
  const minutes = Math.floor((to.getTime() - from.getTime()) / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return counted(minutes, 'minute', 'minutes')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${number(Math.floor(hours / 24))} days`
}

const dayOf = (time: Date): string =>
  time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
