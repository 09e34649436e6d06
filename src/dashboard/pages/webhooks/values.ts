/** What the form of an endpoint holds, and how it becomes what the interface takes. */
import type { Schemas } from '../../api/client.ts'
import { parseJson } from '../../api/json.ts'
import type { Subscribable } from './filters.ts'

type Condition = Schemas['Condition']

export const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const

export interface Comparison {
  path: string
  op: (typeof operators)[number]
  value: string
}

/** A condition as people write it: comparisons of which all or any must hold, or anything else as JSON. */
export interface FilterValues {
  as: 'none' | 'all' | 'any' | 'json'
  comparisons: Comparison[]
  json: string
}

export type Pair = [name: string, value: string]

export interface EndpointValues {
  url: string
  name: string
  description: string
  events: Subscribable[]
  ratePerSecond: number | ''
  metadata: Pair[]
  filter: FilterValues
}

/** `headers` stands apart: their values are secrets, and are neither shown nor kept as a draft. Null leaves them alone. */
export type Headers = Pair[] | null

export const noComparison: Comparison = { path: 'data.', op: 'eq', value: '' }

export const valuesOf = (webhook: Schemas['Webhook'] | null): EndpointValues => ({
  url: webhook?.url ?? '',
  name: webhook?.name ?? '',
  description: webhook?.description ?? '',
  events: (webhook?.events ?? []) as Subscribable[],
  ratePerSecond: webhook?.ratePerSecond ?? '',
  metadata: Object.entries(webhook?.metadata ?? {}),
  filter: filterOf(webhook?.filter ?? null),
})

const filterOf = (condition: Condition | null): FilterValues => {
  const json = condition === null ? '' : JSON.stringify(condition, null, 2)
  if (condition === null) return { as: 'none', comparisons: [], json }
  if ('path' in condition) return { as: 'all', comparisons: [comparisonOf(condition)], json }
  for (const as of ['all', 'any'] as const) {
    const parts = (condition as Partial<Record<typeof as, Condition[]>>)[as]
    if (parts?.every(part => 'path' in part)) return { as, comparisons: parts.map(comparisonOf), json }
  }
  return { as: 'json', comparisons: [], json }
}

type Single = Extract<Condition, { path: string }>

const comparisonOf = ({ path, op, value }: Single): Comparison => ({
  path,
  op,
  value: Array.isArray(value) ? value.map(written).join(', ') : value === undefined ? '' : written(value),
})

/** A text that would be read as something else stands in quotes. */
const written = (value: unknown): string =>
  typeof value === 'string' && read(value) === value ? value : JSON.stringify(value)

/** Numbers, true, false and what stands in quotes as what they are, all else as text. */
const read = (text: string): unknown => {
  try {
    const value = parseJson(text)
    return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? value : text
  } catch {
    return text
  }
}

/** Throws `SyntaxError` where the JSON is none. */
export const conditionOf = ({ as, comparisons, json }: FilterValues): Condition | null => {
  if (as === 'none') return null
  if (as === 'json') return parseJson(json) as Condition
  const parts = comparisons.map(singleOf)
  if (parts.length === 0) return null
  return as === 'all' ? { all: parts } : { any: parts }
}

const singleOf = ({ path, op, value }: Comparison): Single => {
  if (op === 'exists') return { path, op, value: value !== 'false' }
  if (op === 'in') return { path, op, value: value.split(',').map(part => read(part.trim())) }
  return { path, op, value: read(value.trim()) }
}

/** All of it, as a new endpoint wants it. */
export const bodyOf = (values: EndpointValues, headers: Headers): Schemas['CreateWebhook'] => ({
  url: values.url.trim(),
  events: values.events,
  name: values.name.trim() || null,
  description: values.description.trim() || null,
  ratePerSecond: values.ratePerSecond === '' ? null : values.ratePerSecond,
  metadata: Object.fromEntries(values.metadata.filter(([name]) => name !== '')),
  filter: conditionOf(values.filter),
  ...(headers && { headers: Object.fromEntries(headers.filter(([name]) => name !== '')) }),
})

/** Only what is no longer as it was: what somebody else changed meanwhile stays theirs. */
export const changesOf = (
  before: EndpointValues,
  after: EndpointValues,
  headers: Headers,
): Partial<Schemas['CreateWebhook']> => {
  const was: Record<string, unknown> = { ...bodyOf(before, null) }
  const changed = Object.entries(bodyOf(after, headers)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(was[field]),
  )
  return Object.fromEntries(changed)
}
