import { type Static, Type } from '@sinclair/typebox'
import { Id, Nullable, Time } from '../schema.ts'

const statuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'received'] as const

export const Message = Type.Object(
  {
    id: Id,
    conversationId: Id,
    channelId: Id,
    customerId: Id,
    direction: Type.Union([Type.Literal('outbound'), Type.Literal('inbound')]),
    text: Nullable(Type.String()),
    status: Type.Union(
      statuses.map(status => Type.Literal(status)),
      {
        description:
          '`skipped`: not sent, `detail` says why (the customer had opted out). `unknown`: handed to the provider, and no answer came: the customer may have got it or not, so it is never sent again by itself.',
      },
    ),
    providerMessageId: Nullable(Type.String()),
    detail: Nullable(Type.String()),
    createdAt: Time,
    updatedAt: Time,
  },
  { $id: 'Message' },
)
export type Message = Static<typeof Message>
