/** Schema of conditions: a small typed tree over the facts of a run. `evaluate.ts` evaluates it. */
import { Type } from '@sinclair/typebox'
import { described, message } from '../schema.ts'

/** Maximum number of comparisons in one condition. */
export const maxComparisons = 200
/** Maximum nesting depth of `all`, `any` and `not`. */
export const maxLevels = 10
/** Maximum number of entries in the list of an `in`. */
export const maxListed = 1000

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const

/**
 * `data.*` is the event's data, `event.type` its type, `customer.*` the customer's record, `answer.*` the customer's
 * answer.
 */
const Path = Type.String({
  pattern: '^(now|(data|event|customer|answer|trigger\\.data)(\\.[A-Za-z0-9_-]{1,100}){1,8})$',
  description:
    '`data.…` (a field of the event, `data.items.0.sku` one within), `event.type`, `event.id`, `customer.name`, `customer.phone`, `customer.externalId`, `customer.id` or `customer.attributes.…`; `answer.text` and `answer.data.…` of the reply or the event that ended the last wait; `now`; `trigger.data.…` is another name of `data.…`. The filter of a trigger knows `data.…` and `event.type` alone.',
  ...message('Must be a path such as data.total, event.type or customer.name.'),
})

/** A comparison, or all/any/not of conditions. A comparison with an absent path is false. */
export const Condition = Type.Recursive(
  This =>
    Type.Union([
      Type.Object(
        { all: Type.Array(This, { minItems: 1, maxItems: 50, description: 'Every one of these must hold.' }) },
        { additionalProperties: false, $id: 'AllConditions' },
      ),
      Type.Object(
        { any: Type.Array(This, { minItems: 1, maxItems: 50, description: 'At least one of these must hold.' }) },
        { additionalProperties: false, $id: 'AnyCondition' },
      ),
      Type.Object({ not: This }, { additionalProperties: false, $id: 'NotCondition' }),
      Type.Object(
        {
          path: Path,
          op: described(
            Type.Union(operators.map(op => Type.Literal(op))),
            'How what stands at the path is compared with `value`.',
          ),
          value: Type.Optional(
            Type.Unknown({
              description:
                '`eq`, `ne`, `contains`: a text, a number, true or false. `gt`, `gte`, `lt`, `lte`: a number, or a text that is one. `in`: a list of 1 to 1,000 texts, numbers, true or false. `exists`: false asks that nothing be there; true or nothing asks that something be.',
            }),
          ),
        },
        { additionalProperties: false, $id: 'Comparison' },
      ),
    ]),
  {
    $id: 'Condition',
    description: `At most ${maxComparisons} comparisons, and ${maxLevels} levels of \`all\`, \`any\` and \`not\` within one another. One that would have to look at more than about 50,000 values is false, and the trace says so.`,
    ...message(
      `Must be {path, op, value} with op one of ${operators.join(', ')}, or {all: [...]}, {any: [...]}, {not: {...}}.`,
    ),
  },
)
export type Comparison = { path: string; op: (typeof operators)[number]; value?: unknown }
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Comparison
