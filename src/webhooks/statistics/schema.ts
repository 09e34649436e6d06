import { type Static, Type } from '@sinclair/typebox'
import { dateTime, errorMessage, Nullable, Time, withDescription } from '../../core/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Length of each entry of statistics. */
export const StatsUnit = Type.Union([Type.Literal('hour'), Type.Literal('day')], {
  default: 'hour',
  description: 'Length of each entry: an hour, or a day in UTC.',
  ...errorMessage('Must be one of hour, day.'),
})

/** The query of GET /v1/webhooks/{id}/stats. */
export const WebhookStatsQuery = Type.Object({
  by: Type.Optional(StatsUnit),
  since: Type.Optional(
    dateTime(
      'Start of the range, rounded down to the hour or day. Defaults to 24 hours or 30 days before the end of the range. At most 31 days before `until` by the hour, 400 by the day.',
    ),
  ),
  until: Type.Optional(dateTime('End of the range. The hour or day of this time is included. Defaults to now.')),
})
export type WebhookStatsQuery = Static<typeof WebhookStatsQuery>

/** Attempts of an endpoint in one hour or one day. */
export const WebhookStatsEntry = Type.Object(
  {
    at: withDescription(Time, 'Start of the hour or day, in UTC.'),
    delivered: count('Attempts that the endpoint answered with 2xx.'),
    failed: count('Deliveries that failed and are not retried automatically.'),
    retried: count('Failed attempts that are retried automatically.'),
    p50Ms: Nullable(
      Type.Integer({
        description:
          'Median duration of all attempts in milliseconds, within 5 % or 1 ms, whichever is larger. Null without attempts.',
      }),
    ),
    p95Ms: Nullable(Type.Integer({ description: '95th percentile of the duration, like `p50Ms`.' })),
  },
  { $id: 'WebhookStatsEntry', description: 'Attempts of a webhook endpoint in one hour or one day.' },
)
export type WebhookStatsEntry = Static<typeof WebhookStatsEntry>

/** Statistics of an endpoint. */
export const WebhookStats = Type.Object(
  {
    data: Type.Array(WebhookStatsEntry, { description: 'All hours or days of the range, oldest first.' }),
    codes: Type.Array(
      Type.Object({
        statusCode: Nullable(Type.Integer({ description: 'HTTP status of the response. Null without a response.' })),
        count: count('Number of attempts in the range.'),
      }),
      { description: 'Attempts of the range by status code, most frequent first.' },
    ),
  },
  { $id: 'WebhookStats', description: 'Statistics of a webhook endpoint by hour or by day.' },
)
export type WebhookStats = Static<typeof WebhookStats>
