import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable, Time } from '../schema.ts'

export const NotAccepted = Type.Object(
  {
    id: Id,
    firstAt: Time,
    lastAt: Time,
    count: Type.Integer({ minimum: 1, description: 'How often this was refused from `firstAt` to `lastAt`.' }),
    sender: Type.String({ description: 'The store plugin recognised by its User-Agent, else `custom`.' }),
    method: Type.String(),
    path: Type.String(),
    status: Type.Integer({ description: 'Of the answer, as are `code`, `message` and `details`.' }),
    code: Type.String(),
    message: Type.String({ description: 'Exactly what the sender was told.' }),
    details: Nullable(Type.Record(Type.String(), Type.String())),
    requestId: Type.String({ description: '`request_id` of the newest of them.' }),
  },
  {
    $id: 'NotAccepted',
    description:
      'A problem because of which events were refused: the same one within ten minutes of its first is counted.',
  },
)
export type NotAccepted = Static<typeof NotAccepted>
