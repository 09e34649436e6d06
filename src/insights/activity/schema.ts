import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Id, Nullable, PageQuery, Phone, Time, withDescription } from '../../core/schema.ts'
import { DidYouMean, Event, SenderFilter, TypeFilter } from '../../events/index.ts'

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
  ...PageQuery.properties,
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

const moment = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', description, ...errorMessage('Must be a time such as 2026-03-01T09:30:02Z.') }),
  )

/** The query of GET /v1/activity/summary. */
export const SummaryQuery = Type.Object({
  from: moment(
    'Start of the range, rounded down to the hour or day. Defaults to 24 hours or 30 days before the end of the range. At most 31 days before `to` by the hour, 400 by the day.',
  ),
  to: moment('End of the range. The hour or day of this time is included. Defaults to now.'),
  by: Type.Optional(
    Type.Union([Type.Literal('hour'), Type.Literal('day')], {
      default: 'hour',
      description: 'Length of each entry: an hour, or a day in UTC.',
      ...errorMessage('Must be one of hour, day.'),
    }),
  ),
})
export type SummaryQuery = Static<typeof SummaryQuery>
