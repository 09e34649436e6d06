/** Matches arrivals (events and replies of a run's customer) against the conditions a run waits for. Pure. */
import { type Static, Type } from '@sinclair/typebox'
import { type Budget, valueAt } from '../../core/conditions/index.ts'
import { errorMessage } from '../../core/schema.ts'
import type { Arrival } from '../../queue/waits/index.ts'
import type { ReadableFacts } from './facts.ts'

export type { Arrival, Wait } from '../../queue/waits/index.ts'

/** Maximum number of pairs in one `match`. */
const maxPairs = 10
const maxPath = 1000

/** Map of paths: each path in the data of the arriving event must equal the path in the run's facts. */
export const Match = Type.Record(Type.String(), Type.String({ maxLength: maxPath }), {
  minProperties: 1,
  maxProperties: maxPairs,
  description: `Which event matches. \`{"data.cartId": "trigger.data.cartId"}\` requires that the arriving event has the same \`cartId\` as the event that started the run. At most ${maxPairs} pairs. All pairs must be equal as JSON values. A value that is absent on either side equals nothing.`,
  ...errorMessage(`Must be an object of 1 to ${maxPairs} pairs such as {"data.cartId": "trigger.data.cartId"}.`),
})
export type Match = Static<typeof Match>

/** Type of an event, compared exactly. */
export const EventType = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'Event type. It must match exactly, including case and punctuation.',
  ...errorMessage('Must be an event type of 1 to 200 characters.'),
})

/** Event type that a run waits for, with optional conditions on its data. */
export interface EventCondition {
  event: string
  match?: Match
}

/** Returns whether the arrival is an event of this type and all pairs are equal. An absent value equals nothing. */
export const matchesEvent = (
  { event, match = {} }: EventCondition,
  arrival: Arrival,
  facts: ReadableFacts,
  budget: Budget,
): boolean =>
  arrival.kind === 'event' &&
  arrival.type === event &&
  budget.spend(1) &&
  Object.entries(match).every(
    ([path, runPath]) =>
      budget.spend(pathCost) && isEqualJson(valueAt({ data: arrival.data }, path), valueAt(facts, runPath), budget),
  )

/** Cost of resolving two paths, in comparisons of two values. */
const pathCost = 10

/** Returns whether two JSON values are equal. The order of object members does not matter. */
const isEqualJson = (one: unknown, other: unknown, budget: Budget): boolean => {
  if (one === undefined || other === undefined || !budget.spend(costOf(one))) return false
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => isEqualJson(value, other[index], budget))
    )
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    budget.spend(names.length) &&
    names.every(
      name =>
        Object.hasOwn(other, name) &&
        isEqualJson((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name], budget),
    )
  )
}

const costOf = (value: unknown): number => (typeof value === 'string' ? 1 + (value.length >> 10) : 1)
