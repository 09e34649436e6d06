import { Select, Stack, Text, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { parseJson } from '../../api/json.ts'
import { useTexts } from '../../texts/index.tsx'
import ui from '../ui.module.css'
import { Parts } from './ConditionForm.tsx'
import styles from './condition.module.css'
import { type Asked, type Condition, isCondition, type Kind, kindOf, kinds, trimmed, turned } from './condition.ts'

/** Condition in editing form, which can be kept as a draft. */
export interface TypedCondition {
  condition: Condition | null
  /** JSON text typed instead of the form. null while the form is used. */
  json: string | null
}

/** Returns the condition to send. Throws `SyntaxError` if the JSON is invalid. */
export const conditionOf = ({ condition, json }: TypedCondition): Condition | null =>
  json !== null ? (parseJson(json) as Condition) : condition && trimmed(condition)

type Way = Kind | 'none' | 'json'

/** Field for a condition: comparisons, groups, or the whole condition as JSON. */
export const ConditionField = ({
  label,
  hint,
  of,
  optional = false,
  value: { condition, json },
  onChange,
}: {
  label: string
  hint?: string
  of: Asked
  /** Allows no condition. */
  optional?: boolean
  value: TypedCondition
  onChange: (value: TypedCondition) => void
}) => {
  const say = useTexts()
  /** Keeps the value of the previous mode, so that switching back restores it. */
  const aside = useRef<TypedCondition>({ condition: null, json: null })
  const kind = condition && kindOf(condition)
  const way: Way = json !== null ? 'json' : kind === null ? 'none' : kind === 'compare' ? 'all' : kind
  const choose = (to: Way) => {
    const written = json === null ? null : readOf(json)
    const before = written ?? condition ?? aside.current.condition ?? of.begin
    aside.current = { condition: before, json: json !== null && !written ? json : null }
    if (to === 'none') onChange({ condition: null, json: null })
    else if (to === 'json') onChange({ condition, json: aside.current.json ?? JSON.stringify(before, null, 2) })
    else onChange({ condition: turned(before, to), json: null })
  }
  const ways: Way[] = [...(optional ? ['none' as const] : []), ...kinds, 'json']
  const nameOf: Record<Way, string> = {
    none: say('condition.none'),
    all: say('condition.all'),
    any: say('condition.any'),
    not: say('condition.notThese'),
    json: say('condition.asJson'),
  }
  return (
    <fieldset className={ui.fieldset}>
      <legend>{label}</legend>
      <Stack gap="sm">
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
        <Select
          aria-label={label}
          maw={320}
          data={ways.map(one => ({ value: one, label: nameOf[one] }))}
          value={way}
          allowDeselect={false}
          readOnly={of.readOnly ?? false}
          onChange={next => next && next !== way && choose(next as Way)}
        />
        {json !== null ? (
          <Textarea
            classNames={{ input: styles.json! }}
            aria-label={say('condition.asJson')}
            autosize
            minRows={4}
            maxRows={20}
            spellCheck={false}
            readOnly={of.readOnly ?? false}
            error={readOf(json) ? undefined : say('condition.notJson')}
            value={json}
            onChange={event => onChange({ condition, json: event.currentTarget.value })}
          />
        ) : (
          condition && <Parts of={of} value={condition} onChange={next => onChange({ condition: next, json: null })} />
        )}
      </Stack>
    </fieldset>
  )
}

const readOf = (text: string): Condition | null => {
  try {
    const value = parseJson(text)
    return isCondition(value) ? value : null
  } catch {
    return null
  }
}
