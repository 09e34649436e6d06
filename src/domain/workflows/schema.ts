import { type Static, Type } from '@sinclair/typebox'
import { Condition } from '../conditions/index.ts'
import type { JsonText } from '../json-text.ts'
import { endReasons, runStatuses, stepOutcomes } from '../run-words.ts'
import { ByName, described, Id, literals, message, Nullable, published, Time } from '../schema.ts'
import { EventType } from './arrivals.ts'
import { type Draft, DraftError, maxDraftErrors, WorkflowDraft } from './draft-schema.ts'
import { ExitOn, maxExits } from './exit-on.ts'
import { StepId, stepIdPattern } from './ids.ts'
import { Step } from './steps/index.ts'

/** Definition of a workflow: steps with stable IDs that name their next step. Null ends the run. */
export const Definition = Type.Object(
  {
    trigger: Type.Object(
      {
        eventType: EventType,
        where: Type.Optional(Condition),
      },
      {
        additionalProperties: false,
        description: 'Which events start a run: those of the type for which `where`, if it is there, holds.',
      },
    ),
    entry: Type.Optional(
      Type.Object(
        {
          reentry: Type.Optional(
            Type.Union(
              ['always', 'once', 'not_while_active'].map(one => Type.Literal(one)),
              {
                description:
                  '`once`: a customer has one run of the workflow, ever; `not_while_active`: one at a time. A start that this refuses is told with the event, as `not_run_for_customer`.',
                ...message('Must be one of always, once, not_while_active.'),
              },
            ),
          ),
          key: Type.Optional(
            Type.String({
              pattern: '^data(\\.[A-Za-z0-9_-]{1,100}){1,8}$',
              description:
                'Then it is once, or one at a time, for the customer and each value of this field of the event.',
              ...message('Must be a path in the data of the event, such as data.cartId.'),
            }),
          ),
        },
        {
          additionalProperties: false,
          description: 'How often a customer is let in; without it, always.',
          ...message('Must be {reentry?, key?}.'),
        },
      ),
    ),
    exitOn: Type.Optional(
      Type.Array(ExitOn, {
        maxItems: maxExits,
        description:
          'What ends a run wherever it is, at once: an event of its customer, with the reason given, or an opt-out.',
        ...message(`Must be a list of at most ${maxExits}.`),
      }),
    ),
    start: described(StepId, 'The step that a run begins with.'),
    steps: Type.Record(Type.String(), Step, {
      minProperties: 1,
      maxProperties: 200,
      description: 'The steps by their ids, at most 200.',
      ...published({ propertyNames: { pattern: stepIdPattern.source } }),
      ...message('Must be an object of 1 to 200 steps by their ids.'),
    }),
  },
  {
    additionalProperties: false,
    $id: 'WorkflowDefinition',
    description: 'What starts a workflow, and its steps, each naming the one that follows it.',
  },
)
export type Definition = {
  trigger: { eventType: string; where?: Condition }
  entry?: { reentry?: 'always' | 'once' | 'not_while_active'; key?: string }
  exitOn?: ExitOn[]
  start: string
  steps: Record<string, Step>
}

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  ...message('Must be a text of 1 to 100 characters.'),
})

export const CreateWorkflow = Type.Object(
  { name: described(Name, 'What the workflow is called.'), definition: Definition },
  { additionalProperties: false, $id: 'CreateWorkflow' },
)
export type CreateWorkflow = { name: string; definition: Definition }

/** Body of POST /v1/workflows/check. */
export const WorkflowToCheck = Type.Object(
  {
    definition: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Meant as the definition of a workflow. What is wrong with it is told in the answer.',
        ...message('Must be an object.'),
      },
    ),
  },
  { additionalProperties: false, $id: 'WorkflowToCheck' },
)

export const CheckedWorkflow = Type.Object(
  {
    valid: Type.Boolean({ description: 'It could be published as it is.' }),
    details: Nullable(
      ByName(Type.String(), {
        description:
          'Why not: a sentence for each fault by its place, such as `definition.steps.thanks.text`, the first 20. Null where nothing is wrong.',
      }),
    ),
  },
  { $id: 'CheckedWorkflow' },
)
export type CheckedWorkflow = Static<typeof CheckedWorkflow>

export const ChangeWorkflow = Type.Object(
  {
    name: Type.Optional(described(Name, 'What the workflow is called.')),
    definition: Type.Optional(WorkflowDraft),
    enabled: Type.Optional(
      Type.Boolean({
        description: 'Whether arriving events start runs of the published version.',
        ...message('Must be true or false.'),
      }),
    ),
    running: Type.Optional(
      Type.Union([Type.Literal('finish'), Type.Literal('stop')], {
        description:
          'With `enabled: false`: what becomes of runs under way. `finish`, as without it, lets them go on; `stop` ends them, within moments, with the status `stopped`.',
        ...message('Must be finish or stop.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeWorkflow',
    ...message('Must hold at least one of name, definition and enabled.'),
  },
)
export type ChangeWorkflow = {
  name?: string
  definition?: Draft
  enabled?: boolean
  running?: 'finish' | 'stop'
}

/** Optional body of the request that publishes a workflow. */
export const PublishWorkflow = Type.Object(
  {
    move: Type.Optional(
      Type.Boolean({
        description:
          'Runs under way whose step the new version still has go on by it, within moments: what they wait for is then as it says, and a wait that became longer or shorter is counted from when it began. The others finish on theirs.',
        ...message('Must be true or false.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'PublishWorkflow' },
)
export type PublishWorkflow = Static<typeof PublishWorkflow>

export const Workflow = Type.Object(
  {
    id: described(Id, 'The workflow.'),
    name: described(Type.String(), 'What the workflow is called.'),
    enabled: Type.Boolean({ description: 'Switched on: arriving events start runs of the published version.' }),
    triggerType: Type.String({
      description: 'The event type it listens for: of the published version, else of the draft.',
    }),
    publishedVersion: described(
      Nullable(Type.Integer()),
      'The version that new runs go by; null where none was published.',
    ),
    draft: WorkflowDraft,
    draftErrors: Type.Array(DraftError, {
      maxItems: maxDraftErrors,
      description:
        'What keeps the draft from being published, the first 20 faults; empty if it is complete. Channels and templates that do not exist are not among them: publishing and `POST /v1/workflows/check` look for those.',
    }),
    createdAt: described(Time, 'When it was made.'),
    updatedAt: described(Time, 'When it was last changed.'),
  },
  { $id: 'Workflow' },
)
export type Workflow = Omit<Static<typeof Workflow>, 'draft'> & { draft: Draft | JsonText }

export const Run = Type.Object(
  {
    id: described(Id, 'The run.'),
    workflowId: described(Id, 'The workflow that runs.'),
    version: described(Type.Integer(), 'The version of the workflow that it goes by.'),
    customerId: described(Id, 'For whom it runs.'),
    eventId: described(Id, 'The event that started it.'),
    status: literals(runStatuses, {
      description: '`waiting`: at a step, for its time or for something to arrive; `active`: on its way to the next.',
    }),
    stepId: Nullable(Type.String({ description: 'The step it is at.' })),
    wakeAt: described(Nullable(Time), 'When it goes on by itself; null where it waits for no time.'),
    endReason: Nullable(
      literals(endReasons, {
        description:
          'Why it ended. With the status `done`: `completed`, `exited` (by a step that says so), `exit_condition` (by an event that `exitOn` names) or `opted_out`; `stopped`: by a person, or with its workflow; `failed`: `too_many_steps` (more than 1000), `step_missing`, `customer_erased`, or `internal_error`, a fault of ours: it was tried up to three times.',
      }),
    ),
    endDetail: Type.Optional(
      Type.String({ description: 'The reason that the definition gives for the end, where it gives one.' }),
    ),
    createdAt: described(Time, 'When it was started.'),
    endedAt: described(Nullable(Time), 'When it ended; null while it has not.'),
    steps: Type.Array(
      Type.Object({
        stepId: described(Type.String(), 'The step.'),
        outcome: literals(stepOutcomes, { description: 'What came of it.' }),
        detail: described(Type.Unknown(), 'More about it, as the kind of step tells; for `skipped` with the reason.'),
        at: described(Time, 'When the step was taken.'),
      }),
      { description: 'What each step did, in order.' },
    ),
  },
  { $id: 'Run' },
)
export type Run = Omit<Static<typeof Run>, 'steps'> & { steps: Static<typeof Run>['steps'] | JsonText }

const version = {
  version: Type.Integer({ description: 'Counted from 1.' }),
  publishedAt: described(Time, 'When it was published.'),
  publishedBy: Type.Union([Id, Type.Null()], { description: 'The user who published it.' }),
}

export const WorkflowVersion = Type.Object(version, { $id: 'WorkflowVersion' })
export type WorkflowVersion = Static<typeof WorkflowVersion>

export const WorkflowVersionWhole = Type.Object({ ...version, definition: Definition }, { $id: 'WorkflowVersionWhole' })
export type WorkflowVersionWhole = WorkflowVersion & { definition: Definition | JsonText }

const RunsByStep = ByName(Type.Integer(), { description: 'How many runs stand at which step.' })

export const WorkflowImpact = Type.Object(
  {
    runsInFlight: Type.Integer({
      description: 'Runs of any version that have not ended; at most 100,000 are counted.',
    }),
    byStep: RunsByStep,
    removedSteps: Type.Array(Type.String(), {
      description: 'Steps of the published version, or of runs under way, that the draft does not have.',
    }),
    movable: Type.Integer({ description: 'Runs that would go on by the draft, were it published with `move`.' }),
  },
  { $id: 'WorkflowImpact' },
)
export type WorkflowImpact = Static<typeof WorkflowImpact>

export const WorkflowStats = Type.Object(
  {
    waiting: RunsByStep,
    last7Days: Type.Object(
      {
        started: described(Type.Integer(), 'Runs that were started.'),
        completed: described(Type.Integer(), 'Runs that came to the end of their steps.'),
        failed: described(Type.Integer(), 'Runs that could not go on.'),
        exited: Type.Integer({ description: 'Ended by a step, an event or an opt-out, as the definition says.' }),
      },
      { description: 'Of the runs that were started in the last 7 days, at most the newest 100,000.' },
    ),
    startedByDay: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 7,
        maxItems: 7,
        description: 'With `by=day`: how many of them were started in each of the 7 times 24 hours, oldest first.',
      }),
    ),
  },
  { $id: 'WorkflowStats' },
)
export type WorkflowStats = Static<typeof WorkflowStats>

export const StatsQuery = Type.Object({
  by: Type.Optional(Type.Literal('day', { description: 'Whether to tell the last 7 days one by one too.' })),
})
export type StatsQuery = Static<typeof StatsQuery>
