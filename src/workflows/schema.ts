import { type Static, Type } from '@sinclair/typebox'
import { Condition } from '../core/conditions/index.ts'
import {
  errorMessage,
  Id,
  literals,
  Nullable,
  PageQuery,
  publishedKeywords,
  StringMap,
  Time,
  textFilter,
  withDescription,
  withoutNul,
} from '../core/schema.ts'
import type { JsonText } from '../platform/json-text.ts'
import { type Draft, DraftError, maxDraftErrors, WorkflowDraft } from './draft-schema.ts'
import { ExitOn, maxExits } from './exit-on.ts'
import { StepId, stepIdPattern } from './ids.ts'
import { EventType } from './runs/arrivals.ts'
import { RunsByStep } from './stats-schema.ts'
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
        description: 'Events that start a run: events of the type that match `where`, if it is given.',
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
                  '`once`: a customer has at most one run of the workflow, ever. `not_while_active`: at most one run at a time. A start that this rule prevents is shown with the event as `not_run_for_customer`.',
                ...errorMessage('Must be one of always, once, not_while_active.'),
              },
            ),
          ),
          key: Type.Optional(
            Type.String({
              pattern: '^data(\\.[A-Za-z0-9_-]{1,100}){1,8}$',
              description:
                'Field of the event. The rule then applies separately to each of its values for the customer.',
              ...errorMessage('Must be a path in the data of the event, such as data.cartId.'),
            }),
          ),
        },
        {
          additionalProperties: false,
          description: 'Limit on how often a customer can start the workflow. Defaults to always.',
          ...errorMessage('Must be {reentry?, key?}.'),
        },
      ),
    ),
    exitOn: Type.Optional(
      Type.Array(ExitOn, {
        maxItems: maxExits,
        description:
          'Ends a run immediately at any step: an event of its customer with the given reason, or an opt-out.',
        ...errorMessage(`Must be a list of at most ${maxExits}.`),
      }),
    ),
    start: withDescription(StepId, 'ID of the first step.'),
    steps: Type.Record(Type.String(), Step, {
      minProperties: 1,
      maxProperties: 200,
      description: 'Steps by ID, at most 200.',
      ...publishedKeywords({ propertyNames: { pattern: stepIdPattern.source } }),
      ...errorMessage('Must be an object of 1 to 200 steps by their ids.'),
    }),
  },
  {
    additionalProperties: false,
    $id: 'WorkflowDefinition',
    description: 'Trigger and steps of a workflow. Each step names the next step.',
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
  ...errorMessage('Must be a text of 1 to 100 characters.'),
})

export const CreateWorkflow = Type.Object(
  { name: withDescription(Name, 'Name of the workflow.'), definition: WorkflowDraft },
  { additionalProperties: false, $id: 'CreateWorkflow' },
)
export type CreateWorkflow = { name: string; definition: Draft }

/** Body of POST /v1/workflows/check. */
export const WorkflowToCheck = Type.Object(
  {
    definition: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Definition of a workflow. It can be invalid: the response lists the errors.',
        ...errorMessage('Must be an object.'),
      },
    ),
  },
  { additionalProperties: false, $id: 'WorkflowToCheck' },
)

export const CheckedWorkflow = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the definition can be published.' }),
    details: Nullable(
      StringMap(Type.String(), {
        description:
          'Errors by path, for example `definition.steps.thanks.text`. At most the first 20. Null if there are none.',
      }),
    ),
  },
  { $id: 'CheckedWorkflow' },
)
export type CheckedWorkflow = Static<typeof CheckedWorkflow>

export const ChangeWorkflow = Type.Object(
  {
    name: Type.Optional(withDescription(Name, 'Name of the workflow.')),
    definition: Type.Optional(WorkflowDraft),
    enabled: Type.Optional(
      Type.Boolean({
        description: 'Whether events start runs of the published version.',
        ...errorMessage('Must be true or false.'),
      }),
    ),
    archived: Type.Optional(
      Type.Boolean({
        description:
          'True switches the workflow off and hides it from the default list. False shows it again, switched off. Its versions and runs stay.',
        ...errorMessage('Must be true or false.'),
      }),
    ),
    running: Type.Optional(
      Type.Union([Type.Literal('finish'), Type.Literal('stop')], {
        description:
          'Effect on active runs when `enabled` is set to false, or `archived` to true. `finish` lets them continue and is the default. `stop` ends them within moments with the status `stopped`.',
        ...errorMessage('Must be finish or stop.'),
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeWorkflow',
    ...errorMessage('Must contain at least one of name, definition, enabled and archived.'),
  },
)
export type ChangeWorkflow = {
  name?: string
  definition?: Draft
  enabled?: boolean
  archived?: boolean
  running?: 'finish' | 'stop'
}

/** Optional body of the request that publishes a workflow. */
export const PublishWorkflow = Type.Object(
  {
    move: Type.Optional(
      Type.Boolean({
        description:
          'Moves active runs to the new version within moments, if it still contains their step. Their wait then follows the new version. A changed duration counts from the start of the wait. All other runs finish on their version.',
        ...errorMessage('Must be true or false.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'PublishWorkflow' },
)
export type PublishWorkflow = Static<typeof PublishWorkflow>

export const Workflow = Type.Object(
  {
    id: withDescription(Id, 'ID of the workflow.'),
    name: withDescription(Type.String(), 'Name of the workflow.'),
    enabled: Type.Boolean({
      description: 'Whether the workflow is switched on: events start runs of the published version.',
    }),
    triggerType: Type.String({
      description:
        'Event type of the trigger, from the published version or else the draft. Empty until a draft has a valid one.',
    }),
    publishedVersion: withDescription(
      Nullable(Type.Integer()),
      'Version that new runs use. Null if none was published.',
    ),
    draft: WorkflowDraft,
    draftErrors: Type.Array(DraftError, {
      maxItems: maxDraftErrors,
      description:
        'Errors that prevent publishing the draft. At most the first 20. Empty if the draft is complete. Missing channels and templates are not included. Publishing and `POST /v1/workflows/check` detect them.',
    }),
    archivedAt: withDescription(Nullable(Time), 'Time when the workflow was archived. Null if it is not archived.'),
    createdAt: withDescription(Time, 'Time of creation.'),
    updatedAt: withDescription(Time, 'Time of the last change.'),
  },
  { $id: 'Workflow' },
)
export type Workflow = Omit<Static<typeof Workflow>, 'draft'> & { draft: Draft | JsonText }

/** Orders of the list of workflows. */
const workflowSorts = ['newest', 'oldest', 'name', 'name_descending'] as const
export type WorkflowSort = (typeof workflowSorts)[number]

export const WorkflowQuery = Type.Object({
  ...PageQuery.properties,
  sort: Type.Optional(
    literals(workflowSorts, {
      default: 'newest',
      description: 'Order by time of creation, or by name without regard to case.',
      ...errorMessage(`Must be one of ${workflowSorts.join(', ')}.`),
    }),
  ),
  archived: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'True returns only archived workflows. By default, only the others are returned.',
      ...errorMessage('Must be true or false.'),
    }),
  ),
  q: textFilter(
    'Only workflows whose name contains all words of this text, in any order. Case and accents are ignored.',
  ),
  triggerType: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: withoutNul,
      description: 'Only workflows with exactly this `triggerType`.',
      ...errorMessage('Must be a text of at most 200 characters.'),
    }),
  ),
  enabled: Type.Optional(
    Type.Boolean({
      description: 'True returns only workflows that are switched on, and false only the others.',
      ...errorMessage('Must be true or false.'),
    }),
  ),
})
export type WorkflowQuery = Static<typeof WorkflowQuery>

const version = {
  version: Type.Integer({ description: 'Number of the version, counted from 1.' }),
  publishedAt: withDescription(Time, 'Time when the version was published.'),
  publishedBy: Type.Union([Id, Type.Null()], { description: 'ID of the user who published the version.' }),
}

export const WorkflowVersion = Type.Object(version, { $id: 'WorkflowVersion' })
export type WorkflowVersion = Static<typeof WorkflowVersion>

export const WorkflowVersionWhole = Type.Object({ ...version, definition: Definition }, { $id: 'WorkflowVersionWhole' })
export type WorkflowVersionWhole = WorkflowVersion & { definition: Definition | JsonText }

export const WorkflowImpact = Type.Object(
  {
    runsInFlight: Type.Integer({
      description: 'Number of runs of any version that have not ended. Counted up to 100,000.',
    }),
    byStep: RunsByStep,
    removedSteps: Type.Array(Type.String(), {
      description: 'Steps of the published version or of active runs that the draft does not contain.',
    }),
    movable: Type.Integer({
      description: 'Number of runs that would move to the draft if it were published with `move`.',
    }),
  },
  { $id: 'WorkflowImpact' },
)
export type WorkflowImpact = Static<typeof WorkflowImpact>
