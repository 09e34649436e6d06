import { type Static, Type } from '@sinclair/typebox'
import type { JsonText } from '../json-text.ts'
import { Id, message, Nullable, Time } from '../schema.ts'
import { Condition } from './condition.ts'
import { StepId } from './ids.ts'
import { Step } from './steps/index.ts'

/** Steps with stable ids that name what follows them; null ends the run. */
export const Definition = Type.Object(
  {
    trigger: Type.Object(
      {
        eventType: Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: '\\S',
          description: 'Equal to the event type to the letter, case and punctuation included.',
          ...message('Must be an event type of 1 to 200 characters.'),
        }),
        where: Type.Optional(Condition),
      },
      { additionalProperties: false },
    ),
    start: StepId,
    steps: Type.Record(Type.String(), Step, {
      minProperties: 1,
      maxProperties: 200,
      ...message('Must be an object of 1 to 200 steps by their ids.'),
    }),
  },
  { additionalProperties: false, $id: 'WorkflowDefinition' },
)
export type Definition = {
  trigger: { eventType: string; where?: Condition }
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
  { name: Name, definition: Definition },
  { additionalProperties: false, $id: 'CreateWorkflow' },
)
export type CreateWorkflow = { name: string; definition: Definition }

export const ChangeWorkflow = Type.Object(
  {
    name: Type.Optional(Name),
    definition: Type.Optional(Definition),
    enabled: Type.Optional(Type.Boolean(message('Must be true or false.'))),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeWorkflow',
    ...message('Must hold at least one of name, definition and enabled.'),
  },
)
export type ChangeWorkflow = { name?: string; definition?: Definition; enabled?: boolean }

export const Workflow = Type.Object(
  {
    id: Id,
    name: Type.String(),
    enabled: Type.Boolean({ description: 'Switched on: arriving events start runs of the published version.' }),
    triggerType: Type.String({
      description: 'The event type it listens for: of the published version, else of the draft.',
    }),
    publishedVersion: Nullable(Type.Integer()),
    draft: Definition,
    createdAt: Time,
    updatedAt: Time,
  },
  { $id: 'Workflow' },
)
export type Workflow = Omit<Static<typeof Workflow>, 'draft'> & { draft: Definition | JsonText }

export const Run = Type.Object(
  {
    id: Id,
    workflowId: Id,
    version: Type.Integer(),
    customerId: Id,
    eventId: Id,
    status: Type.Union([Type.Literal('active'), Type.Literal('done'), Type.Literal('failed')]),
    stepId: Nullable(Type.String({ description: 'The step it is at.' })),
    wakeAt: Nullable(Time),
    endReason: Nullable(
      Type.String({
        description:
          'Why it ended: `completed`; or, with the status `failed`, `too_many_steps` (more than 1000), `step_missing`, `customer_erased`, or `internal_error`, a fault of ours: it was tried up to three times.',
      }),
    ),
    createdAt: Time,
    endedAt: Nullable(Time),
    steps: Type.Array(
      Type.Object({
        stepId: Type.String(),
        outcome: Type.String(),
        detail: Type.Unknown(),
        at: Time,
      }),
      { description: 'What each step did, in order.' },
    ),
  },
  { $id: 'Run' },
)
export type Run = Omit<Static<typeof Run>, 'steps'> & { steps: Static<typeof Run>['steps'] | JsonText }
