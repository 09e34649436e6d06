/** Step `set_attribute`: changes attributes of the customer. */
import { type Static, Type } from '@sinclair/typebox'
import { errorMessage, JsonNumber, publishedKeywords } from '../../core/schema.ts'
import { faultOfPlaceholders, render } from '../../core/texts.ts'
import { Next } from '../ids.ts'
import { type AttributeValue, attributesAfter } from '../runs/effects.ts'
import type { ReadableFacts } from '../runs/facts.ts'

import { stepVocabulary } from '../vocabulary.ts'

import type { StepType } from './step.ts'

const maxSet = 20
/** Maximum length of a text, before and after rendering. */
const maxText = 1000

const Value = Type.Union(
  [
    Type.String({
      maxLength: maxText,
      description: 'New value. Can contain placeholders, as in the text of `send_message`.',
    }),
    JsonNumber,
    Type.Boolean(),
    Type.Null({ description: 'Removes the attribute.' }),
  ],
  {
    $id: 'AttributeValue',
    description: 'A string, number or boolean. Null removes the attribute.',
    ...errorMessage(
      `Must be a text of at most ${maxText} characters, which can contain {{data.total}}, a number, true, false, or null to remove the attribute.`,
    ),
  },
)

/** Names that a path to an attribute can contain. */
const namePattern = /^[A-Za-z0-9_-]{1,100}$/

const SetAttributeStep = Type.Object(
  {
    type: Type.Literal('set_attribute', { description: 'Sets attributes of the customer.' }),
    set: Type.Record(Type.String(), Value, {
      minProperties: 1,
      maxProperties: maxSet,
      description: `Merged into the attributes of the customer. At most ${maxSet}, with names of letters, digits, _ and -. Later steps read the new values.`,
      ...publishedKeywords({ propertyNames: { pattern: namePattern.source } }),
      ...errorMessage(`Must be an object of 1 to ${maxSet} values by the names of attributes.`),
    }),
    next: Next,
  },
  { additionalProperties: false, $id: 'SetAttributeStep' },
)
type SetAttributeStep = Static<typeof SetAttributeStep>

/** Limits of a customer's attributes (contract 7.1). */
const attributeLimits = { fields: 50, bytes: 16 * 1024 }

export const setAttribute: StepType<SetAttributeStep> = {
  schema: SetAttributeStep,
  pointers: ({ next }) => ({ next }),
  *faults({ set }) {
    for (const [name, value] of Object.entries(set)) {
      const field = `set.${name.slice(0, 100)}`
      if (!namePattern.test(name)) yield [field, 'The name of an attribute must be 1 to 100 letters, digits, _ and -.']
      const fault = typeof value === 'string' ? faultOfPlaceholders(value, stepVocabulary) : null
      if (fault !== null) yield [field, fault]
    }
  },
  enter({ set: values, next }, { facts }) {
    const set = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, renderValue(value, facts)]))
    return isWithinLimits(attributesAfter(facts.customer.attributes, { set }))
      ? { outcome: 'set', effects: [{ kind: 'set_attributes', set }], next }
      : { outcome: 'skipped', detail: { reason: 'attributes_full' }, next }
  },
}

const renderValue = (value: AttributeValue, facts: ReadableFacts): AttributeValue =>
  typeof value === 'string' ? render(value, facts, maxText) : value

const isWithinLimits = (attributes: Record<string, unknown>): boolean =>
  Object.keys(attributes).length <= attributeLimits.fields &&
  Buffer.byteLength(JSON.stringify(attributes)) <= attributeLimits.bytes
