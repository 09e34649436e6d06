/** Compiled schema validators, with error messages that say how to fix the input. */
import { FormatRegistry, Kind, type Static, type TSchema, TypeRegistry } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { distance } from 'fastest-levenshtein'
import { type Details, invalidRequest } from './errors.ts'
import { isId } from './ids.ts'

FormatRegistry.Set('uuid', isId)
FormatRegistry.Set('date-time', text => isDateTime(text))
/** Only tells forms to hide the value. */
FormatRegistry.Set('password', () => true)

/** Returns a function that returns a matching value and throws a 400 invalid_request for any other. */
export const validator = <T extends TSchema>(schema: T): ((value: unknown) => Static<T>) => {
  const compiled = TypeCompiler.Compile(schema)
  const mayBeTooShort = hasMinLengthAboveOne(schema)
  // Compiled when first needed. Compiling them at startup would triple the compile work.
  const exact = once(() => TypeCompiler.Compile(countingCodePoints(schema)))
  const withoutUnique = once(() => TypeCompiler.Compile(withoutUniqueItems(countingCodePoints(schema))))
  const allowsDuplicates = !JSON.stringify(schema).includes('"uniqueItems":true')
  const shorten = shortener(schema)
  return sent => {
    const value = shorten(sent)
    if (!mayBeTooShort && compiled.Check(value)) return value
    // The check for repeated entries hashes everything in them. It runs only if nothing else is wrong.
    if (!withoutUnique().Check(value)) throw invalidRequest(toDetails(withoutUnique().Errors(value)))
    if (allowsDuplicates || exact().Check(value)) return value as Static<T>
    throw invalidRequest(toDetails(exact().Errors(value)))
  }
}

/**
 * Returns a function that replaces each field with too many names by one that is just as invalid. Each check lists all
 * names, which takes up to 30 ms for a body of 1 MiB. Listing the values takes a tenth of that.
 */
const shortener = ({ properties = {} }: TSchema): ((value: unknown) => unknown) => {
  const maxima = Object.entries(properties as Record<string, TSchema>).flatMap(([name, { maxProperties }]) =>
    maxProperties === undefined ? [] : [[name, maxProperties as number] as const],
  )
  return value => {
    if (!isJsonObject(value)) return value
    let shortened = value
    for (const [name, max] of maxima) {
      const field = value[name]
      if (isJsonObject(field) && Object.values(field).length > max)
        shortened = { ...shortened, [name]: Object.fromEntries(Array.from({ length: max + 1 }, (_, n) => [n, null])) }
    }
    return shortened
  }
}

const once = <T>(create: () => T): (() => T) => {
  let cached: T | undefined
  return () => (cached ??= create())
}

/** Copies the schema without `uniqueItems`. */
const withoutUniqueItems = (schema: TSchema): TSchema =>
  mapSchema(schema, copy => {
    if (copy.uniqueItems === true) delete copy.uniqueItems
  })

/**
 * Copies the schema so that the length of a text counts characters. JavaScript counts some of them as two. Lengths are
 * documented in characters, here and in the published document.
 */
const countingCodePoints = (schema: TSchema): TSchema =>
  mapSchema(schema, (copy, original) => {
    if (copy[Kind] === 'String' && (copy.minLength ?? copy.maxLength) !== undefined)
      Object.assign(copy, { [Kind]: 'Text', original })
  })

/** Copies a schema and everything in it, and applies the change to each copied object. */
const mapSchema = <T>(value: T, change: (copy: TSchema, original: T) => void): T => {
  if (Array.isArray(value)) return value.map(inner => mapSchema(inner, change)) as T
  if (typeof value !== 'object' || value === null) return value
  // The spread keeps the symbols by which TypeBox identifies its kinds.
  const copy = { ...value } as unknown as TSchema
  for (const [keyword, inner] of Object.entries(value)) copy[keyword] = mapSchema(inner, change)
  change(copy, value)
  return copy as T
}

/** Each character has at most two UTF-16 units, so a much longer text is refused without a copy. */
TypeRegistry.Set<TSchema & { original: TSchema }>(
  'Text',
  ({ original, maxLength }, value) =>
    typeof value === 'string' &&
    value.length <= 2 * (maxLength ?? Number.POSITIVE_INFINITY) &&
    Value.Check(original, value.replaceAll(beyondBmp, '□')),
)

/**
 * Returns whether the schema has a minimum length above 1. A character that JavaScript counts as two could then pass
 * although the text is too short.
 */
const hasMinLengthAboveOne = (schema: TSchema): boolean => /"minLength":(?![01]\b)/.test(JSON.stringify(schema))

const beyondBmp = /[\u{10000}-\u{10ffff}]/gu

/** Checks RFC 3339 and that the day exists. `Date.parse` alone also accepts `1` and the 30th of February. */
const isDateTime = (text: string): boolean => {
  const date = dateTimePattern.exec(text)?.[1]
  if (date === undefined) return false
  const midnight = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return false
  const time = Date.parse(text)
  return time >= firstTime && time <= lastTime
}

/** Limits in UTC, as times are returned. PostgreSQL has no year 0, and later years have five digits. */
const firstTime = Date.parse('0001-01-01T00:00:00Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

const dateTimePattern =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const maxDetails = 20
const maxPath = 200

const toDetails = (errors: Iterable<ValueError>): Details => {
  // A Map, because a field may be named __proto__ or toString.
  const details = new Map<string, string>()
  for (const [pointer, reason] of faultsOf(errors)) {
    const field = truncatePath(pointer.slice(1).split('/').map(unescapePointer).join('.')) || 'body'
    if (!details.has(field)) details.set(field, reason)
    if (details.size === maxDetails) break
  }
  return Object.fromEntries(details)
}

const escapePointer = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1')

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** Shortens a field name, which the caller chooses and which can have any length. */
const truncatePath = (path: string): string => (path.length > maxPath ? `${path.slice(0, maxPath)}…` : path)

/** A JSON pointer to a value, and the reason why it does not match. */
type Fault = [pointer: string, reason: string]

/** Maximum depth of nested unions that are inspected. Each level checks everything inside it again. */
const maxUnionDepth = 8

function* faultsOf(errors: Iterable<ValueError>, depth = 0): Generator<Fault> {
  for (const error of errors) {
    if (error.type === ValueErrorType.Union) yield* faultsOfUnion(error, depth + 1)
    else yield [error.path, reasonFor(error)]
    // Skips the entries of a list or object that has too many, because their number is unlimited.
    if (error.type === ValueErrorType.ArrayMaxItems || error.type === ValueErrorType.ObjectMaxProperties) return
  }
}

/** Reports the errors of the variant that the caller meant. If that is unclear, it reports the allowed values. */
function* faultsOfUnion({ schema, path, value, errors }: ValueError, depth: number): Generator<Fault> {
  const variants = schema.anyOf as TSchema[]
  const objects = variants.filter(isObject)
  const name = isJsonObject(value) ? findDiscriminator(objects) : undefined
  const intended = depth > maxUnionDepth ? undefined : findIntendedVariant(variants, name, value)
  if (intended) {
    // For the value as a whole, the message of the union is more informative than that of the variant.
    for (const [pointer, reason] of faultsOf(errors[variants.indexOf(intended)]!, depth))
      yield [pointer, pointer === path && 'x-message' in schema ? messageOf(schema) : reason]
  } else if (name !== undefined && depth <= maxUnionDepth) {
    yield [`${path}/${name}`, `Must be ${listLiterals(objects, name)}.`]
  } else {
    yield [path, messageOf(schema)]
    if (isJsonObject(value)) yield* unknownFields(objects, path, value)
  }
}

/**
 * Reports names that no variant has. Suggests a similar name from any variant, because the intended variant is unknown.
 */
function* unknownFields(variants: TSchema[], path: string, value: Record<string, unknown>): Generator<Fault> {
  if (!variants.every(({ additionalProperties }) => additionalProperties === false)) return
  const knownFields = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties)))]
  for (const name of knownFields.length === 0 ? [] : Object.keys(value))
    if (!knownFields.includes(name)) yield [`${path}/${escapePointer(name)}`, unknownFieldMessage(name, knownFields)]
}

const findIntendedVariant = (
  variants: TSchema[],
  discriminator: string | undefined,
  value: unknown,
): TSchema | undefined => {
  if (Array.isArray(value)) return single(variants.filter(({ type }) => type === 'array'))
  if (!isJsonObject(value)) return undefined
  const objects = variants.filter(({ type }) => type === 'object')
  if (objects.length < 2) return objects[0]
  const objectVariants = objects.filter(isObject)
  if (discriminator !== undefined) return objectVariants.find(variant => matchesLiteral(variant, discriminator, value))
  return findBestMatch(objectVariants, value)
}

const single = <T>(values: T[]): T | undefined => (values.length === 1 ? values[0] : undefined)

const isObject = (schema: TSchema): boolean => schema.type === 'object' && schema.properties !== undefined

const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the field that is a literal in every variant. */
const findDiscriminator = (variants: TSchema[]): string | undefined => {
  if (variants.length < 2) return undefined
  return Object.keys(variants[0]!.properties).find(name =>
    variants.every(({ properties }) => isLiteral(properties[name])),
  )
}

const isLiteral = (schema: TSchema | undefined): boolean => schema !== undefined && 'const' in schema

const matchesLiteral = ({ properties }: TSchema, name: string, value: Record<string, unknown>): boolean =>
  Object.hasOwn(value, name) && properties[name].const === value[name]

const listLiterals = (variants: TSchema[], name: string): string =>
  listOptions(variants.map(({ properties }) => properties[name].const))

/** Returns the variant with the most given fields, or undefined if two are equal or none has any. */
const findBestMatch = (variants: TSchema[], value: Record<string, unknown>): TSchema | undefined => {
  const ranked = variants
    .map(variant => ({
      variant,
      fields: Object.keys(variant.properties).filter(name => Object.hasOwn(value, name)).length,
    }))
    .sort((a, b) => b.fields - a.fields)
  const [best, second] = ranked
  return best && best.fields > (second?.fields ?? 0) ? best.variant : undefined
}

const reasonFor = (error: ValueError): string => {
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return 'Is required.'
    case ValueErrorType.ObjectAdditionalProperties:
      return unknownFieldMessage(
        unescapePointer(error.path.slice(error.path.lastIndexOf('/') + 1)),
        Object.keys(error.schema.properties ?? {}),
      )
    default:
      return messageOf(error.schema)
  }
}

/** Returns the error details for a name that is not accepted, under that name. */
export const unknownFieldDetails = (name: string, knownFields: string[]): Details => ({
  [truncatePath(name) || 'query']: unknownFieldMessage(name, knownFields),
})

const unknownFieldMessage = (name: string, knownFields: string[]): string => {
  const intended = name.length > maxPath ? undefined : findClosest(name, knownFields)
  return intended === undefined ? 'Is not a known field. Remove it.' : `${suggestionStart}${intended}?`
}

const suggestionStart = 'Is not a known field. Did you mean '

/** Returns the field that the reason of an unknown field suggests. Null without a suggestion. */
export const suggestedField = (reason: string): string | null =>
  reason.startsWith(suggestionStart) ? reason.slice(suggestionStart.length, -1) : null

/** Returns the field with another spelling (`idempotency_key`), or with up to two wrong letters. */
const findClosest = (name: string, fields: string[]): string | undefined => {
  const plain = (name: string) => name.replaceAll(/[_\-\s]/g, '').toLowerCase()
  const sameSpelling = fields.find(field => plain(field) === plain(name))
  if (sameSpelling !== undefined) return sameSpelling
  const [closest] = fields
    .filter(field => field.length > 3)
    .map(field => ({ field, letters: distance(plain(field), plain(name)) }))
    .sort((one, other) => one.letters - other.letters)
  return closest && closest.letters <= 2 ? closest.field : undefined
}

/**
 * Returns a sentence with all requirements of a field, whichever one failed: the schema's message, or a generated one.
 */
const messageOf = (schema: TSchema): string =>
  typeof schema['x-message'] === 'string' ? schema['x-message'] : `Must be ${describeSchema(schema)}.`

const describeSchema = (schema: TSchema): string => {
  if (schema.anyOf) return describeUnion(schema.anyOf)
  if ('const' in schema) return toJson(schema.const)
  switch (schema.type) {
    case 'string':
      return describeText(schema)
    case 'integer':
      return `a whole number${describeBounds(schema)}`
    case 'number':
      return `a number${describeBounds(schema)}`
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'array':
      return `a list${describeCount(schema.minItems, schema.maxItems, ['entry', 'entries'])}${schema.uniqueItems ? ', each only once' : ''}`
    case 'object':
      return `an object${describeCount(schema.minProperties, schema.maxProperties, ['field', 'fields'])}`
    default:
      return schema.not ? 'left out' : 'a value of the type in the API reference'
  }
}

const describeUnion = (variants: TSchema[]): string => {
  const literals = variants.filter(isLiteral)
  const objects = variants.filter(isObject)
  const name = findDiscriminator(objects)
  const others = variants.filter(one => !isLiteral(one) && !(name !== undefined && isObject(one)))
  const parts = [
    ...(literals.length > 0 ? [listOptions(literals.map(one => one.const))] : []),
    ...(name === undefined ? [] : [`an object whose ${name} is ${listLiterals(objects, name)}`]),
    ...others.map(describeSchema),
  ]
  return [...new Set(parts)].join(' or ')
}

const listOptions = (values: unknown[]): string =>
  values.length === 1 ? toJson(values[0]) : `one of ${values.join(', ')}`

const toJson = (value: unknown): string => JSON.stringify(value)

const formats: Record<string, string> = {
  uuid: 'a UUID',
  'date-time': 'a time such as 2026-03-01T09:30:02Z',
}

const describeText = ({ format, pattern, minLength, maxLength }: TSchema): string => {
  if (format !== undefined) return formats[format] ?? `a text of the format ${format}`
  const length = describeCount(minLength, maxLength, ['character', 'characters'])
  if (pattern === '\\S') return `a text${length} that is not all white space`
  return pattern === undefined ? `a text${length}` : `a text${length} that matches ${pattern}`
}

const describeBounds = (schema: TSchema): string => {
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
const describeCount = (min: number | undefined, max: number | undefined, [one, many]: [string, string]): string => {
  const noun = (count: number) => (count === 1 ? one : many)
  if (max === undefined) return min ? ` of at least ${min} ${noun(min)}` : ''
  if (!min) return ` of at most ${max} ${noun(max)}`
  return min === max ? ` of exactly ${max} ${noun(max)}` : ` of ${min} to ${max} ${noun(max)}`
}
