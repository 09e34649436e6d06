/** Messages of channels over time, from the activity summary. */
import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import type { TextId } from '../../texts/index.tsx'
import type { Series } from '../../ui/charts/series.ts'
import type { Tone } from '../../ui/Status.tsx'
import { parseTimeRange, type TimeRange, toChartRange, withDefaultRange } from '../../ui/time-range/time-range.ts'

type Group = NonNullable<Schemas['ActivitySummaryList']['groups']>[number]

/** Statuses of messages in the order of a chart, the most frequent at the bottom. */
export const statuses = ['received', 'read', 'delivered', 'sent', 'failed', 'skipped'] as const
type Status = (typeof statuses)[number]

const statusTones: Record<Status, Tone | 'accent'> = {
  received: 'accent',
  read: 'done',
  delivered: 'done',
  sent: 'moving',
  failed: 'failed',
  skipped: 'off',
}

export interface Bucket {
  at: string
  counts: Record<Status, number>
}

/** Reads the time range from the address. Defaults to the last 7 days. */
export const withDefault = (search: TimeRange): TimeRange =>
  // The address of the form also has the kind.
  withDefaultRange(parseTimeRange({ ...search }), '7d')

/** Query of the messages by channel in a time range. */
export const useChannelStatistics = (timeRange: TimeRange) => {
  useLiveRefresh(['message'], ['/v1/activity/summary'])
  const range = toChartRange(timeRange)
  const query = hooks.useQuery(
    'get',
    '/v1/activity/summary',
    { params: { query: { ...range, group: 'channel' } } },
    { placeholderData: keepPreviousData },
  )
  return { query, by: range.by }
}

/** Returns the buckets of one channel, or of all channels without an id. */
export const toBuckets = ({ data, groups }: Schemas['ActivitySummaryList'], channelId?: string): Bucket[] => {
  const chosen = groups?.filter(({ id }) => channelId === undefined || id === channelId) ?? []
  const count = (group: Group, status: Status, index: number) => group.counts[status]?.[index] ?? 0
  return data.map(({ at }, index) => ({
    at,
    counts: Object.fromEntries(
      statuses.map(status => [status, chosen.reduce((sum, group) => sum + count(group, status, index), 0)]),
    ) as Record<Status, number>,
  }))
}

/** Statuses that a message has in turn are counted once each, so the bars show only final and failed ones. */
const shownStatuses = ['delivered', 'received', 'failed', 'skipped'] as const

export const toSeries = (t: (id: TextId) => string): Series<Bucket>[] =>
  shownStatuses.map(status => ({
    key: status,
    label: t(`channels.messages.${status}`),
    tone: statusTones[status],
    value: ({ counts }) => counts[status],
  }))

/** Returns the sent and failed messages of a channel in the range. */
export const toTotals = ({ groups }: Schemas['ActivitySummaryList'], channelId: string) => {
  const counts = groups?.find(({ id }) => id === channelId)?.counts
  const sum = (status: Status) => counts?.[status]?.reduce((total, one) => total + one, 0) ?? 0
  return { delivered: sum('delivered'), failed: sum('failed'), received: sum('received') }
}

const reasons = [
  'opted_out',
  'no_opt_in',
  'window_closed',
  'plan',
  'channel_disconnected',
  'skipped_after_restore',
  'other',
] as const

/** Returns true if the reason has a text on this page. All others are error codes of the provider. */
export const isReason = (code: string): code is (typeof reasons)[number] =>
  (reasons as readonly string[]).includes(code)

/** Returns the most frequent reasons of failed and skipped messages of a channel. */
export const toReasons = ({ groups }: Schemas['ActivitySummaryList'], channelId: string) =>
  groups?.find(({ id }) => id === channelId)?.reasons ?? []
