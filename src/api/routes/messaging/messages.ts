import { Page } from '../../../core/schema.ts'
import { listMessages, Message, MessageDetail, MessageQuery, readMessage } from '../../../messaging/messages/index.ts'
import { type Operation, operation } from '../../operation.ts'

export const messageRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/messages',
    id: 'listMessages',
    verb: listMessages,
    tag: 'Messages',
    summary: 'List messages',
    description:
      'Returns messages of the workspace, newest first. You can filter by customer, run, channel, direction and status.',
    query: MessageQuery,
    answers: {
      200: {
        description: 'A page of messages.',
        schema: Page(Message),
        example: { data: [exampleOutbound], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/messages/:id',
    id: 'readMessage',
    verb: readMessage,
    tag: 'Messages',
    summary: 'Read a message',
    description: 'Returns the message with its status history, in the order in which the service received it.',
    answers: {
      200: {
        description: 'The message.',
        schema: MessageDetail,
        example: {
          ...exampleOutbound,
          statuses: [
            { status: 'sent', detail: null, at: '2026-03-01T09:30:02.030Z' },
            { status: 'delivered', detail: null, at: '2026-03-01T09:30:02.040Z' },
          ],
        },
      },
    },
    args: ({ params }) => [params.id!],
  }),
]

export const exampleOutbound: Message = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
  conversationId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e01',
  channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01',
  customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
  direction: 'outbound',
  type: 'text',
  text: 'Thank you, Ana! Your order is on its way.',
  templateId: null,
  status: 'delivered',
  providerMessageId: 'sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06',
  detail: null,
  sentBy: { type: 'workflow', id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7f01' },
  sentAt: '2026-03-01T09:30:02.030Z',
  createdAt: '2026-03-01T09:30:02.000Z',
  updatedAt: '2026-03-01T09:30:02.040Z',
}

export const exampleInbound: Message = {
  ...exampleOutbound,
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e07',
  direction: 'inbound',
  text: 'Where is my order?',
  status: 'received',
  providerMessageId: 'sandbox-in-1',
  sentBy: null,
  sentAt: '2026-03-01T09:31:00.000Z',
  createdAt: '2026-03-01T09:31:00.040Z',
  updatedAt: '2026-03-01T09:31:00.040Z',
}
