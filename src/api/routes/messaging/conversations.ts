import { Page, PageQuery } from '../../../core/schema.ts'
import {
  ChangeConversation,
  Conversation,
  ConversationQuery,
  changeConversation,
  decideOptOut,
  listConversationMessages,
  listConversations,
  markConversationRead,
  OpenConversation,
  OptOutDecision,
  openConversation,
  readConversation,
  resendMessage,
  WriteMessage,
  writeMessage,
} from '../../../messaging/conversations/index.ts'
import { Message } from '../../../messaging/messages/index.ts'
import { type Operation, operation } from '../../operation.ts'
import { exampleInbound, exampleOutbound } from './messages.ts'

const tag = 'Conversations'

export const conversationRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/conversations',
    id: 'openConversation',
    versioned: true,
    verb: openConversation,
    tag,
    summary: 'Open a conversation',
    description:
      'Opens a conversation with a customer over a channel before either side has written. Returns the existing conversation if there is one. Returns 422 with `details.reason` if the customer has no address on the channel (`no_address`) or the channel is disconnected (`channel_disconnected`).',
    body: OpenConversation,
    example: { channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01', customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02' },
    answers: {
      201: { description: 'The new conversation.', schema: Conversation, example: exampleUnassigned() },
      200: { description: 'The existing conversation.', schema: Conversation, example: example() },
    },
    errors: {
      unprocessable: 'the conversation cannot be opened. `details.reason` is `channel_disconnected` or `no_address`.',
    },
    args: ({ body }) => [body],
    answer: ({ conversation, opened }) => ({ status: opened ? 201 : 200, body: conversation }),
  }),
  operation({
    method: 'GET',
    path: '/v1/conversations',
    id: 'listConversations',
    verb: listConversations,
    tag,
    summary: 'List conversations',
    description:
      'Returns conversations, by default the most recently active first. A conversation must match all filters. If few of many conversations match, a page can be short or empty and still have a `nextCursor`.',
    query: ConversationQuery,
    answers: {
      200: {
        description: 'A page of conversations.',
        schema: Page(Conversation),
        example: { data: [example()], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/conversations/:id',
    id: 'readConversation',
    versioned: true,
    verb: readConversation,
    tag,
    summary: 'Read a conversation',
    answers: { 200: { description: 'The conversation.', schema: Conversation, example: example() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/conversations/:id',
    id: 'changeConversation',
    versioned: true,
    verb: changeConversation,
    tag,
    summary: 'Change a conversation',
    description:
      'Opens or closes the conversation, and assigns it to a member of the team. A message of the customer opens it again.',
    body: ChangeConversation,
    example: { status: 'closed', assigneeId: null },
    answers: {
      200: {
        description: 'The conversation after the change.',
        schema: Conversation,
        example: { ...example(), status: 'closed', assigneeId: null },
      },
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/conversations/:id/read',
    id: 'markConversationRead',
    verb: markConversationRead,
    tag,
    summary: 'Mark a conversation as read',
    description:
      'Sets the number of unread messages to zero. `looksLikeOptOut` does not change, because it requires a decision.',
    answers: { 204: { description: 'The conversation is marked as read.' } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/conversations/:id/opt-out-decision',
    id: 'decideOptOut',
    verb: decideOptOut,
    tag,
    summary: 'Decide on a possible opt-out',
    description:
      'Records whether the message that set `looksLikeOptOut` was an opt-out. `opted_out` opts the customer out like `POST /v1/customers/{id}/opt-out`. `ignored` does not change the customer and does not lift an opt-out. Both decisions set `looksLikeOptOut` to false until the customer writes another such message. Repeating a decision has no effect. If `looksLikeOptOut` is false, `ignored` has no effect, but `opted_out` still opts the customer out.',
    body: OptOutDecision,
    example: { decision: 'ignored' },
    answers: { 200: { description: 'The conversation after the decision.', schema: Conversation, example: example() } },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/conversations/:id/messages',
    id: 'listConversationMessages',
    verb: listConversationMessages,
    tag,
    summary: 'List the messages of a conversation',
    description: 'Returns inbound and outbound messages, newest first.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of messages.',
        schema: Page(Message),
        example: { data: [exampleInbound], nextCursor: null },
      },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'POST',
    path: '/v1/conversations/:id/messages',
    id: 'writeMessage',
    locationBase: '/v1/messages',
    verb: writeMessage,
    tag,
    summary: 'Send a message to the customer',
    description:
      'Queues a text, or a template with its variables, and sends it immediately. Returns 422 if the message cannot be sent, with the reason in `details.reason`:\n\n- `channel_disconnected`: the channel is disconnected.\n- `no_address`: the customer has no address on the channel.\n- `opted_out`: the customer has opted out. A template cannot be sent. A text is possible if the customer opened the conversation.\n- `no_opt_in`: a marketing template requires an opt-in.\n- `window_closed`: the time for free text is over.',
    body: WriteMessage,
    example: { text: 'It left our house this morning.', idempotencyKey: 'reply-1042' },
    acceptsKeyHeader: true,
    answers: {
      201: { description: 'The message, queued.', schema: Message, example: exampleQueued() },
      200: {
        description: 'The message of an earlier call with the same `idempotencyKey`.',
        schema: Message,
        example: exampleQueued(),
      },
    },
    errors: {
      unprocessable:
        'the message cannot be sent. `details.reason` is `channel_disconnected`, `no_address`, `opted_out`, `no_opt_in` or `window_closed`.',
    },
    args: ({ params, body }) => [params.id!, body],
    answer: ({ message, isNew }) => ({ status: isNew ? 201 : 200, body: message }),
  }),
  operation({
    method: 'POST',
    path: '/v1/messages/:id/resend',
    id: 'resendMessage',
    locationBase: '/v1/messages',
    verb: resendMessage,
    tag,
    summary: 'Send a message again',
    description:
      'Creates a new message with the same text as a message that is failed, unknown or skipped. The rules for new messages apply. If the first message is unknown, the customer can get both. A repeated call returns the new message, unless that message did not arrive either.',
    answers: {
      201: { description: 'The new message, queued.', schema: Message, example: exampleQueued() },
      200: { description: 'The new message of an earlier call.', schema: Message, example: exampleQueued() },
    },
    errors: {
      unprocessable:
        'the message is inbound, is not failed, unknown or skipped, or cannot be sent now. `details.reason` names the reason why it cannot be sent.',
    },
    args: ({ params }) => [params.id!],
    answer: ({ message, isNew }) => ({ status: isNew ? 201 : 200, body: message }),
  }),
]

function example(): Conversation {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e01',
    channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01',
    channelKind: 'sandbox',
    customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
    customerName: 'Ana',
    handle: '+4915112345678',
    status: 'open',
    assigneeId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01',
    unread: 1,
    waitingSince: '2026-03-01T09:31:00.040Z',
    windowClosesAt: null,
    looksLikeOptOut: false,
    lastMessage: exampleInbound,
    waitingMessage: {
      id: exampleInbound.id,
      type: exampleInbound.type,
      text: exampleInbound.text,
      createdAt: exampleInbound.createdAt,
    },
    createdAt: '2026-03-01T09:30:02.000Z',
    updatedAt: '2026-03-01T09:31:00.040Z',
  }
}

function exampleUnassigned(): Conversation {
  return { ...example(), assigneeId: null, unread: 0, waitingSince: null, lastMessage: null, waitingMessage: null }
}

function exampleQueued(): Message {
  return {
    ...exampleOutbound,
    text: 'It left our house this morning.',
    status: 'queued',
    providerMessageId: null,
    sentBy: { type: 'user', id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01' },
    sentAt: null,
  }
}
