/** Compiled checks of what is given, and refusals in words that a person can act on. */
import { FormatRegistry, type Static, type TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { distance } from 'fastest-levenshtein'
import { type Details, invalidRequest } from './errors.ts'
import { isId } from './ids.ts'

FormatRegistry.Set('uuid', isId)
FormatRegistry.Set('date-time', text => isDateTime(text))

/** A function that returns the value when it fits the schema and refuses it (400 invalid_request) when it does not. */
export const validator = <T extends TSchema>(schema: T): ((value: unknown) => Static<T>) => {
  const compiled = TypeCompiler.Compile(schema)
  // When something is first refused: a start would compile twice as much.
  let compiledLater: typeof compiled | undefined
  const exceptForRepeats = () => (compiledLater ??= TypeCompiler.Compile(allowingRepeats(schema)))
  const mayBeTooShort = asksForSeveral(schema)
  return value => {
    if (!mayBeTooShort && compiled.Check(value)) return value
    const counted = countedByCharacter(value)
    if (compiled.Check(counted)) return value as Static<T>
    // To tell whether entries repeat, all that they hold is hashed: only where nothing else is wrong with them.
    const asked = exceptForRepeats().Check(counted) ? compiled : exceptForRepeats()
    throw invalidRequest(detailsOf(asked.Errors(counted)))
  }
}

/** The same schema, but that entries of a list may be alike. */
const allowingRepeats = <T>(schema: T): T => {
  if (Array.isArray(schema)) return schema.map(allowingRepeats) as T
  if (typeof schema !== 'object' || schema === null) return schema
  // Spread out, it keeps the symbols by which TypeBox knows its kinds.
  const copy = { ...(schema as Record<string, unknown>) }
  for (const [keyword, inner] of Object.entries(schema)) copy[keyword] = allowingRepeats(inner)
  if (copy.uniqueItems === true) delete copy.uniqueItems
  return copy as T
}

/** Whether a text of more than one character is asked for: fewer would do where one of them counts as two. */
const asksForSeveral = (schema: TSchema): boolean => /"minLength":(?![01]\b)/.test(JSON.stringify(schema))

/**
 * The value with one plain character for each that JavaScript counts as two: lengths are promised in characters, here
 * and in the published document. Names stay as they are: they are counted, and told in refusals.
 */
const countedByCharacter = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll(beyondBmp, '□')
  if (Array.isArray(value)) return value.map(countedByCharacter)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, countedByCharacter(inner)]))
}

const beyondBmp = /[\u{10000}-\u{10ffff}]/gu

/** As RFC 3339 has it, of a day that there is: `Date.parse` alone also takes `1` and the 30th of February. */
const isDateTime = (text: string): boolean => {
  const date = dateTime.exec(text)?.[1]
  if (date === undefined) return false
  const midnight = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return false
  const time = Date.parse(text)
  return time >= firstTime && time <= lastTime
}

/** In UTC, as it is answered: PostgreSQL knows no year 0, and beyond the last one a year has five digits. */
const firstTime = Date.parse('0001-01-01T00:00:00Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

const dateTime =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const maxDetails = 20
const maxPath = 200

const detailsOf = (errors: Iterable<ValueError>): Details => {
  // A Map, for a field may be called __proto__ or toString.
  const details = new Map<string, string>()
  for (const [pointer, reason] of faultsOf(errors)) {
    const field = shortened(pointer.slice(1).split('/').map(unescaped).join('.')) || 'body'
    if (!details.has(field)) details.set(field, reason)
    if (details.size === maxDetails) break
  }
  return Object.fromEntries(details)
}

const escaped = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1')

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** A field may be named by whoever sends it: at any length. */
const shortened = (path: string): string => (path.length > maxPath ? `${path.slice(0, maxPath)}…` : path)

/** Where (a JSON pointer) and why a value does not fit. */
type Fault = [pointer: string, reason: string]

/** Choices within choices are looked into so far: at each of them all that is within is checked once more. */
const maxChoices = 8

function* faultsOf(errors: Iterable<ValueError>, choices = 0): Generator<Fault> {
  for (const error of errors) {
    if (error.type === ValueErrorType.Union) yield* faultsOfUnion(error, choices + 1)
    else yield [error.path, reasonFor(error)]
    // What is in a list that is too long is not gone through: there may be any number of them.
    if (error.type === ValueErrorType.ArrayMaxItems) return
  }
}

/** What is wrong with the variant that was meant; where that cannot be told, which values there are. */
function* faultsOfUnion({ schema, path, value, errors }: ValueError, choices: number): Generator<Fault> {
  const variants = schema.anyOf as TSchema[]
  const objects = variants.filter(isObject)
  const name = isJsonObject(value) ? discriminatorOf(objects) : undefined
  const meant = choices > maxChoices ? undefined : variantMeant(variants, name, value)
  if (meant) {
    // What is said of the union as a whole tells more than what is said of this variant as a whole.
    for (const [pointer, reason] of faultsOf(errors[variants.indexOf(meant)]!, choices))
      yield [pointer, pointer === path && 'x-message' in schema ? sentenceOf(schema) : reason]
  } else if (name !== undefined && choices <= maxChoices) {
    yield [`${path}/${name}`, `Must be ${valuesOf(objects, name)}.`]
  } else {
    yield [path, sentenceOf(schema)]
    if (isJsonObject(value)) yield* unknownToAll(objects, path, value)
  }
}

/** Names that none of the variants knows: of a misspelt one nobody can tell which was meant. */
function* unknownToAll(variants: TSchema[], path: string, value: Record<string, unknown>): Generator<Fault> {
  if (!variants.every(({ additionalProperties }) => additionalProperties === false)) return
  const known = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties)))]
  for (const name of known.length === 0 ? [] : Object.keys(value))
    if (!known.includes(name)) yield [`${path}/${escaped(name)}`, unknownField(name, known)]
}

const variantMeant = (variants: TSchema[], discriminator: string | undefined, value: unknown): TSchema | undefined => {
  if (Array.isArray(value)) return only(variants.filter(({ type }) => type === 'array'))
  if (!isJsonObject(value)) return undefined
  const objects = variants.filter(({ type }) => type === 'object')
  if (objects.length < 2) return objects[0]
  const described = objects.filter(isObject)
  if (discriminator !== undefined) return described.find(variant => fits(variant, discriminator, value))
  return bestFilled(described, value)
}

const only = <T>(values: T[]): T | undefined => (values.length === 1 ? values[0] : undefined)

const isObject = (schema: TSchema): boolean => schema.type === 'object' && schema.properties !== undefined

const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The field that every variant has with a value of its own. */
const discriminatorOf = (variants: TSchema[]): string | undefined => {
  if (variants.length < 2) return undefined
  return Object.keys(variants[0]!.properties).find(name =>
    variants.every(({ properties }) => isLiteral(properties[name])),
  )
}

const isLiteral = (schema: TSchema | undefined): boolean => schema !== undefined && 'const' in schema

const fits = ({ properties }: TSchema, name: string, value: Record<string, unknown>): boolean =>
  Object.hasOwn(value, name) && properties[name].const === value[name]

const valuesOf = (variants: TSchema[], name: string): string =>
  oneOf(variants.map(({ properties }) => properties[name].const))

/** The variant of which the most fields are given; undefined where two are as near, or none is. */
const bestFilled = (variants: TSchema[], value: Record<string, unknown>): TSchema | undefined => {
  const filled = variants
    .map(variant => ({
      variant,
      fields: Object.keys(variant.properties).filter(name => Object.hasOwn(value, name)).length,
    }))
    .sort((a, b) => b.fields - a.fields)
  const [best, second] = filled
  return best && best.fields > (second?.fields ?? 0) ? best.variant : undefined
}

const reasonFor = (error: ValueError): string => {
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return 'Is required.'
    case ValueErrorType.ObjectAdditionalProperties:
      return unknownField(
        unescaped(error.path.slice(error.path.lastIndexOf('/') + 1)),
        Object.keys(error.schema.properties ?? {}),
      )
    default:
      return sentenceOf(error.schema)
  }
}

/** What is told of a name that nothing takes, under that name. */
export const unknownName = (name: string, known: string[]): Details => ({
  [shortened(name) || 'query']: unknownField(name, known),
})

const unknownField = (name: string, known: string[]): string => {
  const meant = name.length > maxPath ? undefined : nearest(name, known)
  return meant === undefined ? 'Is not a known field; remove it.' : `Is not a known field; did you mean ${meant}?`
}

/** Spelt otherwise (`idempotency_key`) or mistyped by up to two letters. */
const nearest = (given: string, fields: string[]): string | undefined => {
  const plain = (name: string) => name.replaceAll(/[_\-\s]/g, '').toLowerCase()
  const alike = fields.find(field => plain(field) === plain(given))
  if (alike !== undefined) return alike
  const [closest] = fields
    .filter(field => field.length > 3)
    .map(field => ({ field, letters: distance(plain(field), plain(given)) }))
    .sort((one, other) => one.letters - other.letters)
  return closest && closest.letters <= 2 ? closest.field : undefined
}

/** All that is wanted of a field, whichever part of it was missed: in the words of its schema, or made from it. */
const sentenceOf = (schema: TSchema): string =>
  typeof schema['x-message'] === 'string' ? schema['x-message'] : `Must be ${wanted(schema)}.`

const wanted = (schema: TSchema): string => {
  if (schema.anyOf) return wantedOfUnion(schema.anyOf)
  if ('const' in schema) return shown(schema.const)
  switch (schema.type) {
    case 'string':
      return wantedText(schema)
    case 'integer':
      return `a whole number${bounds(schema)}`
    case 'number':
      return `a number${bounds(schema)}`
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'array':
      return `a list${amount(schema.minItems, schema.maxItems, ['entry', 'entries'])}${schema.uniqueItems ? ', each only once' : ''}`
    case 'object':
      return `an object${amount(schema.minProperties, schema.maxProperties, ['field', 'fields'])}`
    default:
      return schema.not ? 'left out' : 'a value as the published document describes it'
  }
}

const wantedOfUnion = (variants: TSchema[]): string => {
  const literals = variants.filter(isLiteral)
  const objects = variants.filter(isObject)
  const name = discriminatorOf(objects)
  const others = variants.filter(one => !isLiteral(one) && !(name !== undefined && isObject(one)))
  const parts = [
    ...(literals.length > 0 ? [oneOf(literals.map(one => one.const))] : []),
    ...(name === undefined ? [] : [`an object whose ${name} is ${valuesOf(objects, name)}`]),
    ...others.map(wanted),
  ]
  return [...new Set(parts)].join(' or ')
}

const oneOf = (values: unknown[]): string => (values.length === 1 ? shown(values[0]) : `one of ${values.join(', ')}`)

const shown = (value: unknown): string => JSON.stringify(value)

const formats: Record<string, string> = {
  uuid: 'a UUID',
  'date-time': 'a time such as 2026-03-01T09:30:02Z',
}

const wantedText = ({ format, pattern, minLength, maxLength }: TSchema): string => {
  if (format !== undefined) return formats[format] ?? `a text of the format ${format}`
  const length = amount(minLength, maxLength, ['character', 'characters'])
  if (pattern === '\\S') return `a text${length} that is not all white space`
  return pattern === undefined ? `a text${length}` : `a text${length} that matches ${pattern}`
}

const bounds = (schema: TSchema): string => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const multiple = multipleOf === undefined ? '' : `, a multiple of ${multipleOf}`
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}${multiple}`
  const parts = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(exclusiveMaximum === undefined ? [] : [`less than ${exclusiveMaximum}`]),
  ]
  return parts.length === 0 ? multiple : ` that is ${parts.join(' and ')}${multiple}`
}

/** ` of 1 to 20 entries`, ` of at least 1 field`; nothing where any number will do. */
const amount = (min: number | undefined, max: number | undefined, [one, many]: [string, string]): string => {
  const noun = (count: number) => (count === 1 ? one : many)
  if (max === undefined) return min ? ` of at least ${min} ${noun(min)}` : ''
  if (!min) return ` of at most ${max} ${noun(max)}`
  return min === max ? ` of exactly ${max} ${noun(max)}` : ` of ${min} to ${max} ${noun(max)}`
}
