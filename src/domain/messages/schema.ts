import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable, Time } from '../schema.ts'

const literals = <T extends string>(values: readonly T[], options = {}) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    options,
  )

const statuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'received'] as const
const types = ['text', 'image', 'audio', 'video', 'document', 'location', 'other'] as const

const Status = literals(statuses, {
  description:
    '`skipped`: not sent, `detail` says why (the customer had opted out). `unknown`: handed to the provider, and no answer came: the customer may have got it or not, so it is never sent again by itself. `received`: from the customer.',
})

export const Message = Type.Object(
  {
    id: Id,
    conversationId: Id,
    channelId: Id,
    customerId: Id,
    direction: Type.Union([Type.Literal('outbound'), Type.Literal('inbound')]),
    type: literals(types, { description: 'What an outbound message is, is always `text`.' }),
    text: Nullable(
      Type.String({
        description: 'Null for a type without one, and once the customer was erased; a caption is a text.',
      }),
    ),
    templateId: Nullable(Type.String({ format: 'uuid', description: 'The template that the text is of, filled in.' })),
    status: Status,
    providerMessageId: Nullable(Type.String()),
    detail: Nullable(Type.String()),
    sentBy: Nullable(
      Type.Object(
        { type: literals(['user', 'workflow', 'campaign'] as const), id: Id },
        { description: 'Who of the workspace wrote it; null for a message of the customer.' },
      ),
    ),
    sentAt: Nullable(
      Type.String({
        format: 'date-time',
        description: "Of a message of the customer the provider's time; of any other, when the provider took it.",
      }),
    ),
    createdAt: Time,
    updatedAt: Time,
  },
  { $id: 'Message' },
)
export type Message = Static<typeof Message>

/** The statuses shown of one message; a provider tells a handful. */
export const maxStatuses = 100

export const MessageDetail = Type.Object(
  {
    ...Message.properties,
    statuses: Type.Array(Type.Object({ status: Type.String(), detail: Nullable(Type.String()), at: Time }), {
      description: `What became of it, in the order in which it became known: the first ${maxStatuses}.`,
    }),
  },
  { $id: 'MessageDetail' },
)
export type MessageDetail = Static<typeof MessageDetail>
