/** Changed fields of an audit entry, with their values before and after. */
import type { Entry } from './entries.tsx'

/** Value of a detail. The API gives texts, numbers, booleans and lists of texts. */
export type DetailValue = string | number | boolean | null | readonly string[]

export interface FieldChange {
  field: string
  /** Undefined if the log does not have the value. */
  before?: DetailValue
  after?: DetailValue
}

/** Details that the table of changes shows. */
const structural = new Set(['changed', 'from', 'to'])

const isValue = (value: unknown): value is DetailValue =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every(item => typeof item === 'string'))

/** Returns the details with a value that can be shown. */
const valuesOf = ({ detail }: Entry): [string, DetailValue][] =>
  Object.entries(detail).flatMap(([name, value]) => (isValue(value) ? [[name, value]] : []))

/** Actions whose details are the new values of the fields that were given. */
const withNewValues = new Set(['changeWorkspace', 'replaceOptOutWords', 'changePlan'])

/**
 * Returns the changed fields. A role has its values before and after; of other fields the log keeps the names, and some
 * new values.
 */
export const changesOf = (entry: Entry): FieldChange[] => {
  const values = new Map(valuesOf(entry))
  const from = values.get('from')
  const to = values.get('to')
  if (from !== undefined && to !== undefined) return [{ field: 'role', before: from, after: to }]
  if (withNewValues.has(entry.action)) return [...values].map(([field, after]) => ({ field, after }))
  const changed = values.get('changed')
  if (!Array.isArray(changed)) return []
  return changed.map((field: string) => {
    const after = values.get(field)
    return { field, ...(after !== undefined && { after }) }
  })
}

/** Returns all other details. */
export const factsOf = (entry: Entry): [string, DetailValue][] => {
  const changed = new Set(changesOf(entry).map(({ field }) => field))
  return valuesOf(entry).filter(([name]) => !structural.has(name) && !changed.has(name))
}
