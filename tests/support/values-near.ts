/** Generates values near the limits of a published schema: mostly valid ones and ones that are just invalid. */
import fc from 'fast-check'

export type Schema = { [keyword: string]: unknown }

interface Document {
  components: { schemas: Record<string, Schema> }
}

/**
 * Generates values that match the schema except for single errors. `levels` limits the depth of component references.
 */
export const valuesNear = (schema: Schema, document: Document, levels = 4): fc.Arbitrary<unknown> => {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return levels === 0 ? anything : valuesNear(document.components.schemas[name]!, document, levels - 1)
  }
  return mostly(
    fitting(schema, inner => valuesNear(inner as Schema, document, levels)),
    anything,
  )
}

const mostly = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>, weight = 30): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: right }, { weight: 1, arbitrary: wrong })

const anything: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 })

type Near = (schema: unknown) => fc.Arbitrary<unknown>

const fitting = (schema: Schema, near: Near): fc.Arbitrary<unknown> => {
  const choice = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choice)) return fc.oneof(...choice.map(inner => near(inner)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map(type => near({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return texts(schema)
    case 'integer':
    case 'number':
      return numbers(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return lists(schema, near)
    case 'object':
      return objects(schema, near)
    default:
      return anything
  }
}

interface TextSchema {
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
}

const texts = ({ format, pattern, minLength = 0, maxLength = 20 }: TextSchema): fc.Arbitrary<string> => {
  if (format === 'uuid') return mostly(fc.uuid(), mangled(fc.uuid()), 4)
  if (format === 'date-time') return mostly(times, mangled(times), 2)
  const free = mostly(fc.integer({ min: Math.max(1, minLength), max: maxLength }), edges(minLength, maxLength)).chain(
    textOf,
  )
  // No text can be generated for a pattern with a lookahead.
  const isMade = pattern !== undefined && pattern !== '\\S' && !pattern.includes('(?')
  return isMade ? mostly(fc.stringMatching(new RegExp(pattern)), free) : free
}

const times = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(at => at.toISOString())

/** Generates the text with one character removed or replaced. */
const mangled = (some: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(some, fc.nat(24), fc.constantFrom('', '0', '9', ' ', 'z', '\n'))
    .map(([text, place, other]) => text.slice(0, place) + other + text.slice(place + 1))

/** Generates texts with surrogate pairs, line ends, white space and unpaired surrogates. */
const textOf = (length: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('b', '😀', '\n', '\ud83d'), fc.constantFrom('a', '😀', 'ü', ' '))
    .map(([first, other]) => (length <= 0 ? '' : first + other.repeat(length - 1)))

const edges = (min: number, max: number): fc.Arbitrary<number> =>
  fc.constantFrom(min - 1, min, min + 1, max - 1, max, max + 1)

const numbers = ({ minimum = -5, maximum = 5 }: { minimum?: number; maximum?: number }): fc.Arbitrary<number> =>
  mostly(
    fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }),
    fc.oneof(edges(minimum, maximum), fc.double({ noNaN: true })),
  )

interface ListSchema {
  items?: unknown
  minItems?: number
  maxItems?: number
}

const lists = (
  { items = {}, minItems = 0, maxItems = minItems + 3 }: ListSchema,
  near: Near,
): fc.Arbitrary<unknown[]> => {
  const few = fc.array(near(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
  const item = near(items)
  const many = edges(minItems, maxItems).chain(length => item.map(one => Array<unknown>(Math.max(0, length)).fill(one)))
  return mostly(few, many)
}

interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: string[]
  additionalProperties?: unknown
  patternProperties?: Record<string, unknown>
  minProperties?: number
  maxProperties?: number
}

const objects = (schema: ObjectSchema, near: Near): fc.Arbitrary<Record<string, unknown>> => {
  const {
    properties = {},
    required = [],
    additionalProperties,
    patternProperties,
    minProperties = 0,
    maxProperties,
  } = schema
  const known = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, near(inner)]))
  const named = mostly(
    fc.record(known, { requiredKeys: required, noNullPrototype: true }),
    fc.record(known, { requiredKeys: [], noNullPrototype: true }),
  )
  const inner = Object.values(patternProperties ?? {})[0] ?? additionalProperties
  const isOpen = typeof inner === 'object' && inner !== null
  const value = isOpen ? near(inner) : anything
  const few = fc.array(fc.tuple(isOpen ? names : misspelt(Object.keys(properties)), value), {
    minLength: isOpen ? minProperties : 0,
    maxLength: isOpen ? minProperties + 3 : 1,
  })
  const many = edges(minProperties, maxProperties ?? 3).chain(count => value.map(one => numbered(count, one)))
  const others = isOpen ? mostly(few, many) : mostly(fc.constant<[string, unknown][]>([]), few)
  return fc.tuple(named, others).map(([fields, more]) => Object.fromEntries([...more, ...Object.entries(fields)]))
}

/** Generates unusual field names: inherited ones, ones with line ends, and ones similar to another. */
const names = fc.constantFrom(
  'a',
  'b',
  'start',
  '',
  '__proto__',
  'toString',
  'a\nb',
  '😀',
  '😁',
  'a/b',
  'a~b',
  'x'.repeat(300),
)

const misspelt = (known: string[]): fc.Arbitrary<string> =>
  known.length === 0
    ? names
    : fc.oneof(
        names,
        fc.constantFrom(...known).map(name => `${name}s`),
      )

const numbered = (count: number, value: unknown): [string, unknown][] =>
  Array.from({ length: Math.max(0, count) }, (_, place) => [String.fromCodePoint(0x1f600 + place), value])
