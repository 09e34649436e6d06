/** Conditions on a customer as a few comparisons in a row, and as the interface has them. */
import type { Schemas } from '../../api/client.ts'
import { parseJson } from '../../api/json.ts'

type Condition = Schemas['Condition']
type Comparison = Extract<Condition, { path: string }>

export const ops = ['eq', 'ne', 'contains', 'gt', 'gte', 'lt', 'lte', 'in', 'exists', 'missing'] as const
export type Op = (typeof ops)[number]
export const fields = ['attribute', 'name', 'phone', 'externalId'] as const
export type Field = (typeof fields)[number]
export type Match = 'all' | 'any'

export interface Comparing {
  field: Field
  /** Of an attribute: what stands behind `customer.attributes.` */
  attribute: string
  op: Op
  value: string
}

export const newComparing: Comparing = { field: 'attribute', attribute: '', op: 'eq', value: '' }

const attributes = 'customer.attributes.'

/** What somebody writes means a number, true or false where it is one. A text that is a number equals it all the same. */
const meant = (text: string): string | number | boolean =>
  text === 'true'
    ? true
    : text === 'false'
      ? false
      : /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(text)
        ? Number(text)
        : text

const comparisonOf = ({ field, attribute, op, value }: Comparing): Comparison => {
  const path = field === 'attribute' ? `${attributes}${attribute.trim()}` : `customer.${field}`
  if (op === 'exists') return { path, op }
  if (op === 'missing') return { path, op: 'exists', value: false }
  if (op === 'in') {
    const values = value.split(',').map(one => meant(one.trim()))
    return { path, op, value: values }
  }
  // A phone number or an id stays the text that it is.
  return { path, op, value: field === 'attribute' ? meant(value.trim()) : value.trim() }
}

export interface TypedCondition {
  match: Match
  comparisons: Comparing[]
  json: string | null
}

export const conditionOf = ({ match, comparisons, json }: TypedCondition): Condition => {
  if (json !== null) return parseJson(json) as Condition
  const parts = comparisons.map(comparisonOf)
  return parts.length === 1 ? parts[0]! : match === 'all' ? { all: parts } : { any: parts }
}

const comparingOf = (condition: Condition): Comparing | null => {
  if (!('path' in condition)) return null
  const { path, op, value } = condition
  const field = path.startsWith(attributes) ? 'attribute' : fields.find(one => `customer.${one}` === path)
  if (!field) return null
  return {
    field,
    attribute: field === 'attribute' ? path.slice(attributes.length) : '',
    op: op === 'exists' && value === false ? 'missing' : op,
    value: op === 'exists' ? '' : Array.isArray(value) ? value.join(', ') : String(value ?? ''),
  }
}

/** As comparisons in a row where these say exactly the same, else as JSON. */
export const typedConditionOf = (condition: Condition): TypedCondition => {
  const match: Match = 'any' in condition ? 'any' : 'all'
  const parts: Condition[] = 'any' in condition ? condition.any : 'all' in condition ? condition.all : [condition]
  const comparisons = parts.flatMap(part => {
    const comparing = comparingOf(part)
    return comparing && isSame(comparisonOf(comparing), part as Comparison) ? [comparing] : []
  })
  return comparisons.length === parts.length
    ? { match, comparisons, json: null }
    : { match, comparisons: [], json: JSON.stringify(condition, null, 2) }
}

const isSame = (one: Comparison, other: Comparison): boolean =>
  one.path === other.path && one.op === other.op && JSON.stringify(one.value) === JSON.stringify(other.value)
