import { Type } from '@sinclair/typebox'
import { listMessages, Message } from '../../domain/messages/index.ts'
import { message, Page, PageQuery } from '../../domain/schema.ts'
import { type Operation, operation } from '../operation.ts'

const MessageQuery = Type.Composite([
  PageQuery,
  Type.Object({ customerId: Type.Optional(Type.String({ format: 'uuid', ...message('Must be a UUID.') })) }),
])

export const messageRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/messages',
    id: 'listMessages',
    verb: listMessages,
    tag: 'Messages',
    summary: 'List messages',
    description: 'Newest first, of the whole workspace or of one customer.',
    query: MessageQuery,
    answers: {
      200: {
        description: 'A page of messages.',
        schema: Page(Message),
        example: { data: [example], nextCursor: null },
      },
    },
    given: ({ query }) => [query],
  }),
]

const example: Message = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
  conversationId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e01',
  channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01',
  customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
  direction: 'outbound',
  text: 'Thank you, Ana! Your order is on its way.',
  status: 'delivered',
  providerMessageId: 'sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
  detail: null,
  createdAt: '2026-03-01T09:30:02.000Z',
  updatedAt: '2026-03-01T09:30:02.040Z',
}
