import { Select, Stack, Text, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { parseJson } from '../../api/json.ts'
import { useTranslate } from '../../texts/index.tsx'
import formStyles from '../form/form.module.css'
import { Parts } from './ConditionForm.tsx'
import styles from './condition.module.css'
import {
  type Condition,
  type ConditionOptions,
  convertGroup,
  getKind,
  isCondition,
  type Kind,
  kinds,
  trimCondition,
} from './condition.ts'

/** Condition in editing form, which can be kept as a draft. */
export interface TypedCondition {
  condition: Condition | null
  /** JSON text typed instead of the form. null while the form is used. */
  json: string | null
}

/** Returns the condition to send. Throws `SyntaxError` if the JSON is invalid. */
export const toCondition = ({ condition, json }: TypedCondition): Condition | null =>
  json !== null ? (parseJson(json) as Condition) : condition && trimCondition(condition)

type Mode = Kind | 'none' | 'json'

/** Field for a condition: comparisons, groups, or the whole condition as JSON. */
export const ConditionField = ({
  label,
  hint,
  options,
  optional = false,
  value: { condition, json },
  onChange,
}: {
  label: string
  hint?: string
  options: ConditionOptions
  /** Allows no condition. */
  optional?: boolean
  value: TypedCondition
  onChange: (value: TypedCondition) => void
}) => {
  const t = useTranslate()
  /** Keeps the value of the previous mode, so that switching back restores it. */
  const previous = useRef<TypedCondition>({ condition: null, json: null })
  const kind = condition && getKind(condition)
  const mode: Mode = json !== null ? 'json' : kind === null ? 'none' : kind === 'compare' ? 'all' : kind
  const selectMode = (to: Mode) => {
    const parsed = json === null ? null : parseCondition(json)
    const current = parsed ?? condition ?? previous.current.condition ?? options.initial
    previous.current = { condition: current, json: json !== null && !parsed ? json : null }
    if (to === 'none') onChange({ condition: null, json: null })
    else if (to === 'json') onChange({ condition, json: previous.current.json ?? JSON.stringify(current, null, 2) })
    else onChange({ condition: convertGroup(current, to), json: null })
  }
  const modes: Mode[] = [...(optional ? ['none' as const] : []), ...kinds, 'json']
  const modeNames: Record<Mode, string> = {
    none: t('condition.none'),
    all: t('condition.all'),
    any: t('condition.any'),
    not: t('condition.notThese'),
    json: t('condition.asJson'),
  }
  return (
    <fieldset className={formStyles.fieldset}>
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
          data={modes.map(one => ({ value: one, label: modeNames[one] }))}
          value={mode}
          allowDeselect={false}
          readOnly={options.readOnly ?? false}
          onChange={next => next && next !== mode && selectMode(next as Mode)}
        />
        {json !== null ? (
          <Textarea
            classNames={{ input: styles.json! }}
            aria-label={t('condition.asJson')}
            autosize
            minRows={4}
            maxRows={20}
            spellCheck={false}
            readOnly={options.readOnly ?? false}
            error={parseCondition(json) ? undefined : t('condition.notJson')}
            value={json}
            onChange={event => onChange({ condition, json: event.currentTarget.value })}
          />
        ) : (
          condition && (
            <Parts options={options} value={condition} onChange={next => onChange({ condition: next, json: null })} />
          )
        )}
      </Stack>
    </fieldset>
  )
}

const parseCondition = (text: string): Condition | null => {
  try {
    const value = parseJson(text)
    return isCondition(value) ? value : null
  } catch {
    return null
  }
}
