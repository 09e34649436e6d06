import { type Static, Type } from '@sinclair/typebox'
import { Id, message, Nullable, Time } from '../schema.ts'

const StepId = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_?-]{0,63}$',
  ...message('Must be a step id: a letter, then letters, digits, _, - or ?.'),
})
const Next = Nullable(StepId)

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const

/** `data.*` is the event's data, `event.type` its type, `customer.*` the customer's record. */
const Path = Type.String({
  pattern: '^(data|event|customer)(\\.[A-Za-z0-9_-]{1,100}){1,8}$',
  ...message('Must be a path such as data.total, event.type or customer.name.'),
})

/** A comparison, or all/any/not of conditions. A path that is absent makes its comparison false. */
export const Condition = Type.Recursive(
  This =>
    Type.Union([
      Type.Object({ all: Type.Array(This, { minItems: 1, maxItems: 50 }) }, { additionalProperties: false }),
      Type.Object({ any: Type.Array(This, { minItems: 1, maxItems: 50 }) }, { additionalProperties: false }),
      Type.Object({ not: This }, { additionalProperties: false }),
      Type.Object(
        { path: Path, op: Type.Union(operators.map(op => Type.Literal(op))), value: Type.Optional(Type.Unknown()) },
        { additionalProperties: false },
      ),
    ]),
  {
    $id: 'Condition',
    ...message(
      `Must be {path, op, value} with op one of ${operators.join(', ')}, or {all: [...]}, {any: [...]}, {not: {...}}.`,
    ),
  },
)
export type Comparison = { path: string; op: (typeof operators)[number]; value?: unknown }
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Comparison

const DelayStep = Type.Object(
  {
    type: Type.Literal('delay'),
    for: Type.String({
      description:
        'ISO 8601 (`PT1H`, `P2D`) or short (`500ms`, `30s`, `5m`, `1h`, `2d`), at most 90 days. The first delay of a run is measured from the moment the event was recorded.',
    }),
    next: Next,
  },
  { additionalProperties: false },
)

const ConditionStep = Type.Object(
  { type: Type.Literal('condition'), if: Condition, then: Next, else: Next },
  { additionalProperties: false },
)

const SendMessageStep = Type.Object(
  {
    type: Type.Literal('send_message'),
    text: Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        'May hold `{{customer.name}}`, `{{data.total}}` and the like; `{{customer.name|there}}` says what stands there when the value is absent.',
    }),
    channelId: Type.Optional(Type.String({ format: 'uuid', description: 'Without it: the channel connected first.' })),
    next: Next,
  },
  { additionalProperties: false },
)

export const Step = Type.Union([DelayStep, ConditionStep, SendMessageStep], {
  description: 'One of the steps `delay`, `condition`, `send_message`.',
})
export type Step =
  | Static<typeof DelayStep>
  | { type: 'condition'; if: Condition; then: string | null; else: string | null }
  | Static<typeof SendMessageStep>

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
    steps: Type.Record(Type.String(), Step, { minProperties: 1, maxProperties: 200 }),
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
export type Workflow = Omit<Static<typeof Workflow>, 'draft'> & { draft: Definition }

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
    endReason: Nullable(Type.String()),
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
export type Run = Static<typeof Run>
