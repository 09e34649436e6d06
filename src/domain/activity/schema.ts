import { type Static, Type } from '@sinclair/typebox'
import { DidYouMean, Event, SenderFilter, TypeFilter } from '../events/index.ts'
import { described, Id, message, Nullable, PageQuery, Phone, Time } from '../schema.ts'

const reasons = ['no_listener', 'switched_off', 'never_published', 'not_run_for_customer'] as const

const Reason = Type.Union(
  reasons.map(reason => Type.Literal(reason)),
  {
    description:
      'Why nothing ran: nothing listens for the type; an automation listens but is switched off; one is switched on but never published; one was ready but did not run for this customer.',
    ...message(`Must be one of ${reasons.join(', ')}.`),
  },
)

/** An event and its effects, as shown in the dashboard. */
export const ActivityEvent = Type.Object(
  {
    ...Event.properties,
    customer: Type.Object(
      {
        id: described(Id, 'The customer.'),
        name: described(Nullable(Type.String()), 'What the customer is called; null where that is not known.'),
        phone: described(Nullable(Phone), 'E.164; null where it is not known.'),
        externalId: described(Nullable(Type.String()), 'The id the customer has in your own system, where it has one.'),
      },
      { description: 'As the customer is today; all null once erased.' },
    ),
    automations: Type.Array(
      Type.Object({
        workflowId: described(Id, 'The workflow that it started.'),
        name: described(Type.String(), 'What the workflow is called.'),
        runId: described(Id, 'The run that was started.'),
      }),
      {
        description: 'Those that the event started.',
      },
    ),
    reason: Type.Union([Reason, Type.Null()], {
      description: 'Why none was started, as of the moment the event was recorded; null when one was.',
    }),
    explanation: Nullable(Type.String({ description: 'The reason as a sentence for a person.' })),
    didYouMean: described(
      Nullable(DidYouMean),
      'Where nothing listens: the nearest type that something does listen to, if one is near.',
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
      description: 'Only events that started an automation, or only those of which none ran.',
      ...message('Must be true or false.'),
    }),
  ),
  sender: Type.Optional(SenderFilter),
  customerId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only events about this customer.', ...message('Must be a UUID.') }),
  ),
})
export type ActivityQuery = Static<typeof ActivityQuery>

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Totals of one hour or one day. */
export const ActivitySummary = Type.Object(
  {
    at: described(Time, 'The first moment of the hour, or of the day, UTC.'),
    events: count('Events that were recorded.'),
    refused: count(
      'What Not accepted keeps: for the most part calls that would have recorded events and were refused.',
    ),
    runsStarted: count('Runs of workflows that were started.'),
    messages: Type.Object(
      {
        queued: count('To be sent.'),
        sent: count('Taken by their provider.'),
        delivered: count('Delivered, as their provider told.'),
        read: count('Read, as their provider told.'),
        failed: count('Refused by their provider, or not delivered.'),
        skipped: count('Not sent, for a reason.'),
        unknown: count('Handed to their provider, of which no answer came.'),
        received: count('Written by customers.'),
      },
      { description: 'How many messages came to each status: one that was sent and delivered is counted in both.' },
    ),
    deliveries: Type.Object(
      {
        delivered: count('Deliveries that an endpoint answered with 2xx.'),
        failed: count('Deliveries of which no further attempt is made by itself.'),
        attempts: count('Requests that were made of endpoints.'),
      },
      { description: 'What became of deliveries to webhook endpoints.' },
    ),
  },
  { $id: 'ActivitySummary', description: 'How much of what there was in an hour or a day.' },
)
export type ActivitySummary = Static<typeof ActivitySummary>

const moment = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', description, ...message('Must be a time such as 2026-03-01T09:30:02Z.') }),
  )

/** The query of GET /v1/activity/summary. */
export const SummaryQuery = Type.Object({
  from: moment(
    'Beginning with the hour, or the day, of this time; without it 24 hours, or 30 days, that end with `to`. At most 31 days before `to` by the hour, 400 by the day.',
  ),
  to: moment('Ending with the hour, or the day, of this time; without it now.'),
  by: Type.Optional(
    Type.Union([Type.Literal('hour'), Type.Literal('day')], {
      default: 'hour',
      description: 'Hours, or days of UTC.',
      ...message('Must be one of hour, day.'),
    }),
  ),
})
export type SummaryQuery = Static<typeof SummaryQuery>
