import { type Static, Type } from '@sinclair/typebox'
import { DidYouMean, Event, TypeFilter } from '../events/index.ts'
import { Id, message, Nullable, PageQuery, Phone } from '../schema.ts'

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
        id: Id,
        name: Nullable(Type.String()),
        phone: Nullable(Phone),
        externalId: Nullable(Type.String()),
      },
      { description: 'As the customer is today; all null once erased.' },
    ),
    automations: Type.Array(Type.Object({ workflowId: Id, name: Type.String(), runId: Id }), {
      description: 'Those that the event started.',
    }),
    reason: Type.Union([Reason, Type.Null()], {
      description: 'Why none was started, as of the moment the event was recorded; null when one was.',
    }),
    explanation: Nullable(Type.String({ description: 'The reason as a sentence for a person.' })),
    didYouMean: Nullable(DidYouMean),
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
