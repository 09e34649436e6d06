import type { TextId, useTranslate } from '../../texts/index.tsx'
import type { Condition } from './condition.ts'

type Translate = ReturnType<typeof useTranslate>

const valueText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(valueText).join(', ')
    : typeof value === 'string'
      ? `“${value}”`
      : JSON.stringify(value)

interface TextOptions {
  /** True within another condition. */
  isNested?: boolean
  pathLabel?: (path: string) => string
}

/** Returns the condition in words: `data.total is at least 200 or not (customer.name is “Ana”)`. */
export const conditionText = (
  condition: Condition | undefined,
  t: Translate,
  { isNested = false, pathLabel = path => path }: TextOptions = {},
): string => {
  if (!condition || typeof condition !== 'object') return ''
  const nestedText = (part: Condition) => conditionText(part, t, { isNested: true, pathLabel })
  if ('all' in condition || 'any' in condition) {
    const parts = 'all' in condition ? condition.all : condition.any
    const word = t('all' in condition ? 'condition.and' : 'condition.or')
    const text = parts.map(nestedText).join(` ${word} `)
    return isNested && parts.length > 1 ? `(${text})` : text
  }
  if ('not' in condition) return `${t('condition.not')} (${conditionText(condition.not, t, { pathLabel })})`
  const name = pathLabel(condition.path)
  if (condition.op === 'exists')
    return `${name} ${t(condition.value === false ? 'condition.op.absent' : 'condition.op.exists')}`
  return `${name} ${t(`condition.op.${condition.op}` satisfies TextId)} ${valueText(condition.value)}`
}
