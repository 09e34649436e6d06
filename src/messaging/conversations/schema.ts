import { type Static, Type } from '@sinclair/typebox'
import { maxCharacters } from '../../core/placeholders.ts'
import {
  errorMessage,
  Id,
  Nullable,
  PageQuery,
  periodFilters,
  StringMap,
  Time,
  withDescription,
} from '../../core/schema.ts'
import { type ChannelKind, providers } from '../channels/index.ts'
import { Message } from '../messages/index.ts'

const uuid = (description?: string) =>
  Type.String({ format: 'uuid', ...(description && { description }), ...errorMessage('Must be a UUID.') })

const Status = Type.Union([Type.Literal('open'), Type.Literal('closed')], errorMessage('Must be "open" or "closed".'))

const Kind = Type.Union((Object.keys(providers) as ChannelKind[]).map(kind => Type.Literal(kind)))

export const Conversation = Type.Object(
  {
    id: withDescription(Id, 'ID of the conversation.'),
    channelId: withDescription(Id, 'ID of the channel of the conversation.'),
    channelKind: withDescription(Kind, 'Kind of the channel.'),
    customerId: withDescription(Id, 'ID of the customer.'),
    customerName: withDescription(
      Nullable(Type.String()),
      'Current name of the customer. Null if unknown, and after the customer is erased.',
    ),
    handle: Nullable(
      Type.String({ description: 'Last used address of the customer. Null after the customer is erased.' }),
    ),
    status: withDescription(Status, '`closed` until the customer writes again or somebody opens the conversation.'),
    assigneeId: Nullable(
      Type.String({
        format: 'uuid',
        description:
          '`userId` of the member who is assigned to the conversation. Null after the member has left the team.',
      }),
    ),
    unread: Type.Integer({
      minimum: 0,
      description: 'Number of unread messages of the customer. A reply of a person sets it to 0.',
    }),
    waitingSince: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Start of the wait of the customer for an answer. Null if the customer is not waiting. A message that opts out starts no wait.',
      }),
    ),
    windowClosesAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Time until which the provider accepts any message to this customer. It counts from the last message of the customer. Afterwards only approved templates are accepted. Null if the provider has no such window.',
      }),
    ),
    looksLikeOptOut: Type.Boolean({
      description:
        'The customer wrote something that is not an opt-out word but can mean an opt-out. True until a person decides (`POST …/opt-out-decision`) or the customer opts out.',
    }),
    lastMessage: withDescription(
      Nullable(Message),
      'Newest message of the conversation, inbound or outbound. Null if there are no messages.',
    ),
    waitingMessage: withDescription(
      Nullable(
        Type.Object({
          id: Message.properties.id,
          type: Message.properties.type,
          text: Nullable(
            Type.String({
              description: 'First 200 characters of the text or caption. Null for a type without text.',
            }),
          ),
          createdAt: Message.properties.createdAt,
        }),
      ),
      'Newest message of a customer who is waiting for an answer, among the 50 newest messages. It differs from `lastMessage` if a campaign has written since. Null if the customer is not waiting.',
    ),
    createdAt: withDescription(Time, 'Time of creation.'),
    updatedAt: withDescription(Time, 'Time of the last change in the conversation.'),
  },
  { $id: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

const flag = (description: string) => Type.Boolean({ description, ...errorMessage('Must be true or false.') })

export const ConversationQuery = Type.Object({
  ...PageQuery.properties,
  sort: Type.Optional(
    Type.Union([Type.Literal('newest'), Type.Literal('longest_waiting')], {
      default: 'newest',
      description:
        '`newest`: most recent activity first. `longest_waiting`: longest wait first, only open conversations in which the customer waits for an answer. With `unanswered=true`, also those with a possible opt-out, which can be closed.',
      ...errorMessage('Must be one of newest, longest_waiting.'),
    }),
  ),
  status: Type.Optional(withDescription(Status, 'Only open conversations, or only closed conversations.')),
  assigneeId: Type.Optional(
    Type.String({
      pattern: '^(me|none|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
      description: 'Only conversations assigned to this member. `me`, `none`, or the `userId` of a member.',
      ...errorMessage('Must be me, none, or the UUID of a user.'),
    }),
  ),
  unread: Type.Optional(flag('true: only conversations with unread messages. false: only conversations without.')),
  waiting: Type.Optional(
    flag('true: only conversations in which the customer is waiting for an answer. false: only the others.'),
  ),
  unanswered: Type.Optional(
    flag(
      'true: only conversations that need a person: open ones in which the customer waits for an answer, and those with a possible opt-out that awaits a decision, also if closed. false: only the others.',
    ),
  ),
  looksLikeOptOut: Type.Optional(
    flag('true: only conversations with a possible opt-out that awaits a decision. false: only the others.'),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[^\\u0000]*$',
      description:
        'Only conversations with a customer whose name, phone or external ID contains all words of this text, in any order. Case and accents are ignored.',
      ...errorMessage('Must be a text of at most 200 characters.'),
    }),
  ),
  channelId: Type.Optional(withDescription(uuid(), 'Only conversations on this channel.')),
  customerId: Type.Optional(withDescription(uuid(), 'Only conversations with this customer.')),
  ...periodFilters('Only conversations whose last message, or creation without one, was'),
})
export type ConversationQuery = Static<typeof ConversationQuery>

export const OpenConversation = Type.Object(
  { channelId: uuid('ID of the channel to use.'), customerId: uuid('ID of the customer.') },
  { additionalProperties: false, $id: 'OpenConversation' },
)
export type OpenConversation = Static<typeof OpenConversation>

export const ChangeConversation = Type.Object(
  {
    status: Type.Optional(withDescription(Status, 'Opens or closes the conversation.')),
    assigneeId: Type.Optional(
      Type.Union([uuid(), Type.Null()], {
        description: '`userId` of a member who has joined. Null removes the assignment.',
        ...errorMessage('Must be the UUID of a user of the team, or null.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeConversation',
    ...errorMessage('Must contain status, assigneeId or both.'),
  },
)
export type ChangeConversation = Static<typeof ChangeConversation>

export const OptOutDecision = Type.Object(
  {
    decision: Type.Union([Type.Literal('opted_out'), Type.Literal('ignored')], {
      description: '`opted_out`: opts the customer out. `ignored`: the message was not an opt-out.',
      ...errorMessage('Must be "opted_out" or "ignored".'),
    }),
  },
  { additionalProperties: false, $id: 'OptOutDecision' },
)
export type OptOutDecision = Static<typeof OptOutDecision>

const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'A repeat with the same key in this conversation sends nothing and returns the first message.',
  ...errorMessage('Must be a text of 1 to 255 characters.'),
})

const WriteText = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: maxCharacters,
      pattern: '\\S',
      description:
        'Text of the message. It must contain more than white space and respect the length limit of the provider.',
      ...errorMessage(`Must be a text of 1 to ${maxCharacters} characters that is not all white space.`),
    }),
    idempotencyKey: Type.Optional(IdempotencyKey),
  },
  { additionalProperties: false, $id: 'WriteText' },
)

const WriteTemplate = Type.Object(
  {
    templateId: withDescription(uuid(), 'ID of the template that is filled in and sent.'),
    variables: Type.Optional(
      StringMap(
        Type.String({
          maxLength: maxCharacters,
          ...errorMessage(`Must be a text of at most ${maxCharacters} characters.`),
        }),
        {
          maxProperties: 100,
          description: 'A text for each variable of the template, by name.',
          ...errorMessage('Must be an object with a text for each variable of the template.'),
        },
      ),
    ),
    idempotencyKey: Type.Optional(IdempotencyKey),
  },
  { additionalProperties: false, $id: 'WriteTemplate' },
)

export const WriteMessage = Type.Union([WriteText, WriteTemplate], {
  $id: 'WriteMessage',
  ...errorMessage('Must contain either text, or templateId with its variables.'),
})
export type WriteMessage = Static<typeof WriteMessage>
