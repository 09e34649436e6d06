/** Shapes that every noun shares. `x-message` is the sentence a caller reads when the value is refused. */
import {
  Kind,
  type ObjectOptions,
  type SchemaOptions,
  type Static,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import type { Numeral } from '../platform/json.ts'
import type { JsonText } from './json-text.ts'

/** Sentence for refusals of a field; http/validate.ts shows it instead of one made from the schema. */
export const message = (sentence: string) => ({ 'x-message': sentence })

/**
 * What the verb asks of a value beyond its shape, for the published document: keywords of JSON Schema. The refusal is the
 * verb's own, in words that a schema does not have.
 */
export const published = (keywords: Record<string, unknown>) => ({ 'x-published': keywords })

/** One of them at least is there. Written as conditions, which generators of clients pass over. */
export const oneIsGiven = ([name, ...others]: string[]): Record<string, unknown> =>
  others.length === 0 ? { required: [name] } : { if: { not: { required: [name] } }, then: oneIsGiven(others) }

/** The one or the other is there, and not both. */
export const eitherIsGiven = (one: string, other: string): Record<string, unknown> => ({
  if: { required: [one] },
  then: { not: { required: [other] } },
  else: { required: [other] },
})

export const Id = Type.String({ format: 'uuid', description: 'UUIDv7.' })

/** ISO 8601 UTC with milliseconds and Z. */
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' })

/** The same schema with words of its own. Not of one with an `$id`, which is described once, where it is declared. */
export const described = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description })

/** One of these texts. */
export const literals = <T extends string>(values: readonly T[], options: SchemaOptions = {}) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    options,
  )

/** The value or null; refused in the value's own words. */
export const Nullable = <T extends TSchema>(schema: T) => {
  const sentence: unknown = schema['x-message']
  return Type.Union([schema, Type.Null()], typeof sentence === 'string' ? message(sentence) : {})
}

/** An object of values by names the caller chooses. `Type.Record` passes over names with a line end, whatever is there. */
export const ByName = <T extends TSchema>(value: T, options: ObjectOptions = {}) =>
  Type.Unsafe<Record<string, Static<T>>>(Type.Object({}, { ...options, additionalProperties: value }))

/** Any number, with all the digits of a whole one. */
export const JsonNumber = Type.Unsafe<Numeral>({ [Kind]: 'JsonNumber', type: 'number' })
TypeRegistry.Set('JsonNumber', (_, value) => typeof value === 'number' || typeof value === 'bigint')

/** An object that is answered as it came in, or as it is stored. */
export const Stored = Type.Unsafe<Record<string, unknown> | JsonText>(Type.Record(Type.String(), Type.Unknown()))

/** A page of a list, newest first: of customers it is the component CustomerPage. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      data: Type.Array(item, { description: 'The records of this page.' }),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Send it as `cursor` for the next page; null at the end.',
      }),
    },
    { ...(item.$id !== undefined && { $id: `${item.$id}Page` }) },
  )

/** All there is of a list that is short by its nature: of sales it would be the component SaleList. */
export const Whole = <T extends TSchema>(item: T) =>
  Type.Object(
    { data: Type.Array(item, { description: 'All of them.' }) },
    { ...(item.$id !== undefined && { $id: `${item.$id}List` }) },
  )

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'How many records a page holds at most.',
      ...message('Must be a whole number from 1 to 100.'),
    }),
  ),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before.' })),
})
export type PageQuery = Static<typeof PageQuery>

/** Phone number in E.164. */
export const Phone = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'E.164: + and 7 to 15 digits.',
  ...message('Must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678.'),
})
