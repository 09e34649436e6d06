import { type Static, Type } from '@sinclair/typebox'
import { dateTime, Id, Nullable, Time, withDescription } from '../../core/schema.ts'
import { StatsUnit } from '../../webhooks/statistics/index.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const seconds = (description: string) => Nullable(Type.Integer({ minimum: 0, description }))

const answered = count('Number of first responses.')
const resolved = count('Number of times that a person closed an open conversation.')
const p50 = seconds('Median of the first response times, in seconds. Null without a first response.')
const p90 = seconds('90th percentile of the first response times, in seconds. Null without a first response.')

/** Statistics of the inbox. */
export const InboxStats = Type.Object(
  {
    since: withDescription(Time, 'Start of the first hour or day.'),
    until: withDescription(Time, 'End of the last hour or day.'),
    waiting: count(
      'Number of conversations that need a person now, as the filter `unanswered` lists them. At most 100,000 are counted.',
    ),
    unread: count(
      'Number of open conversations with unread messages of the customer now, among the newest 100,000 with unread ones.',
    ),
    waitingByAge: Type.Array(
      Type.Object({
        from: Type.Integer({ minimum: 0, description: 'Shortest wait of the group, in seconds.' }),
        to: seconds('Wait at which the next group starts, in seconds. Null for the last group.'),
        count: count('Number of waiting conversations in the group.'),
      }),
      {
        description:
          'Waiting conversations by their wait until now: under 5 minutes, 15 minutes, 1 hour, 4 hours, 1 day, and longer.',
      },
    ),
    longestWait: Nullable(
      Type.Object(
        {
          conversationId: withDescription(Id, 'ID of the conversation.'),
          since: withDescription(Time, 'Start of the wait.'),
          seconds: Type.Integer({ minimum: 0, description: 'Length of the wait until now, in seconds.' }),
        },
        { description: 'The longest wait. Null if no conversation waits.' },
      ),
    ),
    complete: Type.Boolean({
      description:
        'False if the period has at least 100,000 first responses and closings. Only the newest are counted, so that older hours or days show too few.',
    }),
    answered,
    firstResponseP50: p50,
    firstResponseP90: p90,
    resolved,
    byMember: Type.Array(
      Type.Object({
        userId: withDescription(Id, '`userId` of the member. The member can have left the team since.'),
        answered,
        firstResponseP50: p50,
        resolved,
      }),
      { description: 'Results by member, most first responses first. At most 100.' },
    ),
    data: Type.Array(
      Type.Object({
        at: withDescription(Time, 'Start of the hour or day, in UTC.'),
        answered,
        firstResponseP50: p50,
        firstResponseP90: p90,
        resolved,
      }),
      { description: 'Every hour or day of the period, oldest first.' },
    ),
  },
  { $id: 'InboxStats', description: 'Waiting conversations now, and response times of a period.' },
)
export type InboxStats = Static<typeof InboxStats>

/** The query of GET /v1/inbox/stats. */
export const InboxStatsQuery = Type.Object({
  by: Type.Optional(StatsUnit),
  since: Type.Optional(
    dateTime(
      'Start of the period, rounded down to the hour or day. Defaults to 24 hours or 30 days before its end. At most 31 days before `until` by the hour, 400 by the day.',
    ),
  ),
  until: Type.Optional(dateTime('End of the period. The hour or day of this time is included. Defaults to now.')),
})
export type InboxStatsQuery = Static<typeof InboxStatsQuery>
