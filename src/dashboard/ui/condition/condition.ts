/** A condition as the interface has it, taken apart and put together. Pure. */
import type { Schemas } from '../../api/client.ts'

export type Condition = Schemas['Condition']
export type Comparison = Extract<Condition, { path: string }>
/** What a condition looks at where it is asked for. */
export interface Asked {
  /** What a comparison that is added begins with. */
  begin: Comparison
  readOnly?: boolean
  /** Paths that are offered where one is typed. */
  paths?: string[]
  /** Paths by the names they have here, and what is under one of them by a name that is typed. */
  named?: { under: { path: string; label: string; name: string }; fields: { path: string; label: string }[] }
  /** Whether what is typed to be compared with what stands there means a number, true or false where it is one. */
  guesses?: (path: string) => boolean
  /** A comparison with nothing is a slip. */
  valueWanted?: boolean
}

/** How the parts of one go together. */
export type Kind = 'all' | 'any' | 'not'
export const kinds = ['all', 'any', 'not'] as const

export const kindOf = (condition: Condition): Kind | 'compare' =>
  'all' in condition ? 'all' : 'any' in condition ? 'any' : 'not' in condition ? 'not' : 'compare'

/** A comparison is its own only part. */
export const partsOf = (condition: Condition): Condition[] =>
  'all' in condition
    ? condition.all
    : 'any' in condition
      ? condition.any
      : 'not' in condition
        ? [condition.not]
        : [condition]

export const madeOf = (kind: Kind, parts: Condition[]): Condition =>
  kind === 'all' ? { all: parts } : kind === 'any' ? { any: parts } : { not: parts[0]! }

/** The same parts, put together in another way. */
export const turned = (condition: Condition, to: Kind): Condition => {
  const parts = partsOf(condition)
  if (to === 'not') return { not: parts.length === 1 ? parts[0]! : condition }
  return madeOf(to, parts)
}

/** Whether the form can show it: what somebody writes as JSON may be anything. */
export const isCondition = (value: unknown): value is Condition => {
  if (typeof value !== 'object' || value === null) return false
  if ('path' in value) return typeof value.path === 'string' && 'op' in value && typeof value.op === 'string'
  if ('not' in value) return isCondition(value.not)
  const parts = 'all' in value ? value.all : 'any' in value ? value.any : null
  return Array.isArray(parts) && parts.every(isCondition)
}

/** Without the blanks around what was typed. */
export const trimmed = (condition: Condition): Condition => {
  const kind = kindOf(condition)
  if (kind !== 'compare') return madeOf(kind, partsOf(condition).map(trimmed))
  const { path, value, ...rest } = condition as Comparison
  return { ...rest, path: path.trim(), ...(value !== undefined && { value: withoutBlanks(value) }) } as Comparison
}

const withoutBlanks = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(withoutBlanks) : typeof value === 'string' ? value.trim() : value
