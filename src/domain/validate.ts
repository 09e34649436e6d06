/** Compiled schema validators, with error messages that say how to fix the input. */
import { FormatRegistry, type Static, type TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { distance } from 'fastest-levenshtein'
import { type Details, invalidRequest } from './errors.ts'
import { isId } from './ids.ts'

FormatRegistry.Set('uuid', isId)
FormatRegistry.Set('date-time', text => isDateTime(text))

/** Returns a function that returns a matching value and throws a 400 invalid_request for any other. */
export const validator = <T extends TSchema>(schema: T): ((value: unknown) => Static<T>) => {
  const compiled = TypeCompiler.Compile(schema)
  // Compiled at the first error. Compiling it at startup would double the compile work.
  let compiledLater: typeof compiled | undefined
  const exceptForRepeats = () => (compiledLater ??= TypeCompiler.Compile(allowingRepeats(schema)))
  const mayBeTooShort = asksForSeveral(schema)
  return value => {
    if (!mayBeTooShort && compiled.Check(value)) return value
    const counted = countedByCharacter(value)
    if (compiled.Check(counted)) return value as Static<T>
    // The check for repeated entries hashes everything in them. It runs only if nothing else is wrong.
    const asked = exceptForRepeats().Check(counted) ? compiled : exceptForRepeats()
    throw invalidRequest(detailsOf(asked.Errors(counted)))
  }
}

/** Copies the schema without `uniqueItems`. */
const allowingRepeats = <T>(schema: T): T => {
  if (Array.isArray(schema)) return schema.map(allowingRepeats) as T
  if (typeof schema !== 'object' || schema === null) return schema
  // The spread keeps the symbols by which TypeBox identifies its kinds.
  const copy = { ...(schema as Record<string, unknown>) }
  for (const [keyword, inner] of Object.entries(schema)) copy[keyword] = allowingRepeats(inner)
  if (copy.uniqueItems === true) delete copy.uniqueItems
  return copy as T
}

/**
 * Returns whether the schema has a minimum length above 1. A character that JavaScript counts as two could then pass
 * although the text is too short.
 */
const asksForSeveral = (schema: TSchema): boolean => /"minLength":(?![01]\b)/.test(JSON.stringify(schema))

/**
 * Returns the value with one plain character for each that JavaScript counts as two. Lengths are documented in
 * characters, here and in the published document. Field names stay unchanged, because they are counted and appear in
 * error messages.
 */
const countedByCharacter = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll(beyondBmp, '□')
  if (Array.isArray(value)) return value.map(countedByCharacter)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, countedByCharacter(inner)]))
}

const beyondBmp = /[\u{10000}-\u{10ffff}]/gu

/** Checks RFC 3339 and that the day exists. `Date.parse` alone also accepts `1` and the 30th of February. */
const isDateTime = (text: string): boolean => {
  const date = dateTime.exec(text)?.[1]
  if (date === undefined) return false
  const midnight = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return false
  const time = Date.parse(text)
  return time >= firstTime && time <= lastTime
}

/** Limits in UTC, as times are returned. PostgreSQL has no year 0, and later years have five digits. */
const firstTime = Date.parse('0001-01-01T00:00:00Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

const dateTime =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const maxDetails = 20
const maxPath = 200

const detailsOf = (errors: Iterable<ValueError>): Details => {
  // A Map, because a field may be named __proto__ or toString.
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

/** Shortens a field name, which the caller chooses and which can have any length. */
const shortened = (path: string): string => (path.length > maxPath ? `${path.slice(0, maxPath)}…` : path)

/** A JSON pointer to a value, and the reason why it does not match. */
type Fault = [pointer: string, reason: string]

/** Maximum depth of nested unions that are inspected. Each level checks everything inside it again. */
const maxChoices = 8

function* faultsOf(errors: Iterable<ValueError>, choices = 0): Generator<Fault> {
  for (const error of errors) {
    if (error.type === ValueErrorType.Union) yield* faultsOfUnion(error, choices + 1)
    else yield [error.path, reasonFor(error)]
    // Skips the entries of a list that is too long, because their number is unlimited.
    if (error.type === ValueErrorType.ArrayMaxItems) return
  }
}

/** Reports the errors of the variant that the caller meant. If that is unclear, it reports the allowed values. */
function* faultsOfUnion({ schema, path, value, errors }: ValueError, choices: number): Generator<Fault> {
  const variants = schema.anyOf as TSchema[]
  const objects = variants.filter(isObject)
  const name = isJsonObject(value) ? discriminatorOf(objects) : undefined
  const meant = choices > maxChoices ? undefined : variantMeant(variants, name, value)
  if (meant) {
    // For the value as a whole, the message of the union is more informative than that of the variant.
    for (const [pointer, reason] of faultsOf(errors[variants.indexOf(meant)]!, choices))
      yield [pointer, pointer === path && 'x-message' in schema ? sentenceOf(schema) : reason]
  } else if (name !== undefined && choices <= maxChoices) {
    yield [`${path}/${name}`, `Must be ${valuesOf(objects, name)}.`]
  } else {
    yield [path, sentenceOf(schema)]
    if (isJsonObject(value)) yield* unknownToAll(objects, path, value)
  }
}

/**
 * Reports names that no variant has. Suggests a similar name from any variant, because the intended variant is unknown.
 */
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

/** Returns the field that is a literal in every variant. */
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

/** Returns the variant with the most given fields, or undefined if two are equal or none has any. */
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

/** Returns the error details for a name that is not accepted, under that name. */
export const unknownName = (name: string, known: string[]): Details => ({
  [shortened(name) || 'query']: unknownField(name, known),
})

const unknownField = (name: string, known: string[]): string => {
  const meant = name.length > maxPath ? undefined : nearest(name, known)
  return meant === undefined ? 'Is not a known field; remove it.' : `Is not a known field; did you mean ${meant}?`
}

/** Returns the field with another spelling (`idempotency_key`), or with up to two wrong letters. */
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

/**
 * Returns a sentence with all requirements of a field, whichever one failed: the schema's message, or a generated one.
 */
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

/** Returns ` of 1 to 20 entries` or ` of at least 1 field`; empty if any number is allowed. */
const amount = (min: number | undefined, max: number | undefined, [one, many]: [string, string]): string => {
  const noun = (count: number) => (count === 1 ? one : many)
  if (max === undefined) return min ? ` of at least ${min} ${noun(min)}` : ''
  if (!min) return ` of at most ${max} ${noun(max)}`
  return min === max ? ` of exactly ${max} ${noun(max)}` : ` of ${min} to ${max} ${noun(max)}`
}
