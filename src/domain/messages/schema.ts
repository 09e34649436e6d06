import { type Static, Type } from '@sinclair/typebox'
import { described, Id, literals, message, Nullable, PageQuery, Time } from '../schema.ts'

/** Statuses of a message. */
export const messageStatuses = [
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'unknown',
  'received',
] as const
const types = ['text', 'image', 'audio', 'video', 'document', 'location', 'other'] as const

const Status = literals(messageStatuses, {
  description:
    '`skipped`: not sent, `detail` says why (the customer had opted out). `unknown`: handed to the provider, and no answer came: the customer may have got it or not, so it is never sent again by itself. `received`: from the customer.',
})

export const Message = Type.Object(
  {
    id: described(Id, 'The message.'),
    conversationId: described(Id, 'The conversation it stands in.'),
    channelId: described(Id, 'The channel it goes over.'),
    customerId: described(Id, 'From whom, or to whom, it is.'),
    direction: described(
      Type.Union([Type.Literal('outbound'), Type.Literal('inbound')]),
      '`inbound` from the customer, `outbound` to them.',
    ),
    type: literals(types, { description: 'What an outbound message is, is always `text`.' }),
    text: Nullable(
      Type.String({
        description: 'Null for a type without one, and once the customer was erased; a caption is a text.',
      }),
    ),
    templateId: Nullable(Type.String({ format: 'uuid', description: 'The template that the text is of, filled in.' })),
    status: Status,
    providerMessageId: described(Nullable(Type.String()), 'What the provider calls it; null until it has taken it.'),
    detail: described(Nullable(Type.String()), 'Why it failed or was skipped, in words; null where it was not.'),
    sentBy: Nullable(
      Type.Object(
        {
          type: literals(['user', 'workflow', 'campaign'] as const, { description: 'What wrote it.' }),
          id: described(Id, 'Of the user, the workflow or the campaign.'),
        },
        { description: 'Who of the workspace wrote it; null for a message of the customer.' },
      ),
    ),
    sentAt: Nullable(
      Type.String({
        format: 'date-time',
        description: "Of a message of the customer the provider's time; of any other, when the provider took it.",
      }),
    ),
    createdAt: described(Time, 'When it was written or came in.'),
    updatedAt: described(Time, 'When it was last changed.'),
  },
  { $id: 'Message', description: 'What was written to a customer or by them.' },
)
export type Message = Static<typeof Message>

/** Maximum number of statuses shown for one message. Providers report only a few. */
export const maxStatuses = 100

export const MessageDetail = Type.Object(
  {
    ...Message.properties,
    statuses: Type.Array(
      Type.Object({
        status: Type.Unsafe<string>(described(literals(messageStatuses), 'What became of it then.')),
        detail: described(Nullable(Type.String()), 'Why, in words, where it failed or was skipped.'),
        at: described(Time, 'When it became known.'),
      }),
      {
        description: `What became of it, in the order in which it became known: the first ${maxStatuses}.`,
      },
    ),
  },
  { $id: 'MessageDetail' },
)
export type MessageDetail = Static<typeof MessageDetail>

/** The query of GET /v1/messages. */
export const MessageQuery = Type.Object({
  ...PageQuery.properties,
  customerId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only those from or to this customer.', ...message('Must be a UUID.') }),
  ),
  runId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only those that this run wrote.', ...message('Must be a UUID.') }),
  ),
})
export type MessageQuery = Static<typeof MessageQuery>
