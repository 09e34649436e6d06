import { type Static, Type } from '@sinclair/typebox'
import {
  errorMessage,
  Id,
  literals,
  Nullable,
  publishedKeywords,
  requireExactlyOne,
  Time,
  withDescription,
} from '../../core/schema.ts'
import { endReasons, stepOutcomes } from '../../core/statuses.ts'
import { RecordEvent } from '../index.ts'

const after = errorMessage('Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.')

/** Maximum number of answers in one trial. */
const maxAnswers = 50
const maxReply = 4096

const Version = Type.Union([Type.Literal('draft'), Type.Integer({ minimum: 1, maximum: 2_147_483_647 })], {
  description: '`draft` or the number of a published version. Defaults to `draft`.',
  ...errorMessage('Must be draft or the number of a published version.'),
})

const ArrivingEvent = Type.Object(
  {
    type: RecordEvent.properties.type,
    data: RecordEvent.properties.data,
  },
  {
    additionalProperties: false,
    description: 'Event of the customer that arrives at this time.',
    ...errorMessage('Must be {type, data?}.'),
  },
)

const Answer = Type.Union(
  [
    Type.Object(
      {
        after: withDescription(Type.String(after), 'Time since the start of the run, for example `PT1H` or `2d`.'),
        reply: Type.String({
          maxLength: maxReply,
          description: 'Reply of the customer at this time.',
          ...errorMessage(`Must be a text of at most ${maxReply} characters.`),
        }),
      },
      { additionalProperties: false, $id: 'TrialReply' },
    ),
    Type.Object(
      { after: withDescription(Type.String(after), 'Time since the start of the run.'), event: ArrivingEvent },
      { additionalProperties: false, $id: 'TrialEvent' },
    ),
  ],
  { $id: 'TrialAnswer', ...errorMessage('Must be {after, reply} or {after, event}.') },
)

export const TryWorkflow = Type.Object(
  {
    eventId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'ID of an event of the workspace. Exactly one of `eventId` and `event` is required.',
        ...errorMessage('Must be the id of an event, a UUID.'),
      }),
    ),
    event: Type.Optional(RecordEvent),
    customerId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'ID of the customer. Defaults to the customer of `eventId`, or the one that `event` would be about. A customer is simulated if `event` would create one or identifies none.',
        ...errorMessage('Must be the id of a customer, a UUID.'),
      }),
    ),
    version: Type.Optional(Version),
    answers: Type.Optional(
      Type.Array(Answer, {
        maxItems: maxAnswers,
        description:
          'Actions of the customer. `after` is the time since the start of the run. A wait without an answer times out.',
        ...errorMessage(`Must be a list of at most ${maxAnswers} answers.`),
      }),
    ),
  },
  { additionalProperties: false, $id: 'TryWorkflow', ...publishedKeywords(requireExactlyOne('eventId', 'event')) },
)
export type TryWorkflow = Static<typeof TryWorkflow>

const Verdict = Type.Object(
  {
    workflowId: withDescription(Id, 'ID of the tested workflow.'),
    name: withDescription(Type.String(), 'Name of the workflow.'),
    verdict: Type.Union([Type.Literal('started'), Type.Literal('not_run_for_customer'), Type.Literal('no_listener')], {
      description:
        '`no_listener`: the event has another type. The test ignores `entry` and whether the workflow is switched on.',
    }),
    runId: withDescription(Nullable(Id), 'Always null, because no run is created.'),
    explanation: Type.String({ description: 'Explanation in one sentence, for people.' }),
    comparisons: Type.Array(
      Type.Object({
        path: withDescription(Type.String(), 'Path of the compared value.'),
        op: withDescription(Type.String(), 'Operator of the comparison.'),
        value: Type.Optional(withDescription(Type.Unknown(), 'Value to compare with.')),
        found: Type.Optional(Type.Unknown({ description: 'Value that was found. Omitted if there was none.' })),
        negated: Type.Boolean({
          description: 'Whether the comparison was true but had to be false, because of a `not`.',
        }),
      }),
      { description: 'Comparisons of the filter that did not match the event. At most three.' },
    ),
  },
  { description: 'Whether the event would start the workflow, and why.' },
)

export const TriedWorkflow = Type.Object(
  {
    verdict: Verdict,
    steps: Type.Array(
      Type.Object({
        stepId: withDescription(Type.String(), 'ID of the step.'),
        outcome: literals(stepOutcomes, { description: 'Result of the step.' }),
        detail: withDescription(Type.Unknown(), 'Details, depending on the type of the step.'),
        at: withDescription(Time, 'Time when the step would be executed.'),
      }),
      { description: 'Results of the steps with their simulated times, as in the trace of a run.' },
    ),
    messages: Type.Array(
      Type.Object({
        stepId: withDescription(Type.String(), 'ID of the step that created the message.'),
        channelId: withDescription(Id, 'ID of the channel that would send the message.'),
        handle: withDescription(Type.String(), 'Address of the customer on the channel.'),
        text: withDescription(Type.String(), 'Text that the customer would receive.'),
        templateId: withDescription(Nullable(Id), 'ID of the template. Null for a text without a template.'),
        skipped: Type.Union([Type.String(), Type.Null()], {
          description: 'Why the message would not be sent. Null if it would be sent.',
        }),
        at: withDescription(Time, 'Time when the message would be created.'),
      }),
      { description: 'Messages that would be sent to the customer. At most the first 200.' },
    ),
    sales: Type.Array(
      Type.Object({
        stepId: withDescription(Type.String(), 'ID of the step that marked the sale.'),
        amount: withDescription(Type.String(), 'Decimal number with its exact digits.'),
        currency: withDescription(Type.String(), 'Currency code (ISO 4217).'),
        note: withDescription(
          Nullable(Type.String()),
          'Note that would be stored with the sale. Null if there is none.',
        ),
        at: withDescription(Time, 'Time when the sale would be marked.'),
      }),
      { description: 'Sales that would be marked. At most the first 200.' },
    ),
    endReason: Nullable(
      literals([...endReasons, 'unfinished'], {
        description: 'End reason, as in a run. `unfinished`: the test took too long. Null if no run started.',
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
      description: 'Number of days to replay.',
      ...errorMessage(`Must be a whole number from 1 to ${maxDays}.`),
    }),
    version: Type.Optional(Version),
  },
  { additionalProperties: false, $id: 'ReplayWorkflow' },
)
export type ReplayWorkflow = Static<typeof ReplayWorkflow>

const Counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })

export const ReplayedWorkflow = Type.Object(
  {
    events: Type.Integer({ description: 'Number of events of the type that were checked, newest first.' }),
    complete: Type.Boolean({
      description: `Whether all events of these days were checked. false: there are more than ${maxEvents}, or the replay took too long.`,
    }),
    verdicts: Counts('Number of events by verdict.'),
    byStep: Counts('Number of runs that reached each step.'),
    ends: Counts('Number of runs by end reason.'),
  },
  { $id: 'ReplayedWorkflow' },
)
export type ReplayedWorkflow = Static<typeof ReplayedWorkflow>
