import { type Static, Type } from '@sinclair/typebox'
import { described, Time } from '../schema.ts'

/** Alert kinds, most severe first. Lists are sorted in this order. */
export const attentionKinds = [
  'endpoint_failing',
  'deliveries_waiting',
  'allowance_nearly_full',
  'channel_failing',
  'events_rejected',
  'customers_waiting',
  'runs_failing',
  'event_type_unhandled',
] as const

export const Attention = Type.Object(
  {
    kind: Type.Union(
      attentionKinds.map(kind => Type.Literal(kind)),
      {
        description:
          'An endpoint fails, or was put on hold because it did for days; deliveries wait for one that is held or slow; most events of the month are used; the provider of a channel refuses us; events were rejected in the last 24 hours; customers have had no answer; runs of a workflow failed in the last 24 hours; no workflow listens for a type of event that was recorded in the last 24 hours.',
      },
    ),
    since: described(Time, 'Since when; of an allowance, since when it is counted.'),
    title: Type.String({ description: 'What it is, in one sentence for a person.' }),
    detail: Type.String({ description: 'How bad it is and what follows, in a sentence or two.' }),
    subject: Type.Object(
      {
        type: Type.Union(
          (['webhook', 'allowance', 'channel', 'not_accepted', 'conversation', 'workflow', 'event_type'] as const).map(
            type => Type.Literal(type),
          ),
          { description: 'What kind of record it is about.' },
        ),
        id: Type.String({
          description:
            'Of the record; of customers who wait, the conversation of whoever has waited longest; of an allowance its name, `monthlyEvents`; of rejected events, the newest entry with the most frequent message; of an event type, the type.',
        }),
      },
      { description: 'Where to look.' },
    ),
  },
  { $id: 'Attention', description: 'Something that needs somebody.' },
)
export type Attention = Static<typeof Attention>
