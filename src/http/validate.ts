/** Compiled checks of bodies and queries, and refusals in words that a person can act on. */
import type { Static, TSchema } from '@sinclair/typebox'
import { FormatRegistry } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { distance } from 'fastest-levenshtein'
import { type Details, invalidRequest } from '../domain/errors.ts'
import { isId } from '../domain/ids.ts'

FormatRegistry.Set('uuid', isId)
FormatRegistry.Set('date-time', text => !Number.isNaN(Date.parse(text)))

/** A function that returns the value when it fits the schema and refuses it (400 invalid_request) when it does not. */
export const validator = <T extends TSchema>(schema: T): ((value: unknown) => Static<T>) => {
  const compiled = TypeCompiler.Compile(schema)
  const fields = Object.keys(schema.properties ?? {})
  return value => {
    if (compiled.Check(value)) return value
    const counted = countedByCharacter(value)
    if (compiled.Check(counted)) return value as Static<T>
    throw invalidRequest(detailsOf(compiled.Errors(counted), fields))
  }
}

/**
 * The value with one plain character for each that JavaScript counts as two: lengths are promised in characters, here
 * and in the published document.
 */
const countedByCharacter = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  return beyondBmp.test(text) ? JSON.parse(text.replaceAll(beyondBmp, '□')) : value
}

const beyondBmp = /[\u{10000}-\u{10ffff}]/gu

/** The same for a query string: its texts are read as the numbers and booleans that the schema asks for. */
export const queryValidator = <T extends TSchema>(schema: T): ((query: URLSearchParams) => Static<T>) => {
  const validate = validator(schema)
  const properties = (schema.properties ?? {}) as Record<string, TSchema>
  return query => {
    const given: Record<string, unknown> = {}
    for (const [name, text] of query) {
      if (!Object.hasOwn(properties, name)) continue
      if (text.includes('\0') || !text.isWellFormed())
        throw invalidRequest({ [name]: 'Holds a character that no text can hold.' })
      given[name] = read(text, properties[name]!.type)
    }
    return validate(given)
  }
}

/** A text that is no such thing stays a text, which the check then refuses. */
const read = (text: string, type: unknown): unknown => {
  if (type === 'integer' && /^\d{1,9}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

const mostDetails = 20
const longestPath = 200

const detailsOf = (errors: Iterable<ValueError>, fields: string[]): Details => {
  // A Map, for a field may be called __proto__ or toString.
  const details = new Map<string, string>()
  for (const error of errors) {
    const path = error.path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
    const field = shortened(path) || 'body'
    if (!details.has(field)) details.set(field, reasonFor(error, path, fields))
    if (details.size === mostDetails) break
  }
  return Object.fromEntries(details)
}

/** A field may be named by whoever sends it: at any length. */
const shortened = (path: string): string => (path.length > longestPath ? `${path.slice(0, longestPath)}…` : path)

const reasonFor = (error: ValueError, path: string, fields: string[]): string => {
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return 'Is required.'
    case ValueErrorType.ObjectAdditionalProperties:
      return unknownField(path, fields)
    default:
      return typeof error.schema['x-message'] === 'string' ? error.schema['x-message'] : sentence(error.message)
  }
}

const unknownField = (path: string, fields: string[]): string => {
  const meant = path.includes('.') || path.length > longestPath ? undefined : nearest(path, fields)
  return meant === undefined ? 'Is not a known field; remove it.' : `Is not a known field; did you mean ${meant}?`
}

/** Spelt otherwise (`idempotency_key`) or mistyped by up to two letters. */
const nearest = (given: string, fields: string[]): string | undefined => {
  const plain = (name: string) => name.replaceAll(/[_\-\s]/g, '').toLowerCase()
  return (
    fields.find(field => plain(field) === plain(given)) ??
    fields.find(field => field.length > 3 && distance(plain(field), plain(given)) <= 2)
  )
}

const sentence = (text: string): string =>
  text.startsWith('Expected ') ? `Must be ${text.slice('Expected '.length)}.` : `${text}.`
