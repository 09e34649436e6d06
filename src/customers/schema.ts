import { type Static, type TSchema, Type } from '@sinclair/typebox'
import {
  errorMessage,
  Id,
  JsonObject,
  literals,
  Nullable,
  Phone,
  publishedKeywords,
  rangeQuery,
  requireAny,
  Time,
  withDescription,
  withoutNul,
} from '../core/schema.ts'
import { endReasons, messageStatuses, runStatuses } from '../core/statuses.ts'

/** Limits of a customer's attributes after a merge. */
export const attributeLimits = { fields: 50, nameCharacters: 100, bytes: 16 * 1024 }

const text = (min: number, max: number) => errorMessage(`Must be a text of ${min} to ${max} characters.`)
/** Validation message for texts in the ledger. */
const words = (max: number) => errorMessage(`Must be a text of 1 to ${max} characters that is not all white space.`)

/** Schema of a text or null. The message of the text covers both. */
const Clearable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], {
    ...(description && { description }),
    ...errorMessage(`${String(schema['x-message']).replace(/\.$/, '')}; or null.`),
  })

const ExternalId = Type.String({ minLength: 1, maxLength: 200, ...text(1, 200) })
const Name = Type.String({ minLength: 1, maxLength: 200, ...text(1, 200) })
const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  ...errorMessage('Must be an e-mail address of at most 254 characters.'),
})
const Attributes = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: attributeLimits.fields,
  description: 'At most 50 fields with names of up to 100 characters, at most 16 KiB in total.',
  ...publishedKeywords({ propertyNames: { maxLength: attributeLimits.nameCharacters } }),
  ...errorMessage(`Must be an object of at most ${attributeLimits.fields} fields.`),
})

export const Customer = Type.Object(
  {
    id: withDescription(Id, 'ID of the customer.'),
    phone: withDescription(Nullable(Phone), 'Phone number in E.164 format. Null if unknown.'),
    externalId: Nullable(Type.String({ description: 'ID of the customer in your own system.' })),
    name: withDescription(Nullable(Type.String()), 'Name of the customer. Null if unknown.'),
    email: withDescription(
      Nullable(Type.String()),
      'E-mail address. Null if unknown. Several customers can have the same address.',
    ),
    attributes: withDescription(
      Type.Record(Type.String(), Type.Unknown()),
      'Values that you and your workflows store about the customer, by names that you choose.',
    ),
    optedInAt: withDescription(Nullable(Time), 'Time of the latest opt-in. Null if there was none.'),
    optedOutAt: withDescription(
      Nullable(Time),
      'Time when the customer opted out of messages. Null if messages are allowed.',
    ),
    createdAt: withDescription(Time, 'Time when the customer was created.'),
    updatedAt: withDescription(Time, 'Time of the last change.'),
  },
  { $id: 'Customer' },
)
export type Customer = Static<typeof Customer>

export const CreateCustomer = Type.Object(
  {
    phone: Type.Optional(
      Clearable(Phone, 'Phone number in E.164 format. At least one of `phone` and `externalId` is required.'),
    ),
    externalId: Type.Optional(Clearable(ExternalId, 'ID of the customer in your own system.')),
    name: Type.Optional(Clearable(Name, 'Name of the customer, used for `{{customer.name}}` in messages.')),
    email: Type.Optional(Clearable(Email, 'Stored and displayed. The service sends nothing to this address.')),
    attributes: Type.Optional(Attributes),
  },
  { additionalProperties: false, $id: 'CreateCustomer', ...publishedKeywords(requireAny(['phone', 'externalId'])) },
)
export type CreateCustomer = Static<typeof CreateCustomer>

/** A merge can add and remove at most as many attributes as a customer can have. */
const AttributesToMerge = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 2 * attributeLimits.fields,
  description:
    'Merged into the existing attributes: a given field replaces the existing one, and null removes it. At most 50 fields can remain, with names of up to 100 characters, at most 16 KiB in total.',
  ...errorMessage('Must be an object. The customer can have at most 50 attributes.'),
})

/** The body of PUT /v1/customers. */
export const UpsertCustomer = Type.Object(
  {
    phone: Type.Optional(
      Clearable(
        Phone,
        'Phone number in E.164 format. Finds the customer if no `externalId` is given or if no customer has it. Null clears it.',
      ),
    ),
    externalId: Type.Optional(
      Clearable(ExternalId, 'ID of the customer in your own system. Used first to find the customer. Null clears it.'),
    ),
    name: Type.Optional(Clearable(Name, 'Null clears the value.')),
    email: Type.Optional(Clearable(Email, 'Null clears the value.')),
    attributes: Type.Optional(AttributesToMerge),
  },
  { additionalProperties: false, $id: 'UpsertCustomer', ...publishedKeywords(requireAny(['phone', 'externalId'])) },
)
export type UpsertCustomer = Static<typeof UpsertCustomer>

export const ChangeCustomer = Type.Object(
  {
    phone: Type.Optional(
      Clearable(Phone, 'Null clears the value. A customer must keep at least one of `phone` and `externalId`.'),
    ),
    externalId: Type.Optional(Clearable(ExternalId, 'Null clears the value.')),
    name: Type.Optional(Clearable(Name, 'Null clears the value.')),
    email: Type.Optional(Clearable(Email, 'Null clears the value.')),
    attributes: Type.Optional(AttributesToMerge),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeCustomer',
    ...errorMessage('Must contain at least one of phone, externalId, name, email and attributes.'),
  },
)
export type ChangeCustomer = Static<typeof ChangeCustomer>

/** Maximum number of ids in `ids`: one page. */
const maxIds = 100
const uuidPattern = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'

export const CustomerQuery = Type.Object({
  ...rangeQuery().properties,
  ids: Type.Optional(
    Type.String({
      pattern: `^${uuidPattern}(,${uuidPattern}){0,${maxIds - 1}}$`,
      description: `Only these customers: 1 to ${maxIds} IDs, separated by commas. Use \`limit=${maxIds}\` to get them in one page.`,
      ...errorMessage(`Must be 1 to ${maxIds} UUIDs, separated by commas.`),
    }),
  ),
  consent: Type.Optional(
    Type.Union([Type.Literal('opted_in'), Type.Literal('opted_out'), Type.Literal('none')], {
      description:
        'Only customers with this consent. `opted_in`: opted in and not out. `opted_out`: opted out, whether or not they opted in. `none`: neither.',
      ...errorMessage('Must be one of opted_in, opted_out, none.'),
    }),
  ),
  channelId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Only customers with a conversation on this channel.',
      ...errorMessage('Must be a UUID.'),
    }),
  ),
  phone: Type.Optional(
    Type.String({
      // Accepts a space, because an unencoded plus sign arrives as one.
      pattern: '^[+ ][1-9][0-9]{6,14}$',
      description: 'Only the customer with exactly this number. Encode the + as %2B.',
      ...errorMessage('Must be an E.164 number: + (%2B in a URL) and 7 to 15 digits.'),
    }),
  ),
  externalId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: withoutNul,
      description: 'Only the customer with exactly this ID.',
      ...text(1, 200),
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: withoutNul,
      description:
        'Only customers whose name, phone or external ID contains all words of this text, in any order. Case and accents are ignored. Every page except the last is full. Other pages can be short only if the text is rare among the newest million customers. This applies to texts without a word that has three consecutive letters (a to z, also with accents) or digits, and to words that occur in 50,000 customers. `nextCursor` then continues the list.',
      ...errorMessage('Must be a text of at most 200 characters.'),
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
      description: 'Evidence that the customer agreed to receive messages.',
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
      description: 'Reason, in words that people will understand later.',
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
      id: withDescription(Id, 'ID of the event, message, run or consent entry.'),
      kind: Type.Literal(kind, { description: 'Type of the item. It determines which fields are present.' }),
      at: withDescription(Time, 'Time of the item. Items are sorted newest first.'),
      ...fields,
    },
    { $id },
  )

const ConsentItem = <Kind extends string>($id: string, kind: Kind, words: string) =>
  Item($id, kind, {
    source: source(
      "`api`: an API key. `dashboard`: a person. `customer`: the customer's own words.",
      'api',
      'dashboard',
      'customer',
    ),
    words: Nullable(Type.String({ description: words })),
    eventId: Nullable(
      Type.String({ format: 'uuid', description: 'ID of the event that contained it. Null if there was none.' }),
    ),
  })

const consentSources = ['api', 'dashboard', 'customer'] as const

/** An entry of the ledger. */
export const Consent = Type.Object(
  {
    id: withDescription(Id, 'ID of the entry.'),
    kind: Type.Union([Type.Literal('opt_in'), Type.Literal('opt_out'), Type.Literal('lift')], {
      description: '`lift`: an owner lifted an opt-out.',
    }),
    source: source(
      "`api`: an API key. `dashboard`: a person. `customer`: the customer's own words.",
      ...consentSources,
    ),
    words: Nullable(
      Type.String({
        description: 'Evidence, reason, or the word that the customer wrote. Null after the customer is erased.',
      }),
    ),
    eventId: Nullable(
      Type.String({ format: 'uuid', description: 'ID of the event that contained it. Null if there was none.' }),
    ),
    userId: Nullable(
      Type.String({ format: 'uuid', description: 'ID of the team member who made the entry. Null if no member did.' }),
    ),
    at: withDescription(Time, 'Time when the entry was recorded.'),
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
      description: 'Evidence that the customer wants messages again.',
      ...words(500),
    }),
  },
  { additionalProperties: false, $id: 'LiftOptOut' },
)
export type LiftOptOut = Static<typeof LiftOptOut>

export const TimelineItem = Type.Union(
  [
    Item('TimelineEvent', 'event', {
      type: withDescription(Type.String(), 'Type of the event.'),
      source: source('`api`: sent with an API key. `dashboard`: sent by a person.', 'api', 'dashboard'),
      sender: withDescription(Type.String(), 'Store plugin detected from the User-Agent. Otherwise `custom`.'),
      data: withDescription(JsonObject, 'Data of the event.'),
      matchedWorkflows: withDescription(Type.Integer(), 'Number of workflows that were ready to run for its type.'),
    }),
    Item('TimelineMessage', 'message', {
      direction: withDescription(
        Type.Union([Type.Literal('outbound'), Type.Literal('inbound')]),
        '`inbound`: from the customer. `outbound`: to the customer.',
      ),
      text: withDescription(
        Nullable(Type.String()),
        'Text of the message. Null for a type without text, and after the customer is erased.',
      ),
      status: literals(messageStatuses, { description: 'Status of the message, as in the message record.' }),
      detail: withDescription(
        Nullable(Type.String()),
        'Why the message failed or was skipped, in words. Null otherwise.',
      ),
      conversationId: withDescription(Id, 'ID of the conversation of the message.'),
      channelId: withDescription(Id, 'ID of the channel of the message.'),
    }),
    Item('TimelineRun', 'run', {
      workflowId: withDescription(Id, 'ID of the workflow.'),
      workflowName: Nullable(Type.String({ description: 'Name of the workflow. Null after the workflow is deleted.' })),
      version: withDescription(Type.Integer(), 'Version of the workflow that the run used.'),
      eventId: withDescription(Id, 'ID of the event that started the run.'),
      status: literals(runStatuses, { description: 'Status of the run, as in the run record.' }),
      endReason: Nullable(literals(endReasons, { description: 'End reason. Null before the end.' })),
      endedAt: withDescription(Nullable(Time), 'Time of the end. Null before the end.'),
    }),
    ConsentItem('TimelineOptIn', 'opt_in', 'Evidence of the opt-in. Null after the customer is erased.'),
    ConsentItem('TimelineOptOut', 'opt_out', 'Reason of the opt-out. Null after the customer is erased.'),
    ConsentItem('TimelineLift', 'lift', 'Why an owner lifted the opt-out. Null after the customer is erased.'),
  ],
  { $id: 'TimelineItem' },
)
export type TimelineItem = Static<typeof TimelineItem>
