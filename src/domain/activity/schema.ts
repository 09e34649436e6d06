import { type Static, Type } from '@sinclair/typebox'
import { DidYouMean, Event, TypeFilter } from '../events/index.ts'
import { described, Id, message, Nullable, PageQuery, Phone } from '../schema.ts'

const reasons = ['no_listener', 'switched_off', 'never_published', 'not_run_for_customer'] as const

const Reason = Type.Union(
  reasons.map(reason => Type.Literal(reason)),
  {
    description:
      'Why nothing ran: nothing listens for the type; an automation listens but is switched off; one is switched on but never published; one was ready but did not run for this customer.',
    ...message(`Must be one of ${reasons.join(', ')}.`),
  },
)

/** An event with what it did, as a person reads it. */
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
})
export type ActivityQuery = Static<typeof ActivityQuery>
