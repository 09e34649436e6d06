import { type Static, Type } from '@sinclair/typebox'
import {
  dateTime,
  errorMessage,
  Id,
  literals,
  Nullable,
  Phone,
  rangeQuery,
  StringMap,
  Time,
  withDescription,
} from '../../core/schema.ts'
import { DidYouMean, Event, SenderFilter, TypeFilter } from '../../events/index.ts'
import { countersOf, StatsUnit } from '../../webhooks/statistics/index.ts'

/** Maximum number of groups in a summary. The others are added up. */
export const maxGroups = 20

const reasons = ['no_listener', 'switched_off', 'never_published', 'not_run_for_customer'] as const

const Reason = Type.Union(
  reasons.map(reason => Type.Literal(reason)),
  {
    description:
      'Why no automation ran. `no_listener`: no automation has this type as its trigger. `switched_off`: the automation for the type is switched off. `never_published`: the automation is switched on but was never published. `not_run_for_customer`: an automation was ready but did not run for this customer.',
    ...errorMessage(`Must be one of ${reasons.join(', ')}.`),
  },
)

/** An event and its effects, as shown in the dashboard. */
export const ActivityEvent = Type.Object(
  {
    ...Event.properties,
    customer: Type.Object(
      {
        id: withDescription(Id, 'ID of the customer.'),
        name: withDescription(Nullable(Type.String()), 'Name of the customer. Null if unknown.'),
        phone: withDescription(Nullable(Phone), 'Phone number in E.164 format. Null if unknown.'),
        externalId: withDescription(
          Nullable(Type.String()),
          'ID of the customer in your own system. Null if the customer has none.',
        ),
      },
      { description: 'Current data of the customer. All fields are null after the customer is erased.' },
    ),
    automations: Type.Array(
      Type.Object({
        workflowId: withDescription(Id, 'ID of the workflow that the event started.'),
        name: withDescription(Type.String(), 'Name of the workflow.'),
        runId: withDescription(Id, 'ID of the started run.'),
      }),
      {
        description: 'Automations that the event started.',
      },
    ),
    reason: Type.Union([Reason, Type.Null()], {
      description: 'Why no automation was started, at the time the event was recorded. Null if one was started.',
    }),
    explanation: Nullable(
      Type.String({ description: 'The reason as a sentence for people. Null if an automation was started.' }),
    ),
    didYouMean: withDescription(
      Nullable(DidYouMean),
      'If no workflow has the type as its trigger: the most similar type that one has. Null if no type is similar.',
    ),
  },
  { $id: 'ActivityEvent' },
)
export type ActivityEvent = Static<typeof ActivityEvent>

/** The query of GET /v1/activity/events. */
export const ActivityQuery = Type.Object({
  ...rangeQuery().properties,
  type: Type.Optional(TypeFilter),
  reason: Type.Optional(Reason),
  started: Type.Optional(
    Type.Boolean({
      description: 'true: only events that started an automation. false: only events that started none.',
      ...errorMessage('Must be true or false.'),
    }),
  ),
  sender: Type.Optional(SenderFilter),
  customerId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Only events about this customer.',
      ...errorMessage('Must be a UUID.'),
    }),
  ),
})
export type ActivityQuery = Static<typeof ActivityQuery>

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Totals of one hour or one day. */
export const ActivitySummary = Type.Object(
  {
    at: withDescription(Time, 'Start of the hour or day, in UTC.'),
    events: count('Number of recorded events.'),
    unhandled: count(
      'Number of recorded events that no enabled and published workflow had as its trigger, and that no run waited for.',
    ),
    refused: count(
      'Number of entries under "Rejected events". Most of them are rejected calls that would have recorded events.',
    ),
    runsStarted: count('Number of workflow runs started.'),
    messages: Type.Object(
      {
        queued: count('Messages that were queued.'),
        sent: count('Messages that the provider accepted.'),
        delivered: count('Messages that the provider reported as delivered.'),
        read: count('Messages that the provider reported as read.'),
        failed: count('Messages that the provider rejected or could not deliver.'),
        skipped: count('Messages that were not sent, with a reason.'),
        unknown: count('Messages that were passed to the provider without receiving a response.'),
        received: count('Messages that customers sent.'),
      },
      {
        description:
          'Number of messages that reached each status. A message that was sent and delivered is counted in both.',
      },
    ),
    deliveries: Type.Object(
      {
        delivered: count('Deliveries that the endpoint answered with 2xx.'),
        failed: count('Deliveries that failed and are not retried automatically.'),
        attempts: count('Requests made to endpoints.'),
      },
      { description: 'Results of deliveries to webhook endpoints.' },
    ),
  },
  { $id: 'ActivitySummary', description: 'Totals of one hour or one day.' },
)
export type ActivitySummary = Static<typeof ActivitySummary>

/** Kinds of groups, by the value of `group`. */
const groupKinds = ['type', 'channel', 'webhook', 'problem'] as const

/** Counts of one event type, channel, endpoint or problem. */
export const ActivityGroup = Type.Object(
  {
    id: Nullable(
      Type.String({
        description:
          'Event type, ID of the channel or endpoint, or `problemId` of rejected events. Null for all groups that are not listed.',
      }),
    ),
    name: Nullable(
      Type.String({
        description:
          'Event type, name of the channel, name or URL of the endpoint, or error message. Null if it no longer exists, and for all groups that are not listed.',
      }),
    ),
    counts: StringMap(Type.Array(Type.Integer({ minimum: 0 })), {
      description: `Numbers by counter. Each array has one number per entry of \`data\`. ${groupKinds.map(kind => `${kind}: ${countersOf[kind].map(name => `\`${name}\``).join(', ')}`).join('; ')}.`,
    }),
    reasons: Type.Optional(
      Type.Array(
        Type.Object({
          reason: Type.String({ description: 'Our reason or the error code of the provider. `other` without one.' }),
          count: count('Number of messages in the range.'),
        }),
        { description: 'Only for channels: the ten most frequent reasons of failed and skipped messages.' },
      ),
    ),
  },
  { $id: 'ActivityGroup', description: 'Counts of one event type, channel, endpoint or problem.' },
)
export type ActivityGroup = Static<typeof ActivityGroup>

/** Totals, and the groups that the query asks for. */
export const ActivitySummaryList = Type.Object(
  {
    data: Type.Array(ActivitySummary, { description: 'All hours or days of the range, oldest first.' }),
    groups: Type.Optional(
      Type.Array(ActivityGroup, {
        description: `Only with \`group\`: the ${maxGroups} groups with the most records, then one for all others if there are any.`,
      }),
    ),
  },
  { $id: 'ActivitySummaryList' },
)
export type ActivitySummaryList = Static<typeof ActivitySummaryList>

/** The query of GET /v1/activity/summary. */
export const SummaryQuery = Type.Object({
  from: Type.Optional(
    dateTime(
      'Start of the range, rounded down to the hour or day. Defaults to 24 hours or 30 days before the end of the range. At most 31 days before `to` by the hour, 400 by the day.',
    ),
  ),
  to: Type.Optional(dateTime('End of the range. The hour or day of this time is included. Defaults to now.')),
  by: Type.Optional(StatsUnit),
  group: Type.Optional(
    literals(groupKinds, {
      description:
        'Also returns `groups`: accepted events by type and outcome, messages by channel and status, attempts by endpoint, or rejected requests by problem.',
      ...errorMessage(`Must be one of ${groupKinds.join(', ')}.`),
    }),
  ),
})
export type SummaryQuery = Static<typeof SummaryQuery>
