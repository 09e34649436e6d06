import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { messageStatuses } from '../messages/index.ts'
import { endReasons, runStatuses } from '../run-words.ts'
import {
  described,
  Id,
  literals,
  message,
  Nullable,
  oneIsGiven,
  PageQuery,
  Phone,
  published,
  Stored,
  Time,
} from '../schema.ts'

/** Limits of a customer's attributes after a merge. */
export const attributeLimits = { fields: 50, nameCharacters: 100, bytes: 16 * 1024 }

const text = (min: number, max: number) => message(`Must be a text of ${min} to ${max} characters.`)
/** Validation message for texts in the ledger. */
const words = (max: number) => message(`Must be a text of 1 to ${max} characters that is not all white space.`)

/** Schema of a text or null. The message of the text covers both. */
const Clearable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], {
    ...(description && { description }),
    ...message(`${String(schema['x-message']).replace(/\.$/, '')}; or null.`),
  })

const ExternalId = Type.String({ minLength: 1, maxLength: 200, ...text(1, 200) })
const Name = Type.String({ minLength: 1, maxLength: 200, ...text(1, 200) })
const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  ...message('Must be an e-mail address of at most 254 characters.'),
})
const Attributes = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: attributeLimits.fields,
  description: 'At most 50 fields with names of up to 100 characters, together at most 16 KiB.',
  ...published({ propertyNames: { maxLength: attributeLimits.nameCharacters } }),
  ...message(`Must be an object of at most ${attributeLimits.fields} fields.`),
})

export const Customer = Type.Object(
  {
    id: described(Id, 'The customer.'),
    phone: described(Nullable(Phone), 'E.164; null where it is not known.'),
    externalId: Nullable(Type.String({ description: 'The id the customer has in your own system.' })),
    name: described(Nullable(Type.String()), 'What the customer is called; null where that is not known.'),
    email: described(
      Nullable(Type.String()),
      'The e-mail address; null where it is not known. Several customers may have the same.',
    ),
    attributes: described(
      Type.Record(Type.String(), Type.Unknown()),
      'What you and your workflows keep about the customer, by names of your own.',
    ),
    optedInAt: described(Nullable(Time), 'When the latest opt-in was recorded; null where there was none.'),
    optedOutAt: described(
      Nullable(Time),
      'Since when the customer wants no messages; null where they may be written to.',
    ),
    createdAt: described(Time, 'When the customer became known.'),
    updatedAt: described(Time, 'When it was last changed.'),
  },
  { $id: 'Customer' },
)
export type Customer = Static<typeof Customer>

export const CreateCustomer = Type.Object(
  {
    phone: Type.Optional(Clearable(Phone, 'E.164. Of phone and externalId at least one is needed.')),
    externalId: Type.Optional(Clearable(ExternalId, 'The id the customer has in your own system.')),
    name: Type.Optional(Clearable(Name, 'What the customer is called, for `{{customer.name}}` in messages.')),
    email: Type.Optional(Clearable(Email, 'Kept and shown. Nothing is sent to it.')),
    attributes: Type.Optional(Attributes),
  },
  { additionalProperties: false, $id: 'CreateCustomer', ...published(oneIsGiven(['phone', 'externalId'])) },
)
export type CreateCustomer = Static<typeof CreateCustomer>

/** A merge can add and remove at most as many attributes as a customer can have. */
const AttributesToMerge = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 2 * attributeLimits.fields,
  description:
    'Merged into those there are: a field that is given replaces its like, null removes it. At most 50 fields remain, with names of up to 100 characters, together at most 16 KiB.',
  ...message('Must be an object; of its fields at most 50 may remain.'),
})

/** The body of PUT /v1/customers. */
export const UpsertCustomer = Type.Object(
  {
    phone: Type.Optional(
      Clearable(
        Phone,
        'E.164. Finds the customer where no externalId is given, or where nobody has that; null clears it.',
      ),
    ),
    externalId: Type.Optional(
      Clearable(ExternalId, 'The id the customer has in your own system. Finds the customer first; null clears it.'),
    ),
    name: Type.Optional(Clearable(Name, 'null clears it.')),
    email: Type.Optional(Clearable(Email, 'null clears it.')),
    attributes: Type.Optional(AttributesToMerge),
  },
  { additionalProperties: false, $id: 'UpsertCustomer', ...published(oneIsGiven(['phone', 'externalId'])) },
)
export type UpsertCustomer = Static<typeof UpsertCustomer>

export const ChangeCustomer = Type.Object(
  {
    phone: Type.Optional(Clearable(Phone, 'null clears it; a customer keeps at least one of phone and externalId.')),
    externalId: Type.Optional(Clearable(ExternalId, 'null clears it.')),
    name: Type.Optional(Clearable(Name, 'null clears it.')),
    email: Type.Optional(Clearable(Email, 'null clears it.')),
    attributes: Type.Optional(AttributesToMerge),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeCustomer',
    ...message('Must hold at least one of phone, externalId, name, email and attributes.'),
  },
)
export type ChangeCustomer = Static<typeof ChangeCustomer>

/** Rejects U+0000, which a query string can contain and PostgreSQL cannot store. */
const storable = '^[^\\u0000]*$'

export const CustomerQuery = Type.Object({
  ...PageQuery.properties,
  phone: Type.Optional(
    Type.String({
      // Accepts a space, because an unencoded plus sign arrives as one.
      pattern: '^[+ ][1-9][0-9]{6,14}$',
      description: 'Only the customer with exactly this number; write its + as %2B.',
      ...message('Must be an E.164 number: + (%2B in a URL) and 7 to 15 digits.'),
    }),
  ),
  externalId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: storable,
      description: 'Only the customer with exactly this id.',
      ...text(1, 200),
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: storable,
      description:
        'Only customers whose name, phone or external id holds this text, however it is cased. A page is full, or it is the last: only where a text without three letters (a to z) or digits in a row, or one that 50,000 customers hold, is rare among the newest million customers, a page may be short, and `nextCursor` goes on.',
      ...message('Must be a text of at most 200 characters.'),
    }),
  ),
})
export type CustomerQuery = Static<typeof CustomerQuery>

export const OptIn = Type.Object(
  {
    evidence: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'How the customer agreed to messages.',
      ...words(2000),
    }),
  },
  { additionalProperties: false, $id: 'OptIn' },
)
export type OptIn = Static<typeof OptIn>

export const OptOut = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'Why, in words a person will understand later.',
      ...words(500),
    }),
  },
  { additionalProperties: false, $id: 'OptOut' },
)
export type OptOut = Static<typeof OptOut>

const source = (description: string, ...values: ('api' | 'dashboard' | 'customer')[]) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    { description },
  )

const Item = <Kind extends string, T extends Record<string, TSchema>>($id: string, kind: Kind, fields: T) =>
  Type.Object(
    {
      id: described(Id, 'The event, message, run or entry of the ledger.'),
      kind: Type.Literal(kind, { description: 'What happened; tells which of the fields are there.' }),
      at: described(Time, 'When it happened; newest first.'),
      ...fields,
    },
    { $id },
  )

const ConsentItem = <Kind extends string>($id: string, kind: Kind, words: string) =>
  Item($id, kind, {
    source: source('A key, a person, or the customer in words of their own.', 'api', 'dashboard', 'customer'),
    words: Nullable(Type.String({ description: words })),
    eventId: Nullable(Type.String({ format: 'uuid', description: 'The event that carried it.' })),
  })

const consentSources = ['api', 'dashboard', 'customer'] as const

/** An entry of the ledger. */
export const Consent = Type.Object(
  {
    id: described(Id, 'The entry.'),
    kind: Type.Union([Type.Literal('opt_in'), Type.Literal('opt_out'), Type.Literal('lift')], {
      description: '`lift`: an owner said that an opt-out holds no more.',
    }),
    source: source('A key, a person, or the customer in words of their own.', ...consentSources),
    words: Nullable(Type.String({ description: 'The evidence, the reason, or the word the customer wrote.' })),
    eventId: Nullable(Type.String({ format: 'uuid', description: 'The event that carried it.' })),
    userId: Nullable(Type.String({ format: 'uuid', description: 'Who of the team said so, where one did.' })),
    at: described(Time, 'When it was recorded.'),
  },
  { $id: 'Consent' },
)
export type Consent = Static<typeof Consent>

export const LiftOptOut = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '\\S',
      description: 'How it is known that the customer wants messages again.',
      ...words(500),
    }),
  },
  { additionalProperties: false, $id: 'LiftOptOut' },
)
export type LiftOptOut = Static<typeof LiftOptOut>

export const TimelineItem = Type.Union(
  [
    Item('TimelineEvent', 'event', {
      type: described(Type.String(), 'The type of the event.'),
      source: source('`api` for a key, `dashboard` for a person.', 'api', 'dashboard'),
      sender: described(Type.String(), 'The store plugin recognised from User-Agent, else `custom`.'),
      data: described(Stored, 'What came with the event.'),
      matchedWorkflows: described(Type.Integer(), 'How many workflows were waiting on its type.'),
    }),
    Item('TimelineMessage', 'message', {
      direction: described(
        Type.Union([Type.Literal('outbound'), Type.Literal('inbound')]),
        '`inbound` from the customer, `outbound` to them.',
      ),
      text: described(
        Nullable(Type.String()),
        'What was written; null for a type without a text, and once the customer was erased.',
      ),
      status: literals(messageStatuses, { description: 'What became of it, as in the record of the message.' }),
      detail: described(Nullable(Type.String()), 'Why it failed or was skipped, in words.'),
      conversationId: described(Id, 'The conversation it stands in.'),
      channelId: described(Id, 'The channel it went over.'),
    }),
    Item('TimelineRun', 'run', {
      workflowId: described(Id, 'The workflow that ran.'),
      workflowName: Nullable(Type.String({ description: 'Null once the workflow is gone.' })),
      version: described(Type.Integer(), 'The version it ran by.'),
      eventId: described(Id, 'The event that started it.'),
      status: literals(runStatuses, { description: 'Where the run stands, as in its own record.' }),
      endReason: Nullable(literals(endReasons, { description: 'Why it ended; null while it has not.' })),
      endedAt: described(Nullable(Time), 'When it ended; null while it has not.'),
    }),
    ConsentItem('TimelineOptIn', 'opt_in', 'The evidence.'),
    ConsentItem('TimelineOptOut', 'opt_out', 'The reason.'),
    ConsentItem('TimelineLift', 'lift', 'Why an owner lifted the opt-out.'),
  ],
  { $id: 'TimelineItem' },
)
export type TimelineItem = Static<typeof TimelineItem>
