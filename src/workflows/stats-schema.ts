/** Schemas of the statistics of a workflow. */
import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, Nullable, StringMap, Time, withDescription } from '../core/schema.ts'

export const RunsByStep = StringMap(Type.Integer(), { description: 'Number of runs at each step.' })

const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** Maximum number of steps and of edges in a response. */
export const [maxSteps, maxEdges] = [1000, 2000]

const StepStats = Type.Object(
  {
    stepId: Type.String({ description: 'ID of the step, in any version.' }),
    entered: Count('Number of runs that reached the step.'),
    left: Count('Number of runs that continued to another step, or that completed or exited at this step.'),
    waiting: Count('Number of runs that wait at the step now.'),
    sent: Count('Number of messages of the step that the provider accepted.'),
    delivered: Count('Number of messages that were delivered, including those that were read.'),
    read: withDescription(
      Nullable(Type.Integer({ minimum: 0 })),
      'Number of messages that were read. Null if no channel of the messages can report it.',
    ),
    replied: Count(
      'Number of messages after which the customer wrote in the conversation, within 7 days and before the next message of the run.',
    ),
    failed: Count('Number of messages that failed.'),
  },
  { $id: 'WorkflowStepStats' },
)
export type StepStats = Static<typeof StepStats>

const StepEdge = Type.Object(
  {
    from: Type.String({ description: 'ID of the step.' }),
    to: withDescription(Nullable(Type.String()), 'ID of the next step. Null if the run completed.'),
    runs: Count('Number of runs that took it.'),
  },
  { $id: 'WorkflowStepEdge' },
)
export type StepEdge = Static<typeof StepEdge>

const RunsOfDay = Type.Object(
  {
    at: withDescription(Time, 'Start of the day in UTC.'),
    started: Count('Number of runs that started on the day.'),
    done: Count('Number of these runs that are done.'),
    failed: Count('Number of these runs that failed.'),
    stopped: Count('Number of these runs that were stopped.'),
  },
  { $id: 'WorkflowRunsOfDay' },
)
export type RunsOfDay = Static<typeof RunsOfDay>

export const WorkflowStats = Type.Object(
  {
    waiting: RunsByStep,
    lastRunAt: withDescription(Nullable(Time), 'Time when the newest run started. Null if there is none.'),
    last7Days: Type.Object(
      {
        started: withDescription(Type.Integer(), 'Number of runs that started.'),
        completed: withDescription(Type.Integer(), 'Number of runs that completed all their steps.'),
        failed: withDescription(Type.Integer(), 'Number of runs that could not continue.'),
        exited: Type.Integer({ description: 'Number of runs that a step, an event or an opt-out ended, as defined.' }),
      },
      { description: 'Statistics of runs started in the last 7 days. At most the newest 100,000 are counted.' },
    ),
    startedByDay: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 7,
        maxItems: 7,
        description:
          'With `by=day`: number of runs that started in each of the last 7 periods of 24 hours, oldest first.',
      }),
    ),
    period: Type.Optional(
      Type.Object(
        {
          since: withDescription(Time, 'Start of the period.'),
          until: withDescription(Time, 'End of the period.'),
          runs: Count('Number of runs that were counted.'),
          complete: Type.Boolean({
            description: 'False if the period has more runs than are counted. The newest runs are counted.',
          }),
        },
        { description: 'With `by`: the runs that `days`, `steps` and `edges` count. They started in the period.' },
      ),
    ),
    days: Type.Optional(
      Type.Array(RunsOfDay, { description: 'With `by=day`: each day of the period in UTC, oldest first.' }),
    ),
    steps: Type.Optional(
      Type.Array(StepStats, {
        maxItems: maxSteps,
        description: 'With `by=step`: the steps that runs reached, those with the most runs first.',
      }),
    ),
    edges: Type.Optional(
      Type.Array(StepEdge, {
        maxItems: maxEdges,
        description: 'With `by=step`: the transitions between steps, those with the most runs first.',
      }),
    ),
  },
  { $id: 'WorkflowStats' },
)
export type WorkflowStats = Static<typeof WorkflowStats>

const time = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', description, ...errorMessage('Must be a time such as 2026-03-01T09:30:02Z.') }),
  )

export const StatsQuery = Type.Object({
  by: Type.Optional(
    Type.Union([Type.Literal('day'), Type.Literal('step')], {
      description: '`day` adds `days` and `startedByDay`. `step` adds `steps` and `edges`.',
      ...errorMessage('Must be day or step.'),
    }),
  ),
  since: time('With `by`: only runs that started at this time or later. Defaults to 7 days before `until`.'),
  until: time('With `by`: only runs that started before this time. Defaults to now.'),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999,
      description: 'With `by`: only runs of this version. Defaults to all versions.',
      ...errorMessage('Must be the number of a version.'),
    }),
  ),
})
export type StatsQuery = Static<typeof StatsQuery>
