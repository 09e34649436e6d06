import { type Static, Type } from '@sinclair/typebox'
import { errorCodes } from '../errors.ts'
import { described, Id, literals, Nullable, Time } from '../schema.ts'

export const NotAccepted = Type.Object(
  {
    id: described(Id, 'The entry.'),
    firstAt: described(Time, 'When the first of these refusals was.'),
    lastAt: described(Time, 'When the newest of them was.'),
    count: Type.Integer({ minimum: 1, description: 'How often this was refused from `firstAt` to `lastAt`.' }),
    sender: Type.String({ description: 'The store plugin recognised by its User-Agent, else `custom`.' }),
    method: described(Type.String(), 'Of the call, such as `POST`.'),
    path: described(Type.String(), 'Of the call.'),
    status: Type.Integer({ description: 'Of the answer, as are `code`, `message` and `details`.' }),
    code: Type.Unsafe<string>(described(literals(errorCodes), 'What programs go by, as in any error.')),
    message: Type.String({ description: 'Exactly what the sender was told; of a warning, what is wrong.' }),
    details: described(
      Nullable(Type.Record(Type.String(), Type.String())),
      'The path of each offending field and the reason; null where there were none.',
    ),
    requestId: Type.String({ description: '`request_id` of the newest of them.' }),
    severity: Type.Union([Type.Literal('error'), Type.Literal('warning')], {
      description:
        '`error`: the event was refused. `warning`: the call succeeded, but its idempotency key had been used for a different event, so that nothing was recorded.',
    }),
    eventId: described(Nullable(Id), 'Of a warning: the event that the key of the newest of them names; else null.'),
  },
  {
    $id: 'NotAccepted',
    description:
      'A problem because of which events were refused: the same one within ten minutes of its first is counted.',
  },
)
export type NotAccepted = Static<typeof NotAccepted>
