import { type Static, Type } from '@sinclair/typebox'
import { errorCodes } from '../core/errors.ts'
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
} from '../core/schema.ts'
import { Message } from '../messaging/messages/index.ts'
import { senders } from './sender.ts'

const text = (min: number, max: number) => errorMessage(`Must be a text of ${min} to ${max} characters.`)

/** Request body of POST /v1/events (contract 6.1). */
export const RecordEvent = Type.Object(
  {
    type: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Free text. A workflow starts if its trigger equals the type exactly, including case and punctuation.',
      ...text(1, 200),
    }),
    phone: Type.Optional(Phone),
    customerId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'ID of the customer in this service.',
        ...errorMessage('Must be a UUID.'),
      }),
    ),
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'ID of an existing customer in your own system. It never creates a customer.',
        ...text(1, 200),
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name of the customer. Only used if this call creates the customer.',
        ...text(1, 200),
      }),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 50,
        description: 'Input for workflows. At most 50 top-level fields.',
        ...errorMessage('Must be an object of at most 50 top-level fields.'),
      }),
    ),
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'Key that identifies the occurrence, not the attempt. A repeat records nothing and returns the first event.',
        ...text(1, 255),
      }),
    ),
    occurredAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Time of the occurrence, if it is not now. At most 30 days in the past and 5 minutes in the future. Workflow delays always count from the time of recording.',
      }),
    ),
    optIn: Type.Optional(
      Type.Object(
        {
          evidence: Type.String({
            minLength: 1,
            maxLength: 2000,
            pattern: '\\S',
            description:
              'Evidence of the opt-in, for example where the customer agreed on your site. The text must contain more than white space.',
            ...errorMessage('Must be a text of 1 to 2000 characters that is not all white space.'),
          }),
        },
        {
          additionalProperties: false,
          description: 'Opt-in that is recorded before the event. It never lifts an opt-out.',
          ...errorMessage('Must be an object with the field evidence.'),
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    $id: 'RecordEvent',
    description: 'An event to record and the customer that it is about.',
    ...publishedKeywords(requireAny(['phone', 'customerId', 'externalId'])),
  },
)
export type RecordEvent = Static<typeof RecordEvent>

export const Event = Type.Object(
  {
    id: withDescription(Id, 'ID of the event, used to read it.'),
    type: withDescription(Type.String(), 'Type of the event, as sent.'),
    source: Type.Union([Type.Literal('api'), Type.Literal('dashboard')], {
      description: '`api`: sent with an API key. `dashboard`: sent by a person.',
    }),
    sender: Type.String({ description: 'Store plugin detected from the User-Agent. Otherwise `custom`.' }),
    customerId: withDescription(Id, 'ID of the customer that the event is about.'),
    data: withDescription(JsonObject, 'Data of the event. Integers keep all their digits.'),
    idempotencyKey: withDescription(
      Nullable(Type.String()),
      'Idempotency key of the request. Null if none was sent, or after the customer is erased.',
    ),
    occurredAt: withDescription(Nullable(Time), 'Time of the occurrence, as sent. Null if it was not sent.'),
    createdAt: withDescription(Time, 'Time when the event was recorded.'),
  },
  { $id: 'Event', description: 'A recorded event.' },
)
export type Event = Static<typeof Event>

export const WorkflowOutcome = Type.Object(
  {
    workflowId: withDescription(Id, 'ID of the workflow that has the type as its trigger.'),
    name: withDescription(Type.String(), 'Name of the workflow at that time.'),
    verdict: Type.Union(
      [
        Type.Literal('started'),
        Type.Literal('switched_off'),
        Type.Literal('never_published'),
        Type.Literal('not_run_for_customer'),
      ],
      { description: 'Result at the time when the event was recorded.' },
    ),
    runId: Type.Union([Id, Type.Null()], {
      description: 'ID of the started run. If a `rule` prevented the start: ID of the existing run.',
    }),
    rule: Type.Optional(
      Type.Union([Type.Literal('once'), Type.Literal('not_while_active')], {
        description: 'Rule of `entry.reentry` that prevented the run.',
      }),
    ),
    detail: Type.Optional(
      Type.Object(
        {
          since: withDescription(Time, 'Start of the existing run, or time when the workflow was switched off.'),
          rule: Type.Optional(withDescription(Type.String(), 'Rule that prevented the run.')),
          runId: Type.Optional(withDescription(Id, 'ID of the existing run.')),
          by: Type.Optional(
            Type.Union([Id, Type.Null()], { description: 'ID of the user who switched off the workflow.' }),
          ),
        },
        {
          description:
            'With `rule`: the existing run and its start. For `switched_off`: when and by whom the workflow was switched off. Omitted if the workflow was never switched on.',
        },
      ),
    ),
    explanation: Type.String({ description: 'Explanation in one sentence, for people.' }),
  },
  { $id: 'WorkflowOutcome' },
)
export type WorkflowOutcome = Static<typeof WorkflowOutcome>

export const DidYouMean = Type.Object(
  {
    type: withDescription(Type.String(), 'Similar type that was possibly intended.'),
    workflows: Type.Integer({ description: 'Number of workflows that have the type as their trigger.' }),
  },
  { $id: 'DidYouMean', description: 'Most similar type that a workflow has as its trigger.' },
)

const judged = {
  matchedWorkflows: Type.Integer({
    description: 'Number of workflows that were ready to run for this type. 0 is not an error.',
  }),
  outcomes: Type.Array(WorkflowOutcome, {
    description: 'Result for each workflow that has the type as its trigger. Empty if there is none.',
  }),
  didYouMean: Type.Union([DidYouMean, Type.Null()], {
    description:
      'If no workflow has the type as its trigger: the most similar type that one has. Null if no type is similar.',
  }),
}

/** Possible differences between an event and a repeat of its idempotency key. */
const mismatches = ['type', 'customer', 'occurredAt', 'optIn', 'data'] as const
export type Mismatch = (typeof mismatches)[number]

const MismatchList = (description: string) => Type.Array(Type.Unsafe<Mismatch>(literals(mismatches)), { description })

export const RecordedEvent = Type.Object(
  {
    recorded: Type.Boolean({
      description:
        'false: the idempotency key was used before. `event` is then the first event, or the remaining part of an event that is no longer stored.',
    }),
    mismatch: Type.Optional(
      MismatchList(
        'Fields in which this repeat differs from the first event. Omitted if nothing differs. The first event is returned, and nothing of the repeat was recorded. Use a new key for each occurrence.',
      ),
    ),
    ...judged,
    event: Event,
  },
  { $id: 'RecordedEvent' },
)
export type RecordedEvent = Static<typeof RecordedEvent>

/** A stored event with its effects. */
export const EventWithOutcomes = Type.Object(
  {
    ...Event.properties,
    ...judged,
    messages: Type.Array(
      Type.Object({
        id: withDescription(Id, 'ID of the message.'),
        runId: withDescription(Id, 'ID of the run that created the message.'),
        providerMessageId: Nullable(
          Type.String({
            description:
              'ID of the message at the provider, as in `message.status`. Null until the provider accepts the message.',
          }),
        ),
        status: Message.properties.status,
      }),
      { description: 'Messages that the started runs have created so far. At most the first 50.' },
    ),
    idempotencyMismatch: Nullable(
      Type.Object(
        {
          fields: MismatchList('Fields in which these repeats differed.'),
          lastAt: withDescription(Time, 'Time of the last recorded repeat, accurate to 10 minutes.'),
        },
        {
          description:
            'Warning: the idempotency key was used again for a different event, which was not recorded. Null if this never happened.',
        },
      ),
    ),
  },
  { $id: 'EventWithOutcomes' },
)
export type EventWithOutcomes = Static<typeof EventWithOutcomes>

/** Query parameter: events of one type. Excludes U+0000, which no type contains and PostgreSQL rejects. */
export const TypeFilter = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000]*$',
  description: 'Only events of exactly this type.',
  ...text(1, 200),
})

/** Query parameter: events of one sender. */
export const SenderFilter = Type.Unsafe<string>(
  literals(senders, {
    description: 'Only events from this store plugin, or from your own code (`custom`).',
    ...errorMessage(`Must be one of ${senders.join(', ')}.`),
  }),
)

/** Query of GET /v1/events. */
export const EventQuery = Type.Object({
  ...rangeQuery().properties,
  type: Type.Optional(TypeFilter),
  customerId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Only events about this customer.',
      ...errorMessage('Must be a UUID.'),
    }),
  ),
})
export type EventQuery = Static<typeof EventQuery>

/**
 * Request body of POST /v1/events/batch. Each event is validated separately, so an invalid event does not make the body
 * invalid.
 */
export const RecordEvents = Type.Object(
  {
    events: Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: 500,
      description: 'Events to record, each in the format of the body of `POST /v1/events`.',
      ...errorMessage('Must be a list of 1 to 500 events.'),
    }),
  },
  { additionalProperties: false, $id: 'RecordEvents' },
)
export type RecordEvents = Static<typeof RecordEvents>

const Refusal = Type.Object(
  {
    code: Type.Unsafe<string>(withDescription(literals(errorCodes), 'Error code, for programs.')),
    message: withDescription(Type.String(), 'Explanation in one sentence, for people.'),
    details: Type.Optional(
      withDescription(Type.Record(Type.String(), Type.String()), 'Path of each invalid field, with the reason.'),
    ),
  },
  { $id: 'EventRefusal', description: 'Error of an event, as in the error envelope.' },
)

const { event: _, ...besidesEvent } = RecordedEvent.properties

/** A new or repeated event in the response of POST /v1/events/batch. */
const RecordedInBatch = Type.Object({
  ...besidesEvent,
  outcomes: Type.Optional(besidesEvent.outcomes),
  outcomesLeftOut: Type.Optional(
    Type.Literal(true, {
      description:
        '`outcomes` was omitted because the response would be too large. Read it with `GET /v1/events/{id}`.',
    }),
  ),
  event: Type.Object(
    {
      ...Event.properties,
      data: Type.Optional(Event.properties.data),
    },
    { description: 'The event. `data` is omitted if `dataLeftOut` is true.' },
  ),
  dataLeftOut: Type.Optional(
    Type.Literal(true, {
      description:
        '`data` of a previously recorded event was omitted. The response would be too large, or the data could not be read at this moment. Read it with `GET /v1/events/{id}`.',
    }),
  ),
})
export type RecordedInBatch = Static<typeof RecordedInBatch>

/** Response of POST /v1/events/batch. */
export const BatchAnswer = Type.Object(
  {
    data: Type.Array(
      Type.Union(
        [
          Type.Object(
            {
              status: Type.Union([Type.Literal(201), Type.Literal(200)], {
                description: '201, or 200 if the idempotency key was used before.',
              }),
              ...RecordedInBatch.properties,
            },
            { $id: 'RecordedInBatch' },
          ),
          Type.Object(
            {
              status: Type.Integer({ description: 'HTTP status of the error: 400, 409, 500 or 503.' }),
              error: Refusal,
            },
            { $id: 'RefusedInBatch' },
          ),
        ],
        { $id: 'EventInBatch' },
      ),
      { description: 'Results in the order of the request. Each is the response of `POST /v1/events`.' },
    ),
  },
  { $id: 'RecordedEvents' },
)

/** Request body of POST /v1/events/check. Accepts any object, because the response contains the errors. */
export const EventToCheck = Type.Object(
  {},
  {
    additionalProperties: true,
    $id: 'EventToCheck',
    description: 'Body for `POST /v1/events`. It can be invalid: the response lists the errors.',
  },
)

/** Response of POST /v1/events/check. */
export const CheckedEvent = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether `POST /v1/events` would return 201 or 200.' }),
    status: Type.Integer({ description: 'HTTP status that `POST /v1/events` would return.' }),
    error: withDescription(Nullable(Refusal), 'Error that would be returned. Null if the event would be accepted.'),
    customer: Type.Union([Type.Literal('known'), Type.Literal('would_enrol'), Type.Literal('not_identified')], {
      description: '`would_enrol`: the phone number is new, and recording the event would create the customer.',
    }),
    customerId: withDescription(
      Nullable(Id),
      'ID of the customer that the event would be about. Null if the customer is not known yet.',
    ),
    replay: Type.Union([Id, Type.Null()], {
      description:
        'ID of the event already recorded with this idempotency key, which would be returned. Null if there is none.',
    }),
    ...judged,
  },
  { $id: 'CheckedEvent' },
)
export type CheckedEvent = Static<typeof CheckedEvent>
