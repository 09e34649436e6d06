import { type Static, Type } from '@sinclair/typebox'
import { Id, message, Nullable, Time } from '../schema.ts'
import { maxCharacters } from './facts.ts'

export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_?-]{0,63}$/
export const stepIdWanted = message('Must be a step id: a letter, then letters, digits, _, - or ?; 64 in all at most.')
const StepId = Type.String({ pattern: stepIdPattern.source, ...stepIdWanted })
const Next = Type.Union(
  [StepId, Type.Null()],
  message(
    'Must be the id of the step that follows: a letter, then letters, digits, _, - or ?; or null to end the run.',
  ),
)

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const

/** `data.*` is the event's data, `event.type` its type, `customer.*` the customer's record. */
const Path = Type.String({
  pattern: '^(data|event|customer)(\\.[A-Za-z0-9_-]{1,100}){1,8}$',
  description:
    '`data.…` (a field of the event, `data.items.0.sku` one within), `event.type`, `event.id`, `customer.name`, `customer.phone`, `customer.externalId`, `customer.id` or `customer.attributes.…`. The filter of a trigger knows `data.…` and `event.type` alone.',
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
        {
          path: Path,
          op: Type.Union(operators.map(op => Type.Literal(op))),
          value: Type.Optional(
            Type.Unknown({
              description:
                '`eq`, `ne`, `contains`: a text, a number, true or false. `gt`, `gte`, `lt`, `lte`: a number, or a text that is one. `in`: a list of 1 or more texts, numbers, true or false. `exists`: false asks that nothing be there; true or nothing asks that something be.',
            }),
          ),
        },
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

/** Why a text is not taken as a duration. */
export const durationWanted = message('Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.')

const DelayStep = Type.Object(
  {
    type: Type.Literal('delay'),
    for: Type.String({
      ...durationWanted,
      description:
        'ISO 8601 (`PT1H`, `P2D`) or short (`500ms`, `30s`, `5m`, `1h`, `2d`), at most 90 days. The first delay of a run is measured from the moment the event was recorded. A circle of steps must hold a delay of at least 1 second.',
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
      maxLength: maxCharacters,
      description:
        'Not white space alone. May hold `{{customer.name}}`, `{{data.total}}` and the like; `{{customer.name|there}}` says what stands there when the value is absent. There are `data.…`, `event.id`, `event.type`, `customer.id`, `customer.name`, `customer.phone`, `customer.externalId` and `customer.attributes.…`. The message that is sent has at most 4096 characters: what stands around the placeholders is kept whole, the values share the rest in their order, and one that does not fit is cut.',
    }),
    channelId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Without it: the channel connected first. Publishing is refused where the workspace has no such channel; one that is gone later skips the message.',
        ...message('Must be the id of a channel, a UUID.'),
      }),
    ),
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
    endReason: Nullable(
      Type.String({
        description:
          'Why it ended: `completed`; or, with the status `failed`, `too_many_steps` (more than 1000), `step_missing`, `customer_erased`, or `internal_error`, a fault of ours.',
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
export type Run = Static<typeof Run>
