import { type Static, Type } from '@sinclair/typebox'
import { described, Id, message, Nullable, Time } from '../schema.ts'

const moment = (description: string) =>
  Type.String({ format: 'date-time', description, ...message('Must be a time such as 2026-03-01T09:30:02Z.') })

/** The body of POST /v1/webhooks/{id}/recoveries. */
export const StartRecovery = Type.Object(
  {
    since: moment('Only deliveries of events of this time or later.'),
    until: Type.Optional(moment('And of none later than this; of none later than now where it is left out.')),
    preview: Type.Optional(
      Type.Boolean({
        description: 'true tells how many there are, and starts nothing.',
        ...message('Must be true or false.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'StartRecovery' },
)
export type StartRecovery = Static<typeof StartRecovery>

export const RecoveryPreview = Type.Object(
  {
    deliveries: Type.Integer({
      description: 'Deliveries of that time that have failed or wait for another attempt.',
    }),
  },
  { $id: 'RecoveryPreview' },
)
export type RecoveryPreview = Static<typeof RecoveryPreview>

export const Recovery = Type.Object(
  {
    id: described(Id, 'The recovery.'),
    webhookId: described(Id, 'The endpoint whose deliveries are attempted once more.'),
    since: described(Time, 'Deliveries of events of this time or later are.'),
    until: described(Time, 'And of none later than this.'),
    status: described(
      Type.Union([Type.Literal('running'), Type.Literal('completed'), Type.Literal('cancelled')]),
      '`running` until every one was attempted; `cancelled`: somebody took it back before.',
    ),
    total: Type.Integer({ description: 'Deliveries of that time that had failed or waited when it was started.' }),
    done: Type.Integer({ description: 'Of them, those that were attempted once more, whatever that came to.' }),
    createdAt: described(Time, 'When it was asked for.'),
    finishedAt: described(Nullable(Time), 'When it was completed or cancelled; null until then.'),
  },
  { $id: 'Recovery' },
)
export type Recovery = Static<typeof Recovery>
