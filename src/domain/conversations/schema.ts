import { type Static, Type } from '@sinclair/typebox'
import { type ChannelKind, providers } from '../channels/index.ts'
import { Message } from '../messages/index.ts'
import { ByName, described, Id, message, Nullable, PageQuery, Time } from '../schema.ts'

const uuid = (description?: string) =>
  Type.String({ format: 'uuid', ...(description && { description }), ...message('Must be a UUID.') })

const Status = Type.Union([Type.Literal('open'), Type.Literal('closed')], message('Must be "open" or "closed".'))

const Kind = Type.Union((Object.keys(providers) as ChannelKind[]).map(kind => Type.Literal(kind)))

export const Conversation = Type.Object(
  {
    id: described(Id, 'The conversation.'),
    channelId: described(Id, 'The channel it goes over.'),
    channelKind: described(Kind, 'The kind of that channel.'),
    customerId: described(Id, 'With whom it is.'),
    customerName: described(
      Nullable(Type.String()),
      'What they are called now; null where that is not known, and once they were erased.',
    ),
    handle: Nullable(
      Type.String({ description: "The customer's address that was used last; null once they were erased." }),
    ),
    status: described(Status, '`closed` until the customer writes again, or somebody opens it.'),
    assigneeId: Nullable(
      Type.String({
        format: 'uuid',
        description: 'The user who looks after it: the `userId` of a member. Nobody once they have left the team.',
      }),
    ),
    unread: Type.Integer({ minimum: 0, description: 'Messages of the customer that nobody has read yet.' }),
    waitingSince: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Since when a message of the customer has had no answer; null where none waits.',
      }),
    ),
    windowClosesAt: Nullable(
      Type.String({
        format: 'date-time',
        description:
          "Until when the provider takes anything that is written to this customer, counted from the customer's last message; afterwards only approved templates. Null where the provider has no such window.",
      }),
    ),
    looksLikeOptOut: Type.Boolean({
      description:
        'The customer wrote something that is not an opt-out word but may mean one. True until a person decides (`POST …/opt-out-decision`) or the customer has opted out.',
    }),
    lastMessage: described(Nullable(Message), 'The newest message in it, of either side; null where there is none.'),
    createdAt: described(Time, 'When it began.'),
    updatedAt: described(Time, 'When something in it last changed.'),
  },
  { $id: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

const flag = (description: string) => Type.Boolean({ description, ...message('Must be true or false.') })

export const ConversationQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(described(Status, 'Only those that are open, or only those that are closed.')),
  assigneeId: Type.Optional(
    Type.String({
      pattern: '^(me|none|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
      description: '`me`, `none`, or the `userId` of a member.',
      ...message('Must be me, none, or the UUID of a user.'),
    }),
  ),
  unread: Type.Optional(flag('Only those with unread messages, or only those without.')),
  waiting: Type.Optional(flag('Only those whose customer waits for an answer, or only the others.')),
  channelId: Type.Optional(described(uuid(), 'Only those over this channel.')),
  customerId: Type.Optional(described(uuid(), 'Only those with this customer.')),
})
export type ConversationQuery = Static<typeof ConversationQuery>

export const OpenConversation = Type.Object(
  { channelId: uuid('The channel to write over.'), customerId: uuid('To whom.') },
  { additionalProperties: false, $id: 'OpenConversation' },
)
export type OpenConversation = Static<typeof OpenConversation>

export const ChangeConversation = Type.Object(
  {
    status: Type.Optional(described(Status, 'Opens it, or closes it.')),
    assigneeId: Type.Optional(
      Type.Union([uuid(), Type.Null()], {
        description: 'The `userId` of a member who has joined; null = nobody.',
        ...message('Must be the UUID of a user of the team, or null.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeConversation',
    ...message('Must hold status, assigneeId or both.'),
  },
)
export type ChangeConversation = Static<typeof ChangeConversation>

export const OptOutDecision = Type.Object(
  {
    decision: Type.Union([Type.Literal('opted_out'), Type.Literal('ignored')], {
      description: '`opted_out` opts the customer out. `ignored` says that the message was not an opt-out.',
      ...message('Must be "opted_out" or "ignored".'),
    }),
  },
  { additionalProperties: false, $id: 'OptOutDecision' },
)
export type OptOutDecision = Static<typeof OptOutDecision>

/** Maximum number of characters of a text. A provider can have a lower limit. */
export const maxCharacters = 4096

const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Sent again with the same key in this conversation, nothing is written twice: the first is answered.',
  ...message('Must be a text of 1 to 255 characters.'),
})

const WriteText = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: maxCharacters,
      pattern: '\\S',
      description: 'Not white space alone, and no more than the provider takes.',
      ...message(`Must be a text of 1 to ${maxCharacters} characters that is not all white space.`),
    }),
    idempotencyKey: Type.Optional(IdempotencyKey),
  },
  { additionalProperties: false, $id: 'WriteText' },
)

const WriteTemplate = Type.Object(
  {
    templateId: described(uuid(), 'The template that is filled in and sent.'),
    variables: Type.Optional(
      ByName(
        Type.String({ maxLength: maxCharacters, ...message(`Must be a text of at most ${maxCharacters} characters.`) }),
        {
          maxProperties: 100,
          description: 'A text for each variable of the template, by its name.',
          ...message('Must be an object with a text for each variable of the template.'),
        },
      ),
    ),
    idempotencyKey: Type.Optional(IdempotencyKey),
  },
  { additionalProperties: false, $id: 'WriteTemplate' },
)

export const WriteMessage = Type.Union([WriteText, WriteTemplate], {
  $id: 'WriteMessage',
  ...message('Must hold either text, or templateId with its variables.'),
})
export type WriteMessage = Static<typeof WriteMessage>
