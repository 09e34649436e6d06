/** Pure functions that split and combine conditions of the API. */
import type { Schemas } from '../../api/client.ts'

export type Condition = Schemas['Condition']
export type Comparison = Extract<Condition, { path: string }>
/** Options of a condition field. */
export interface ConditionOptions {
  /** Initial value of a new comparison. */
  initial: Comparison
  readOnly?: boolean
  /** Suggested paths. */
  paths?: string[]
  /** Named fields, and the prefix under which other names can be typed. */
  named?: { prefix: { path: string; label: string; name: string }; fields: { path: string; label: string }[] }
  /** Returns true if a value for this path is parsed as a number, true or false where possible. */
  infersType?: (path: string) => boolean
  /** Rejects a comparison with an empty value. */
  requiresValue?: boolean
}

/** Group operator. */
export type Kind = 'all' | 'any' | 'not'
export const kinds = ['all', 'any', 'not'] as const

export const getKind = (condition: Condition): Kind | 'compare' =>
  'all' in condition ? 'all' : 'any' in condition ? 'any' : 'not' in condition ? 'not' : 'compare'

/** Returns the parts of a condition. A comparison is its own single part. */
export const listParts = (condition: Condition): Condition[] =>
  'all' in condition
    ? condition.all
    : 'any' in condition
      ? condition.any
      : 'not' in condition
        ? [condition.not]
        : [condition]

export const makeGroup = (kind: Kind, parts: Condition[]): Condition =>
  kind === 'all' ? { all: parts } : kind === 'any' ? { any: parts } : { not: parts[0]! }

/** Returns the same parts with another group operator. */
export const convertGroup = (condition: Condition, to: Kind): Condition => {
  const parts = listParts(condition)
  if (to === 'not') return { not: parts.length === 1 ? parts[0]! : condition }
  return makeGroup(to, parts)
}

/** Returns true if the form can show the value. Typed JSON can be anything. */
export const isCondition = (value: unknown): value is Condition => {
  if (typeof value !== 'object' || value === null) return false
  if ('path' in value) return typeof value.path === 'string' && 'op' in value && typeof value.op === 'string'
  if ('not' in value) return isCondition(value.not)
  const parts = 'all' in value ? value.all : 'any' in value ? value.any : null
  return Array.isArray(parts) && parts.every(isCondition)
}

/** Returns the condition with all texts trimmed. */
export const trimCondition = (condition: Condition): Condition => {
  const kind = getKind(condition)
  if (kind !== 'compare') return makeGroup(kind, listParts(condition).map(trimCondition))
  const { path, value, ...rest } = condition as Comparison
  return { ...rest, path: path.trim(), ...(value !== undefined && { value: trimValue(value) }) } as Comparison
}

const trimValue = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(trimValue) : typeof value === 'string' ? value.trim() : value
