import { type Static, Type } from '@sinclair/typebox'
import {
  errorMessage,
  Id,
  literals,
  Nullable,
  rangeQuery,
  Time,
  withDescription,
  withoutNul,
} from '../../core/schema.ts'
import { messageStatuses } from '../../core/statuses.ts'

const types = ['text', 'image', 'audio', 'video', 'document', 'location', 'other'] as const

const Status = literals(messageStatuses, {
  description:
    '`skipped`: not sent; `detail` contains the reason, for example that the customer had opted out. `unknown`: passed to the provider without receiving a response. The customer may or may not have received the message, so it is never sent again automatically. `received`: from the customer.',
})

export const Message = Type.Object(
  {
    id: withDescription(Id, 'ID of the message.'),
    conversationId: withDescription(Id, 'ID of the conversation of the message.'),
    channelId: withDescription(Id, 'ID of the channel of the message.'),
    customerId: withDescription(Id, 'ID of the customer who sent or receives the message.'),
    direction: withDescription(
      Type.Union([Type.Literal('outbound'), Type.Literal('inbound')]),
      '`inbound`: from the customer. `outbound`: to the customer.',
    ),
    type: literals(types, { description: 'Type of the message. Outbound messages are always `text`.' }),
    text: Nullable(
      Type.String({
        description: 'Text or caption. Null for a type without text, and after the customer is erased.',
      }),
    ),
    templateId: Nullable(
      Type.String({ format: 'uuid', description: 'ID of the template of the text. Null if no template was used.' }),
    ),
    status: Status,
    providerMessageId: withDescription(
      Nullable(Type.String()),
      'ID of the message at the provider. Null until the provider accepts the message.',
    ),
    detail: withDescription(
      Nullable(Type.String()),
      'Why the message failed or was skipped, in words. Null otherwise.',
    ),
    sentBy: Nullable(
      Type.Object(
        {
          type: literals(['user', 'workflow', 'campaign'] as const, { description: 'Type of the author.' }),
          id: withDescription(Id, 'ID of the user, workflow or campaign.'),
        },
        { description: 'Author in the workspace. Null for a message of the customer.' },
      ),
    ),
    sentAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'For a message of the customer: time given by the provider. For any other message: time when the provider accepted it.',
      }),
    ),
    createdAt: withDescription(Time, 'Time when the message was created or received.'),
    updatedAt: withDescription(Time, 'Time of the last change.'),
  },
  { $id: 'Message', description: 'A message to or from a customer.' },
)
export type Message = Static<typeof Message>

/** Maximum number of statuses shown for one message. Providers report only a few. */
export const maxStatuses = 100

export const MessageDetail = Type.Object(
  {
    ...Message.properties,
    statuses: Type.Array(
      Type.Object({
        status: Type.Unsafe<string>(withDescription(literals(messageStatuses), 'Status at that time.')),
        detail: withDescription(
          Nullable(Type.String()),
          'Why the message failed or was skipped, in words. Null otherwise.',
        ),
        at: withDescription(Time, 'Time when the status became known.'),
      }),
      {
        description: `Status changes in the order in which they became known. At most the first ${maxStatuses}.`,
      },
    ),
  },
  { $id: 'MessageDetail' },
)
export type MessageDetail = Static<typeof MessageDetail>

/** The query of GET /v1/messages. */
export const MessageQuery = Type.Object({
  ...rangeQuery().properties,
  customerId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Only messages to or from this customer.',
      ...errorMessage('Must be a UUID.'),
    }),
  ),
  runId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Only messages that this run created.',
      ...errorMessage('Must be a UUID.'),
    }),
  ),
  channelId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Only messages of this channel.',
      ...errorMessage('Must be a UUID.'),
    }),
  ),
  direction: Type.Optional(
    Type.Union([Type.Literal('outbound'), Type.Literal('inbound')], {
      description: 'Only messages to customers (`outbound`) or from customers (`inbound`).',
      ...errorMessage('Must be one of outbound, inbound.'),
    }),
  ),
  status: Type.Optional(
    literals(messageStatuses, {
      description: 'Only messages with this status.',
      ...errorMessage(`Must be one of ${messageStatuses.join(', ')}.`),
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: withoutNul,
      description:
        'Only messages whose text contains all words of this text, in any order. Case is ignored, and accents count. A page ends when 20,000 messages were read, so it can be short or empty. `nextCursor` continues the search. `since` and `until` limit it to a period.',
      ...errorMessage('Must be a text of at most 200 characters.'),
    }),
  ),
})
export type MessageQuery = Static<typeof MessageQuery>
