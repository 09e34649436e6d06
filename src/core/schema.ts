/** Schemas shared by all modules. `x-message` is the error message for a value that does not match. */
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
import type { JsonText } from '../platform/json-text.ts'

/** Sets the error message of a field. `validate.ts` uses it instead of a message generated from the schema. */
export const errorMessage = (text: string) => ({ 'x-message': text })

/**
 * Adds JSON Schema keywords to the published document only, for rules that the verb checks itself. The verb also writes
 * the error message.
 */
export const publishedKeywords = (keywords: Record<string, unknown>) => ({ 'x-published': keywords })

/** Requires at least one of the fields. Written as conditions, which client generators ignore. */
export const requireAny = ([name, ...others]: string[]): Record<string, unknown> =>
  others.length === 0 ? { required: [name] } : { if: { not: { required: [name] } }, then: requireAny(others) }

/** Requires exactly one of the two fields. */
export const requireExactlyOne = (one: string, other: string): Record<string, unknown> => ({
  if: { required: [one] },
  then: { not: { required: [other] } },
  else: { required: [other] },
})

export const Id = Type.String({ format: 'uuid', description: 'UUIDv7.' })

/** A time in ISO 8601, UTC, with milliseconds and Z. */
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' })

/**
 * Copies a schema with another description. Do not use it for a schema with an `$id`, which is described where it is
 * declared.
 */
export const withDescription = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description })

/** A union of string literals. */
export const literals = <T extends string>(values: readonly T[], options: SchemaOptions = {}) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    options,
  )

/** The value or null. The error message is that of the value. */
export const Nullable = <T extends TSchema>(schema: T) => {
  const text: unknown = schema['x-message']
  return Type.Union([schema, Type.Null()], typeof text === 'string' ? errorMessage(text) : {})
}

/**
 * An object with names chosen by the caller. `Type.Record` does not check the values of names that contain a line
 * break.
 */
export const StringMap = <T extends TSchema>(value: T, options: ObjectOptions = {}) =>
  Type.Unsafe<Record<string, Static<T>>>(Type.Object({}, { ...options, additionalProperties: value }))

/** Any number. Integers keep all their digits. */
export const JsonNumber = Type.Unsafe<Numeral>({ [Kind]: 'JsonNumber', type: 'number' })
TypeRegistry.Set('JsonNumber', (_, value) => typeof value === 'number' || typeof value === 'bigint')

/** A JSON object that is returned as received or as stored. */
export const JsonObject = Type.Unsafe<Record<string, unknown> | JsonText>(Type.Record(Type.String(), Type.Unknown()))

/** A page of a list, newest first. With an item `$id` of Customer, the component is named CustomerPage. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      data: Type.Array(item, { description: 'Records of this page.' }),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Value of `cursor` for the next page. Null on the last page.',
      }),
    },
    { ...(item.$id !== undefined && { $id: `${item.$id}Page` }) },
  )

/**
 * A complete list without pages, for lists that are always short. With an item `$id` of Sale, the component is named
 * SaleList.
 */
export const List = <T extends TSchema>(item: T) =>
  Type.Object(
    { data: Type.Array(item, { description: 'All records.' }) },
    { ...(item.$id !== undefined && { $id: `${item.$id}List` }) },
  )

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'Maximum number of records per page.',
      ...errorMessage('Must be a whole number from 1 to 100.'),
    }),
  ),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the previous page.' })),
})
export type PageQuery = Static<typeof PageQuery>

/** Order of a list by time. Its cursors are valid for one order. */
export const Sort = literals(['newest', 'oldest'], {
  default: 'newest',
  description: 'Order by time of creation: `newest` or `oldest` first.',
  ...errorMessage('Must be one of newest, oldest.'),
})
export type Sort = Static<typeof Sort>

/** A time that the caller chooses. */
export const dateTime = (description: string) =>
  Type.String({ format: 'date-time', description, ...errorMessage('Must be a time such as 2026-03-01T09:30:02Z.') })

/** Pattern that rejects U+0000, which a query string can contain and PostgreSQL cannot store. */
export const withoutNul = '^[^\\u0000]*$'

/** Filter by a part of a text. Empty selects all records. */
export const textFilter = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: withoutNul,
      description,
      ...errorMessage('Must be a text of at most 200 characters.'),
    }),
  )

/** Filters by time, both included. `selected` is the beginning of their descriptions. */
export const periodFilters = (selected: string) => ({
  since: Type.Optional(dateTime(`${selected} at this time or later.`)),
  until: Type.Optional(dateTime(`${selected} at this time or earlier. Must not be before \`since\`.`)),
})

/** The query of a list that can be sorted by time and limited to a time range. `recorded` completes "Only records ...". */
export const rangeQuery = (recorded = 'created') =>
  Type.Object({ ...PageQuery.properties, sort: Type.Optional(Sort), ...periodFilters(`Only records ${recorded}`) })
export type RangeQuery = Static<ReturnType<typeof rangeQuery>>

/** A phone number in E.164 format. */
export const Phone = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'E.164 format: + and 7 to 15 digits.',
  ...errorMessage('Must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678.'),
})
