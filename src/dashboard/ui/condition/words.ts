import type { TextId, useTexts } from '../../texts/index.tsx'
import type { Condition } from './condition.ts'

type Say = ReturnType<typeof useTexts>

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.map(shown).join(', ') : typeof value === 'string' ? value : JSON.stringify(value)

interface How {
  /** True within another condition. */
  inner?: boolean
  nameOf?: (path: string) => string
}

/** Returns the condition as text: `data.total ≥ 200 or (not customer.name = Ana)`. */
export const conditionText = (
  condition: Condition | undefined,
  say: Say,
  { inner = false, nameOf = path => path }: How = {},
): string => {
  if (!condition || typeof condition !== 'object') return ''
  const within = (part: Condition) => conditionText(part, say, { inner: true, nameOf })
  if ('all' in condition || 'any' in condition) {
    const parts = 'all' in condition ? condition.all : condition.any
    const word = say('all' in condition ? 'condition.and' : 'condition.or')
    const text = parts.map(within).join(` ${word} `)
    return inner && parts.length > 1 ? `(${text})` : text
  }
  if ('not' in condition) return `${say('condition.not')} ${within(condition.not)}`
  const name = nameOf(condition.path)
  if (condition.op === 'exists')
    return `${name} ${say(condition.value === false ? 'condition.sign.absent' : 'condition.sign.exists')}`
  return `${name} ${say(`condition.sign.${condition.op}` satisfies TextId)} ${shown(condition.value)}`
}
