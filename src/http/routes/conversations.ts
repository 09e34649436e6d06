import {
  ChangeConversation,
  Conversation,
  ConversationQuery,
  changeConversation,
  decideOptOut,
  listConversationMessages,
  listConversations,
  OpenConversation,
  OptOutDecision,
  openConversation,
  readConversation,
  readUpTo,
  resendMessage,
  WriteMessage,
  writeMessage,
} from '../../domain/conversations/index.ts'
import { Message } from '../../domain/messages/index.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import { type Operation, operation } from '../operation.ts'
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
      'With a customer over a channel, before either has written. Where there is one already, that is answered. A customer who has no address on the channel, or a channel that is disconnected, is 422 with the reason (`no_address`, `channel_disconnected`) in `details.reason`.',
    body: OpenConversation,
    example: { channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01', customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02' },
    answers: {
      201: { description: 'The new conversation.', schema: Conversation, example: unused() },
      200: { description: 'The conversation there was.', schema: Conversation, example: example() },
    },
    errors: {
      unprocessable: 'it cannot be opened; `details.reason` is `channel_disconnected` or `no_address`.',
    },
    given: ({ body }) => [body],
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
      'Those that were active last in front; what is asked for must all hold. Where few of very many are what is asked for, a page may be short or empty, and `nextCursor` goes on.',
    query: ConversationQuery,
    answers: {
      200: {
        description: 'A page of conversations.',
        schema: Page(Conversation),
        example: { data: [example()], nextCursor: null },
      },
    },
    given: ({ query }) => [query],
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
    given: ({ params }) => [params.id!],
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
      'Opens or closes it, and says who of the team looks after it. A message of the customer opens it again.',
    body: ChangeConversation,
    example: { status: 'closed', assigneeId: null },
    answers: {
      200: {
        description: 'The conversation as it is now.',
        schema: Conversation,
        example: { ...example(), status: 'closed', assigneeId: null },
      },
    },
    given: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/conversations/:id/read',
    id: 'markConversationRead',
    verb: readUpTo,
    tag,
    summary: 'Mark a conversation as read',
    description: 'Nothing in it is unread any more. `looksLikeOptOut` stays as it is: it waits for a decision.',
    answers: { 204: { description: 'It is read.' } },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/conversations/:id/opt-out-decision',
    id: 'decideOptOut',
    verb: decideOptOut,
    tag,
    summary: 'Decide on a possible opt-out',
    description:
      'Says whether the message that set `looksLikeOptOut` was an opt-out. `opted_out` opts the customer out as `POST /v1/customers/{id}/opt-out` does; `ignored` leaves them as they are. Either way `looksLikeOptOut` is false until the customer writes another such message. Repeating a decision changes nothing. Without a mark, `ignored` changes nothing and `opted_out` opts the customer out all the same. An opt-out stands: `ignored` does not lift it.',
    body: OptOutDecision,
    example: { decision: 'ignored' },
    answers: { 200: { description: 'The conversation after the decision.', schema: Conversation, example: example() } },
    given: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/conversations/:id/messages',
    id: 'listConversationMessages',
    verb: listConversationMessages,
    tag,
    summary: 'List the messages of a conversation',
    description: 'In both directions, newest first.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of messages.',
        schema: Page(Message),
        example: { data: [exampleInbound], nextCursor: null },
      },
    },
    given: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'POST',
    path: '/v1/conversations/:id/messages',
    id: 'writeMessage',
    createsAt: '/v1/messages',
    verb: writeMessage,
    tag,
    summary: 'Write to the customer',
    description:
      'A text, or a template with its variables. It is queued, and sent at once. What cannot be sent is 422 with the reason in `details.reason`: `channel_disconnected`, `no_address`, `opted_out` (a template to somebody who has opted out; a text is possible where the customer opened the conversation), `no_opt_in` (a marketing template), `window_closed`.',
    body: WriteMessage,
    example: { text: 'It left our house this morning.', idempotencyKey: 'reply-1042' },
    takesKeyHeader: true,
    answers: {
      201: { description: 'The message, queued.', schema: Message, example: queued() },
      200: {
        description: 'The message that was written with the same `idempotencyKey` before.',
        schema: Message,
        example: queued(),
      },
    },
    errors: {
      unprocessable:
        'it may not be written; `details.reason` is `channel_disconnected`, `no_address`, `opted_out`, `no_opt_in` or `window_closed`.',
    },
    given: ({ params, body }) => [params.id!, body],
    answer: ({ message, isNew }) => ({ status: isNew ? 201 : 200, body: message }),
  }),
  operation({
    method: 'POST',
    path: '/v1/messages/:id/resend',
    id: 'resendMessage',
    createsAt: '/v1/messages',
    verb: resendMessage,
    tag,
    summary: 'Send a message again',
    description:
      'Of a message that is failed, unknown or skipped a new one is made with the same text, judged as one that is written now. Of one that is unknown the customer may get both. Asked for again, the new message is answered, unless it did not arrive either.',
    answers: {
      201: { description: 'The new message, queued.', schema: Message, example: queued() },
      200: { description: 'The message that was made of it before.', schema: Message, example: queued() },
    },
    errors: {
      unprocessable:
        'only a message of ours that is failed, unknown or skipped is sent again, and only where it could be written now; `details.reason` says why it could not.',
    },
    given: ({ params }) => [params.id!],
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
    createdAt: '2026-03-01T09:30:02.000Z',
    updatedAt: '2026-03-01T09:31:00.040Z',
  }
}

function unused(): Conversation {
  return { ...example(), assigneeId: null, unread: 0, waitingSince: null, lastMessage: null }
}

function queued(): Message {
  return {
    ...exampleOutbound,
    text: 'It left our house this morning.',
    status: 'queued',
    providerMessageId: null,
    sentBy: { type: 'user', id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01' },
    sentAt: null,
  }
}
