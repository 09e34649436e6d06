import { Button, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { numberOf } from '../../api/json.ts'
import { useTexts } from '../../texts/index.tsx'
import { Remove } from '../Remove.tsx'
import ui from '../ui.module.css'
import styles from './condition.module.css'
import {
  type Asked,
  type Comparison,
  type Condition,
  type Kind,
  kindOf,
  kinds,
  madeOf,
  partsOf,
  turned,
} from './condition.ts'
import { PathField } from './PathField.tsx'

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const
const mostParts = 50

/** Form for a comparison, or for a nested group of which all, any or none must hold. */
export const ConditionForm = ({
  label,
  of,
  value,
  onChange,
  onRemove,
}: {
  label: string
  of: Asked
  value: Condition
  onChange: (value: Condition) => void
  onRemove?: (() => void) | undefined
}) => {
  const say = useTexts()
  const kind = kindOf(value)
  if (kind === 'compare')
    return (
      <ComparisonForm
        label={label}
        of={of}
        value={value as Comparison}
        onChange={onChange}
        onRemove={onRemove}
        more={kind => onChange(madeOf(kind, kind === 'not' ? [value] : [value, of.begin]))}
      />
    )
  return (
    <fieldset className={ui.fieldset}>
      <legend>{label}</legend>
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <Select
            aria-label={say('condition.kind')}
            className={styles.grow!}
            data={kinds.map(one => ({
              value: one,
              label: say(one === 'not' ? 'condition.notThese' : `condition.${one}`),
            }))}
            value={kind}
            allowDeselect={false}
            readOnly={of.readOnly ?? false}
            onChange={next => next && next !== kind && onChange(turned(value, next as Kind))}
          />
          {!of.readOnly && onRemove && <Remove what={say('condition.group')} onClick={onRemove} />}
        </Group>
        <Parts of={of} value={value} onChange={onChange} />
      </Stack>
    </fieldset>
  )
}

/** List of the parts of a condition. A single comparison has no group. */
export const Parts = ({
  of,
  value,
  onChange,
}: {
  of: Asked
  value: Condition
  onChange: (value: Condition) => void
}) => {
  const say = useTexts()
  const kind = kindOf(value)
  const parts = partsOf(value)
  const put = (next: Condition[]) => onChange(kind === 'compare' ? next[0]! : madeOf(kind, next))
  const remove = (index: number) => {
    const left = parts.filter((_, at) => at !== index)
    onChange(left.length === 1 ? left[0]! : madeOf(kind === 'any' ? 'any' : 'all', left))
  }
  const removing = (index: number) => {
    if (kind === 'not') return () => onChange(parts[0]!)
    return parts.length > 1 ? () => remove(index) : undefined
  }
  return (
    <div className={styles.group}>
      <Stack gap="sm">
        {parts.map((part, index) => (
          <ConditionForm
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position.
            key={index}
            label={say('condition.part', { number: index + 1 })}
            of={of}
            value={part}
            onChange={next => put(parts.map((known, at) => (at === index ? next : known)))}
            onRemove={removing(index)}
          />
        ))}
        {!of.readOnly && kind !== 'not' && parts.length < mostParts && (
          <Group>
            <Button
              variant="default"
              onClick={() => onChange(madeOf(kind === 'any' ? 'any' : 'all', [...parts, of.begin]))}
            >
              {say('condition.add')}
            </Button>
          </Group>
        )}
      </Stack>
    </div>
  )
}

type ValueKind = 'text' | 'number' | 'boolean'

const valueKindOf = (value: unknown): ValueKind => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'number' || typeof one === 'bigint' ? 'number' : typeof one === 'boolean' ? 'boolean' : 'text'
}

const typed = (text: string, kind: ValueKind): unknown => {
  if (kind === 'boolean') return text === 'true'
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return numberOf(text)
  return text
}

/** Parses the text as a number if it looks like one. */
const guessed = (text: string): unknown => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? numberOf(text) : text)

const ComparisonForm = ({
  label,
  of,
  value,
  onChange,
  onRemove,
  more,
}: {
  label: string
  of: Asked
  value: Comparison
  onChange: (value: Condition) => void
  onRemove?: (() => void) | undefined
  more: (kind: Kind) => void
}) => {
  const say = useTexts()
  const { readOnly = false, valueWanted = false } = of
  const kind = valueKindOf(value.value)
  const meant = (text: string): unknown => {
    if (of.guesses?.(value.path)) return text === 'true' ? true : text === 'false' ? false : guessed(text.trim())
    return ['gt', 'gte', 'lt', 'lte', 'in'].includes(value.op) ? guessed(text) : text
  }
  const withOp = (op: Comparison['op']): Comparison => {
    const { value: _, ...rest } = value
    if (op === 'exists') return { ...rest, op }
    const one = value.value ?? ''
    if (op === 'in') return { ...rest, op, value: Array.isArray(one) ? one : one === '' ? [] : [one] }
    return { ...rest, op, value: Array.isArray(value.value) ? (value.value[0] ?? '') : (value.value ?? '') }
  }
  const valueKinds = (['text', 'number', 'boolean'] as const).map(one => ({
    value: one,
    label: say(`condition.value.${one}`),
  }))
  return (
    <fieldset className={ui.fieldset}>
      <legend>{label}</legend>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <div className={styles.grow}>
            <PathField of={of} value={value.path ?? ''} onChange={path => onChange({ ...value, path })} />
          </div>
          {!readOnly && onRemove && <Remove what={value.path} onClick={onRemove} />}
        </Group>
        <div className={styles.compared}>
          <Select
            aria-label={say('condition.op')}
            w={150}
            data={operators.map(op => ({ value: op, label: say(`condition.op.${op}`) }))}
            value={value.op}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={op => onChange(withOp((op ?? 'eq') as Comparison['op']))}
          />
          {value.op === 'exists' ? (
            <Select
              aria-label={say('condition.value')}
              className={styles.value!}
              data={[
                { value: 'true', label: say('condition.value.there') },
                { value: 'false', label: say('condition.value.notThere') },
              ]}
              value={value.value === false ? 'false' : 'true'}
              allowDeselect={false}
              readOnly={readOnly}
              onChange={next => onChange({ path: value.path, op: 'exists', ...(next === 'false' && { value: false }) })}
            />
          ) : value.op === 'in' ? (
            <TagsInput
              aria-label={say('condition.value')}
              size="sm"
              className={styles.value!}
              placeholder={say('condition.value.list')}
              value={(Array.isArray(value.value) ? value.value : []).map(String)}
              readOnly={readOnly}
              onChange={texts => onChange({ ...value, value: texts.map(text => meant(text)) })}
            />
          ) : kind === 'boolean' ? (
            <Select
              aria-label={say('condition.value')}
              className={styles.value!}
              data={[
                { value: 'true', label: say('condition.value.true') },
                { value: 'false', label: say('condition.value.false') },
              ]}
              value={String(value.value)}
              allowDeselect={false}
              readOnly={readOnly}
              onChange={next => onChange({ ...value, value: next === 'true' })}
            />
          ) : (
            <TextInput
              aria-label={say('condition.value')}
              className={styles.value!}
              required={valueWanted}
              value={String(value.value ?? '')}
              readOnly={readOnly}
              onChange={event => onChange({ ...value, value: typed(event.currentTarget.value, kind) })}
              onBlur={() => {
                if (kind !== 'text' || typeof value.value !== 'string') return
                const next = meant(value.value)
                if (next !== value.value) onChange({ ...value, value: next })
              }}
            />
          )}
          {value.op !== 'exists' && value.op !== 'in' && (
            <Select
              aria-label={say('condition.value.kind')}
              w={104}
              data={valueKinds}
              value={kind}
              allowDeselect={false}
              readOnly={readOnly}
              onChange={next => {
                const text = String(value.value ?? '')
                const to = (next ?? 'text') as ValueKind
                onChange({
                  ...value,
                  value:
                    to === 'number'
                      ? Number.isFinite(Number(text))
                        ? numberOf(text)
                        : 0
                      : to === 'boolean'
                        ? text === 'true'
                        : text,
                })
              }}
            />
          )}
        </div>
        {!readOnly && (
          <Group gap="xs">
            {kinds.map(one => (
              <Button key={one} variant="subtle" size="compact-xs" onClick={() => more(one)}>
                {say(`condition.more.${one}`)}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </fieldset>
  )
}
