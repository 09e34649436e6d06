import { type Static, Type } from '@sinclair/typebox'
import { errorCodes } from '../errors.ts'
import { Message } from '../messages/index.ts'
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
import { senders } from './sender.ts'

const text = (min: number, max: number) => message(`Must be a text of ${min} to ${max} characters.`)

/** Request body of POST /v1/events (contract 6.1). */
export const RecordEvent = Type.Object(
  {
    type: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Free text. A workflow starts when its trigger equals it to the letter, case and punctuation included.',
      ...text(1, 200),
    }),
    phone: Type.Optional(Phone),
    customerId: Type.Optional(
      Type.String({ format: 'uuid', description: "The service's own customer id.", ...message('Must be a UUID.') }),
    ),
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Your own id of an existing customer; it never enrols a new one.',
        ...text(1, 200),
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Used only when this call creates the customer.',
        ...text(1, 200),
      }),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 50,
        description: 'Input for workflows; at most 50 top-level fields.',
        ...message('Must be an object of at most 50 top-level fields.'),
      }),
    ),
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Describes the occurrence, not the attempt: a repeat records nothing and returns the first event.',
        ...text(1, 255),
      }),
    ),
    occurredAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When it happened, where that was not just now: at most 30 days ago and 5 minutes ahead. Workflow delays count from the recording all the same.',
      }),
    ),
    optIn: Type.Optional(
      Type.Object(
        {
          evidence: Type.String({
            minLength: 1,
            maxLength: 2000,
            pattern: '\\S',
            description: 'How the customer agreed to messages on your site, in words that hold more than white space.',
            ...message('Must be a text of 1 to 2000 characters that is not all white space.'),
          }),
        },
        {
          additionalProperties: false,
          description: 'Recorded before the event. It never lifts an opt-out.',
          ...message('Must be an object with the field evidence.'),
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    $id: 'RecordEvent',
    description: 'Something that happened, and whom it is about.',
    ...published(oneIsGiven(['phone', 'customerId', 'externalId'])),
  },
)
export type RecordEvent = Static<typeof RecordEvent>

export const Event = Type.Object(
  {
    id: described(Id, 'The event, by which it is read back.'),
    type: described(Type.String(), 'What happened, as the sender called it.'),
    source: Type.Union([Type.Literal('api'), Type.Literal('dashboard')], {
      description: '`api` for a key, `dashboard` for a person.',
    }),
    sender: Type.String({ description: 'The store plugin recognised from User-Agent, else `custom`.' }),
    customerId: described(Id, 'The customer it is about.'),
    data: described(Stored, 'What came with it, with the digits of its whole numbers.'),
    idempotencyKey: described(
      Nullable(Type.String()),
      'The key it was sent with; null where there was none, or its customer was erased.',
    ),
    occurredAt: described(Nullable(Time), 'When it happened, as its sender said; null where that was not said.'),
    createdAt: described(Time, 'When it was recorded.'),
  },
  { $id: 'Event', description: 'Something that happened, as it was recorded.' },
)
export type Event = Static<typeof Event>

export const WorkflowOutcome = Type.Object(
  {
    workflowId: described(Id, 'The workflow that names the type.'),
    name: described(Type.String(), 'What the workflow was called.'),
    verdict: Type.Union(
      [
        Type.Literal('started'),
        Type.Literal('switched_off'),
        Type.Literal('never_published'),
        Type.Literal('not_run_for_customer'),
      ],
      { description: 'As of the moment the event was recorded.' },
    ),
    runId: Type.Union([Id, Type.Null()], {
      description: 'The run that was started; where a `rule` refused it, the run that is in the way.',
    }),
    rule: Type.Optional(
      Type.Union([Type.Literal('once'), Type.Literal('not_while_active')], {
        description: 'The rule of `entry.reentry` by which it did not run.',
      }),
    ),
    detail: Type.Optional(
      Type.Object(
        {
          since: described(Time, 'Since when the run is there, or the workflow switched off.'),
          rule: Type.Optional(described(Type.String(), 'The rule by which it did not run.')),
          runId: Type.Optional(described(Id, 'The run that is in the way.')),
          by: Type.Optional(Type.Union([Id, Type.Null()], { description: 'The user who switched it off.' })),
        },
        {
          description:
            'With `rule`: the run in the way, and when that one began. Of `switched_off`: since when, and by whom; left out where the workflow was never switched on.',
        },
      ),
    ),
    explanation: Type.String({ description: 'A sentence for a person.' }),
  },
  { $id: 'WorkflowOutcome' },
)
export type WorkflowOutcome = Static<typeof WorkflowOutcome>

export const DidYouMean = Type.Object(
  {
    type: described(Type.String(), 'The type that was perhaps meant.'),
    workflows: Type.Integer({ description: 'How many workflows name it.' }),
  },
  { $id: 'DidYouMean', description: 'The nearest type that something does listen to.' },
)

const judged = {
  matchedWorkflows: Type.Integer({ description: 'Workflows that were waiting on this type; 0 is no error.' }),
  outcomes: Type.Array(WorkflowOutcome, {
    description: 'What became of each workflow that names the type; empty where nothing listens.',
  }),
  didYouMean: Type.Union([DidYouMean, Type.Null()], {
    description: 'Where nothing listens: the nearest type that something does listen to, if one is near.',
  }),
}

/** Possible differences between an event and a repeat of its idempotency key. */
const mismatches = ['type', 'customer', 'occurredAt', 'data'] as const
export type Mismatch = (typeof mismatches)[number]

const MismatchList = (description: string) => Type.Array(Type.Unsafe<Mismatch>(literals(mismatches)), { description })

export const RecordedEvent = Type.Object(
  {
    recorded: Type.Boolean({
      description:
        'false: the idempotency key had been seen, and `event` is the first event, or what remains of one that is no longer kept.',
    }),
    mismatch: Type.Optional(
      MismatchList(
        'In what this repeat differs from the first event, which is returned all the same; left out where nothing differs. Nothing of the repeat was recorded: use a new key for each occurrence.',
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
        id: described(Id, 'The message.'),
        runId: described(Id, 'The run that wrote it.'),
        providerMessageId: Nullable(
          Type.String({ description: 'As `message.status` names it; null until the provider has taken it.' }),
        ),
        status: Message.properties.status,
      }),
      { description: 'What the runs that it started have written so far: the first fifty.' },
    ),
    idempotencyMismatch: Nullable(
      Type.Object(
        {
          fields: MismatchList('In what such repeats differed.'),
          lastAt: described(Time, 'When such a repeat was last noted, to within ten minutes.'),
        },
        {
          description:
            'A warning: its idempotency key was used again for something else, of which nothing was recorded. Null where that never happened.',
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
  description: 'Only events of this type, equal to the letter.',
  ...text(1, 200),
})

/** Query parameter: events of one sender. */
export const SenderFilter = Type.Unsafe<string>(
  literals(senders, {
    description: 'Only events that came from this store plugin, or from code of your own (`custom`).',
    ...message(`Must be one of ${senders.join(', ')}.`),
  }),
)

/** Query of GET /v1/events. */
export const EventQuery = Type.Object({
  ...PageQuery.properties,
  type: Type.Optional(TypeFilter),
  customerId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only events about this customer.', ...message('Must be a UUID.') }),
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
      description: 'Each as the body of POST /v1/events.',
      ...message('Must be a list of 1 to 500 events.'),
    }),
  },
  { additionalProperties: false, $id: 'RecordEvents' },
)
export type RecordEvents = Static<typeof RecordEvents>

const Refusal = Type.Object(
  {
    code: Type.Unsafe<string>(described(literals(errorCodes), 'What programs go by.')),
    message: described(Type.String(), 'A sentence for a person.'),
    details: Type.Optional(
      described(Type.Record(Type.String(), Type.String()), 'The path of each offending field and the reason.'),
    ),
  },
  { $id: 'EventRefusal', description: 'As in the error envelope.' },
)

const { event: _, ...besidesEvent } = RecordedEvent.properties

/** A new or repeated event in the response of POST /v1/events/batch. */
const RecordedInBatch = Type.Object({
  ...besidesEvent,
  outcomes: Type.Optional(besidesEvent.outcomes),
  outcomesLeftOut: Type.Optional(
    Type.Literal(true, {
      description: '`outcomes` would have made the answer too large: read them with `GET /v1/events/{id}`.',
    }),
  ),
  event: Type.Object(
    {
      ...Event.properties,
      data: Type.Optional(Event.properties.data),
    },
    { description: 'The event; without its `data` where `dataLeftOut` says so.' },
  ),
  dataLeftOut: Type.Optional(
    Type.Literal(true, {
      description:
        'The event had been recorded before, and its `data` would have made the answer too large, or could not be read at this moment: read it with `GET /v1/events/{id}`.',
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
                description: '200 where the idempotency key had been seen.',
              }),
              ...RecordedInBatch.properties,
            },
            { $id: 'RecordedInBatch' },
          ),
          Type.Object(
            { status: Type.Integer({ description: '400, 409, 500 or 503.' }), error: Refusal },
            { $id: 'RefusedInBatch' },
          ),
        ],
        { $id: 'EventInBatch' },
      ),
      { description: 'By position: what POST /v1/events would have answered to each.' },
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
    description: 'Meant as the body of POST /v1/events. What is wrong with it is told in the answer.',
  },
)

/** Response of POST /v1/events/check. */
export const CheckedEvent = Type.Object(
  {
    valid: Type.Boolean({ description: 'POST /v1/events would answer 201 or 200.' }),
    status: Type.Integer({ description: 'The status that POST /v1/events would answer.' }),
    error: described(Nullable(Refusal), 'What would be refused, and why; null where the event would be taken.'),
    customer: Type.Union([Type.Literal('known'), Type.Literal('would_enrol'), Type.Literal('not_identified')], {
      description: '`would_enrol`: the phone is new, and recording the event would create the customer.',
    }),
    customerId: described(Nullable(Id), 'The customer it would be about; null where that is nobody known yet.'),
    replay: Type.Union([Id, Type.Null()], {
      description: 'The event that was recorded with this idempotency key, which would be the answer.',
    }),
    ...judged,
  },
  { $id: 'CheckedEvent' },
)
export type CheckedEvent = Static<typeof CheckedEvent>
