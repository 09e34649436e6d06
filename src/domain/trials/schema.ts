import { type Static, Type } from '@sinclair/typebox'
import { RecordEvent } from '../events/index.ts'
import { endReasons, stepOutcomes } from '../run-words.ts'
import { described, eitherIsGiven, Id, literals, message, Nullable, published, Time } from '../schema.ts'

const after = message('Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.')

/** Maximum number of answers in one trial. */
const maxAnswers = 50
const maxReply = 4096

const Version = Type.Union([Type.Literal('draft'), Type.Integer({ minimum: 1, maximum: 2_147_483_647 })], {
  description: '`draft`, which is also what is meant without it, or the number of a published version.',
  ...message('Must be draft or the number of a published version.'),
})

const ArrivingEvent = Type.Object(
  {
    type: RecordEvent.properties.type,
    data: RecordEvent.properties.data,
  },
  {
    additionalProperties: false,
    description: 'An event of the customer that arrives then.',
    ...message('Must be {type, data?}.'),
  },
)

const Answer = Type.Union(
  [
    Type.Object(
      {
        after: described(Type.String(after), 'So long after the beginning of the run, such as `PT1H` or `2d`.'),
        reply: Type.String({
          maxLength: maxReply,
          description: 'What the customer writes then.',
          ...message(`Must be a text of at most ${maxReply} characters.`),
        }),
      },
      { additionalProperties: false, $id: 'TrialReply' },
    ),
    Type.Object(
      { after: described(Type.String(after), 'So long after the beginning of the run.'), event: ArrivingEvent },
      { additionalProperties: false, $id: 'TrialEvent' },
    ),
  ],
  { $id: 'TrialAnswer', ...message('Must be {after, reply} or {after, event}.') },
)

export const TryWorkflow = Type.Object(
  {
    eventId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'An event of the workspace. Of this and `event` one is required.',
        ...message('Must be the id of an event, a UUID.'),
      }),
    ),
    event: Type.Optional(RecordEvent),
    customerId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Without it: the customer of `eventId`, or the one whom `event` would be about, who is made up where it would enrol them or names nobody.',
        ...message('Must be the id of a customer, a UUID.'),
      }),
    ),
    version: Type.Optional(Version),
    answers: Type.Optional(
      Type.Array(Answer, {
        maxItems: maxAnswers,
        description:
          'What the customer does: `after` so long from the beginning of the run. What is not answered times out.',
        ...message(`Must be a list of at most ${maxAnswers} answers.`),
      }),
    ),
  },
  { additionalProperties: false, $id: 'TryWorkflow', ...published(eitherIsGiven('eventId', 'event')) },
)
export type TryWorkflow = Static<typeof TryWorkflow>

const Verdict = Type.Object(
  {
    workflowId: described(Id, 'The workflow that was tried.'),
    name: described(Type.String(), 'What it is called.'),
    verdict: Type.Union([Type.Literal('started'), Type.Literal('not_run_for_customer'), Type.Literal('no_listener')], {
      description:
        '`no_listener`: the event is of another type. Whether the workflow is switched on, and `entry`, are not asked.',
    }),
    runId: described(Nullable(Id), 'Always null: none is made.'),
    explanation: Type.String({ description: 'A sentence for a person.' }),
    comparisons: Type.Array(
      Type.Object({
        path: described(Type.String(), 'Where it looked.'),
        op: described(Type.String(), 'How it compared.'),
        value: Type.Optional(described(Type.Unknown(), 'With what.')),
        found: Type.Optional(Type.Unknown({ description: 'Absent where nothing was there.' })),
        negated: Type.Boolean({ description: 'It was true, and should not have been.' }),
      }),
      { description: 'What decided against the event in the filter, at most three.' },
    ),
  },
  { description: 'Whether the event would start the workflow, and why.' },
)

export const TriedWorkflow = Type.Object(
  {
    verdict: Verdict,
    steps: Type.Array(
      Type.Object({
        stepId: described(Type.String(), 'The step.'),
        outcome: literals(stepOutcomes, { description: 'What came of it.' }),
        detail: described(Type.Unknown(), 'More about it, as the kind of step tells.'),
        at: described(Time, 'When it would be taken.'),
      }),
      { description: 'What each step did, as in the trace of a run, at the time that it would have been.' },
    ),
    messages: Type.Array(
      Type.Object({
        stepId: described(Type.String(), 'The step that wrote it.'),
        channelId: described(Id, 'The channel it would go over.'),
        handle: described(Type.String(), "The customer's address there."),
        text: described(Type.String(), 'What the customer would read.'),
        templateId: described(Nullable(Id), 'The template that was filled in; null for a text.'),
        skipped: Type.Union([Type.String(), Type.Null()], { description: 'Why it would not be sent.' }),
        at: described(Time, 'When it would be written.'),
      }),
      { description: 'What would be written to the customer; the first 200.' },
    ),
    sales: Type.Array(
      Type.Object({
        stepId: described(Type.String(), 'The step that marked it.'),
        amount: described(Type.String(), 'Decimal, with its digits.'),
        currency: described(Type.String(), 'ISO 4217.'),
        note: described(Nullable(Type.String()), 'What would be noted with it.'),
        at: described(Time, 'When it would be marked.'),
      }),
      { description: 'The sales that would be marked; the first 200.' },
    ),
    endReason: Nullable(
      literals([...endReasons, 'unfinished'], {
        description: 'As of a run; `unfinished` where it took too long to find out; null where none began.',
      }),
    ),
  },
  { $id: 'TriedWorkflow' },
)
export type TriedWorkflow = Static<typeof TriedWorkflow>

/** Maximum number of days that a replay covers, and maximum number of events. */
export const maxDays = 30
export const maxEvents = 50_000

export const ReplayWorkflow = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: maxDays,
      description: 'How far back.',
      ...message(`Must be a whole number from 1 to ${maxDays}.`),
    }),
    version: Type.Optional(Version),
  },
  { additionalProperties: false, $id: 'ReplayWorkflow' },
)
export type ReplayWorkflow = Static<typeof ReplayWorkflow>

const Counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })

export const ReplayedWorkflow = Type.Object(
  {
    events: Type.Integer({ description: 'How many events of the type were looked at, newest first.' }),
    complete: Type.Boolean({
      description: `Those were all there are of these days. Else there are more than ${maxEvents}, or it took too long.`,
    }),
    verdicts: Counts('How many events by verdict.'),
    byStep: Counts('How many runs came to each step.'),
    ends: Counts('How many runs by the reason of their end.'),
  },
  { $id: 'ReplayedWorkflow' },
)
export type ReplayedWorkflow = Static<typeof ReplayedWorkflow>
