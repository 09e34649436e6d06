/** Titles and details of alerts. Pure functions of their input and the time `now`. */

import type { UnhandledType } from '../../events/index.ts'
import type { RejectedSummary } from '../../events/rejected-requests/index.ts'
import type { FailingChannel } from '../../messaging/channels/index.ts'
import type { Hold } from '../../queue/hold/index.ts'
import { type Pause, pausableKinds } from '../../queue/pauses/index.ts'
import type { UnhealthyEndpointRow } from '../../webhooks/deliveries/index.ts'
import type { FailingWorkflow } from '../../workflows/index.ts'
import type { Attention } from './schema.ts'

/**
 * Maximum counts per alert; a count that reaches its maximum is shown as "N or more". Deliveries are counted for all
 * endpoints together. `rejections` are the entries that are searched for the most frequent error. `events` are the newest
 * events of each unhandled type.
 */
export const maxCounted = { deliveries: 10_000, customers: 500, runs: 500, rejections: 500, events: 100 }

/** Seconds after which a due delivery counts as late. */
export const lateSeconds = 60

/** Returns the alert of every workspace while all sending is held. */
export const holdAlert = ({ since }: Hold, workspaceId: string): Attention => ({
  kind: 'sending_held',
  since: since.toISOString(),
  title: 'Sending is paused, because the database of the service was restored.',
  detail:
    'Events are accepted. Webhooks, messages, campaigns, workflows and e-mails wait until the operator releases them.',
  subject: { type: 'workspace', id: workspaceId },
})

/** Returns the alert of a workspace whose work is paused. Null without a pause. */
export const pauseAlert = (pauses: readonly Pause[], workspaceId: string): Attention | null => {
  const [first] = pauses
  if (!first) return null
  const kinds = pausableKinds.filter(kind => pauses.some(pause => pause.kind === kind))
  return {
    kind: 'work_paused',
    since: first.since.toISOString(),
    title: `The operator of the service has paused ${kinds.join(', ')}.`,
    detail: 'Events are accepted. The paused work waits until the operator resumes it.',
    subject: { type: 'workspace', id: workspaceId },
  }
}

/**
 * Returns the alert of an endpoint that is failing, held or late. Returns null for an endpoint held by an owner without
 * waiting deliveries.
 */
export const endpointAlert = (row: UnhealthyEndpointRow, now: Date): Attention | null => {
  if (row.heldBy === 'service' && row.heldAt) return pausedByServiceAlert(row, row.heldAt)
  if (row.heldAt) return row.firstDueAt && waitingAlert(row, row.firstDueAt, 'It is paused. Resume it to send them.')
  if (row.failingSince) return failingAlert(row, row.failingSince, now)
  return (
    row.firstDueAt && waitingAlert(row, row.firstDueAt, `The first was due ${durationText(row.firstDueAt, now)} ago.`)
  )
}

const pausedByServiceAlert = (row: UnhealthyEndpointRow, since: Date): Attention => ({
  kind: 'endpoint_failing',
  since: since.toISOString(),
  title: `${labelOf(row)} was paused, because all attempts failed for five days.`,
  detail: `${queuedText(row)} Fix the endpoint, then resume it.`,
  subject: { type: 'webhook', id: row.id },
})

const failingAlert = (row: UnhealthyEndpointRow, since: Date, now: Date): Attention => {
  const lastResult = row.statusCode === null ? (row.error ?? 'no response') : `HTTP ${row.statusCode}`
  const next =
    row.firstDueAt === null
      ? ''
      : row.firstDueAt > now
        ? ` The next attempt is in ${durationText(now, row.firstDueAt, Math.ceil)}.`
        : ' The next attempt is due now.'
  return {
    kind: 'endpoint_failing',
    since: since.toISOString(),
    title: `${labelOf(row)} is failing: ${lastResult}.`,
    detail: `${failedAttemptsText(row)} ${retryingText(row)}${next}`,
    subject: { type: 'webhook', id: row.id },
  }
}

const failedAttemptsText = ({ failedAttempts }: UnhealthyEndpointRow): string => {
  if (failedAttempts === 0) return 'It was resumed, with no attempts since then.'
  return failedAttempts === 1 ? 'The last attempt failed.' : `The last ${formatNumber(failedAttempts)} attempts failed.`
}

const waitingAlert = (row: UnhealthyEndpointRow, since: Date, detail: string): Attention => ({
  kind: 'deliveries_waiting',
  since: since.toISOString(),
  title: `${queuedCount(row)} for ${labelOf(row)}.`,
  detail,
  subject: { type: 'webhook', id: row.id },
})

const retryingText = ({ waiting, countedTo }: UnhealthyEndpointRow): string =>
  waiting === 0
    ? 'No deliveries are retrying.'
    : `${countText(waiting, 'delivery is retrying', 'deliveries are retrying', countedTo)}.`

const queuedText = (row: UnhealthyEndpointRow): string =>
  row.waiting === 0 ? 'No deliveries are queued.' : `${queuedCount(row)}.`

const queuedCount = ({ waiting, countedTo }: UnhealthyEndpointRow): string =>
  countText(waiting, 'delivery is queued', 'deliveries are queued', countedTo)

/** Returns the name given by the owner, or the host of the URL, in quotes. */
const labelOf = ({ name, url }: UnhealthyEndpointRow): string => `“${name ?? URL.parse(url)?.host ?? url}”`

/** Event usage of the current month. */
export interface MonthlyUsage {
  used: number
  limit: number | null
  /** Start of the next month. */
  resetsAt: Date
}

const nearlyFullShare = 0.8
/** Minimum share for an early alert, if the allowance will be full before the month ends. */
const halfFullShare = 0.5

/**
 * Returns the alert for the monthly events, extrapolated from the daily average. Returns null while the rest of the
 * month fits.
 */
export const usageAlert = ({ used, limit, resetsAt }: MonthlyUsage, now: Date): Attention | null => {
  if (limit === null || limit === 0 || used < limit * halfFullShare) return null
  const monthStart = new Date(Date.UTC(resetsAt.getUTCFullYear(), resetsAt.getUTCMonth() - 1))
  const fullAt = new Date(now.getTime() + ((limit - used) * (now.getTime() - monthStart.getTime())) / used)
  if (used < limit * nearlyFullShare && fullAt >= resetsAt) return null
  const isFull = used >= limit
  return {
    kind: 'allowance_nearly_full',
    since: monthStart.toISOString(),
    title: isFull
      ? "This month's event limit is reached."
      : `${Math.floor((100 * used) / limit)}% of this month's events are used.`,
    detail: `${formatNumber(used)} of ${formatNumber(limit)}. ${
      isFull
        ? `Further events are rejected until ${dateText(resetsAt)} (UTC), unless the plan is upgraded.`
        : fullAt < resetsAt
          ? `At this rate, you reach the limit on ${dateText(fullAt)} (UTC).`
          : 'At this rate, you stay within the limit this month.'
    }`,
    subject: { type: 'allowance', id: 'monthlyEvents' },
  }
}

export const channelAlert = ({ id, name, statusDetail, since }: FailingChannel): Attention => ({
  kind: 'channel_failing',
  since: since.toISOString(),
  title: `The provider is rejecting requests from “${name}”.`,
  detail: statusDetail ?? 'The provider gave no reason.',
  subject: { type: 'channel', id },
})

/** Returns the alert of rejected events, with their number. */
export const rejectedAlert = (
  count: number,
  { since, lastAt, id, ...error }: RejectedSummary,
  now: Date,
): Attention => ({
  kind: 'events_rejected',
  since: since.toISOString(),
  title: `${countText(count, 'event was', 'events were')} rejected in the last 24 hours.`,
  detail: `The newest was ${durationText(lastAt, now)} ago. ${frequentErrorText(error)}`,
  subject: { type: 'not_accepted', id },
})

/** Names the field of the error, or quotes its first sentence. The list of rejected events has the whole message. */
const frequentErrorText = ({ message, details }: Pick<RejectedSummary, 'message' | 'details'>): string => {
  const field = Object.entries(details ?? {}).find(([field, reason]) => message === `${field}: ${reason}`)?.[0]
  const [sentence = message] = message.replace(/\.$/, '').split('. ', 1)
  return field === undefined
    ? `The most common error is “${shorten(sentence)}”.`
    : `The most common error is in the field “${shorten(field)}” of the event.`
}

const maxMessage = 200

const shorten = (text: string): string =>
  text.length > maxMessage ? `${text.slice(0, maxMessage).toWellFormed()}…` : text

export const unhandledAlert = ({ type, count, since, workflow }: UnhandledType): Attention => ({
  kind: 'event_type_unhandled',
  since: since.toISOString(),
  title: `No workflow that is on handles “${type}”.`,
  detail: `${remedyOf(workflow)} ${countText(count, 'event', 'events', maxCounted.events)} of this type started nothing in the last 24 hours.`,
  subject: { type: 'event_type', id: type },
})

const remedyOf = (workflow: UnhandledType['workflow']): string => {
  if (workflow === null) return 'Create a workflow for this type, or stop sending it.'
  const { name, isEnabled, isPublished } = workflow
  const reasons = [...(isEnabled ? [] : ['is turned off']), ...(isPublished ? [] : ['was never published'])]
  return `The workflow “${name}” handles this type but ${reasons.join(' and ')}.`
}

/** Returns null if no customer is waiting. */
export const customersAlert = (
  { count, longestId, since }: { count: number; longestId: string | null; since: Date | null },
  now: Date,
): Attention | null =>
  longestId === null || since === null
    ? null
    : {
        kind: 'customers_waiting',
        since: since.toISOString(),
        title: `${countText(count, 'customer is waiting', 'customers are waiting', maxCounted.customers)} for a reply.`,
        detail:
          count === 1 ? `The wait is ${durationText(since, now)}.` : `The longest wait is ${durationText(since, now)}.`,
        subject: { type: 'conversation', id: longestId },
      }

export const workflowAlert = ({ id, name, failed, since, endReason }: FailingWorkflow): Attention => ({
  kind: 'runs_failing',
  since: since.toISOString(),
  title: `${countText(failed, 'run', 'runs', maxCounted.runs)} of “${name}” failed in the last 24 hours.`,
  detail: `The newest ended with ${endReason}.`,
  subject: { type: 'workflow', id },
})

/** Days before the expiry of an access token from which it has an alert. */
export const tokenExpiryDays = 7

/** An access token that expires soon, with the name of its person or service account. */
export interface ExpiringToken {
  id: string
  name: string
  userName: string
  createdAt: Date
  expiresAt: Date
}

export const tokenAlert = ({ id, name, userName, createdAt, expiresAt }: ExpiringToken): Attention => ({
  kind: 'token_expiring',
  since: new Date(Math.max(createdAt.getTime(), expiresAt.getTime() - tokenExpiryDays * dayMs)).toISOString(),
  title: `The access token “${name}” of ${userName} expires on ${dateText(expiresAt)} (UTC).`,
  detail:
    'Create a new token, use it in place of this one, and revoke this one. Calls with an expired token are rejected.',
  subject: { type: 'access_token', id },
})

const dayMs = 86_400_000

const countText = (count: number, singular: string, plural: string, max = Number.POSITIVE_INFINITY): string => {
  if (count === 1) return `1 ${singular}`
  return count >= max ? `${formatNumber(max)} or more ${plural}` : `${formatNumber(count)} ${plural}`
}

const formatNumber = (value: number): string => value.toLocaleString('en')

/** Formats a duration in minutes, hours or days. Rounds down, or up for a time in the future, as the dashboard does. */
export const durationText = (from: Date, to: Date, round: (value: number) => number = Math.floor): string => {
  const exactMinutes = (to.getTime() - from.getTime()) / 60_000
  const minutes = round(exactMinutes)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return countText(minutes, 'minute', 'minutes')
  const hours = round(exactMinutes / 60)
  return hours < 48 ? countText(hours, 'hour', 'hours') : `${formatNumber(round(exactMinutes / 1440))} days`
}

const dateText = (time: Date): string =>
  time.toLocaleDateString('en-US', { day: 'numeric', month: 'long', timeZone: 'UTC' })
