/** Schema of conditions: a small typed tree over the facts of a run. `evaluate.ts` evaluates it. */
import { Type } from '@sinclair/typebox'
import { errorMessage, withDescription } from '../schema.ts'

/** Maximum number of comparisons in one condition. */
export const maxComparisons = 200
/** Maximum nesting depth of `all`, `any` and `not`. */
export const maxLevels = 10
/** Maximum number of entries in the list of an `in`. */
export const maxInEntries = 1000

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const

/**
 * `data.*` is the event's data, `event.type` its type, `customer.*` the customer's record, `answer.*` the customer's
 * answer.
 */
const Path = Type.String({
  pattern: '^(now|(data|event|customer|answer|trigger\\.data)(\\.[A-Za-z0-9_-]{1,100}){1,8})$',
  description:
    'Path to a value. `data.…`: a field of the event; `data.items.0.sku` reads a nested field. Also: `event.type`, `event.id`, `customer.name`, `customer.phone`, `customer.externalId`, `customer.id`, `customer.attributes.…` and `now`. `answer.text` and `answer.data.…` read the reply or event that ended the last wait. `trigger.data.…` is an alias of `data.…`. The filter of a trigger supports only `data.…` and `event.type`.',
  ...errorMessage('Must be a path such as data.total, event.type or customer.name.'),
})

/** A comparison, or all/any/not of conditions. A comparison with an absent path is false. */
export const Condition = Type.Recursive(
  This =>
    Type.Union([
      Type.Object(
        { all: Type.Array(This, { minItems: 1, maxItems: 50, description: 'All of these conditions must hold.' }) },
        { additionalProperties: false, $id: 'AllConditions' },
      ),
      Type.Object(
        {
          any: Type.Array(This, {
            minItems: 1,
            maxItems: 50,
            description: 'At least one of these conditions must hold.',
          }),
        },
        { additionalProperties: false, $id: 'AnyCondition' },
      ),
      Type.Object({ not: This }, { additionalProperties: false, $id: 'NotCondition' }),
      Type.Object(
        {
          path: Path,
          op: withDescription(
            Type.Union(operators.map(op => Type.Literal(op))),
            'Operator that compares the value at the path with `value`.',
          ),
          value: Type.Optional(
            Type.Unknown({
              description:
                '`eq`, `ne`, `contains`: a string, number or boolean. `gt`, `gte`, `lt`, `lte`: a number, or a string that contains one. `in`: a list of 1 to 1,000 strings, numbers or booleans. `exists`: false requires that no value exists; true or no value requires that one exists.',
            }),
          ),
        },
        { additionalProperties: false, $id: 'Comparison' },
      ),
    ]),
  {
    $id: 'Condition',
    description: `At most ${maxComparisons} comparisons and ${maxLevels} nested levels of \`all\`, \`any\` and \`not\`. A condition that would read more than about 50,000 values is false, and the trace records this.`,
    ...errorMessage(
      `Must be {path, op, value} with op one of ${operators.join(', ')}, or {all: [...]}, {any: [...]}, {not: {...}}.`,
    ),
  },
)
export type Comparison = { path: string; op: (typeof operators)[number]; value?: unknown }
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Comparison
