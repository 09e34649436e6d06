import { Button, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { numberOf } from '../../../api/json.ts'
import { useTexts } from '../../../texts/index.tsx'
import type { Comparison, Condition } from '../definition/types.ts'
import { PathField, Remove } from './fields.tsx'
import styles from './forms.module.css'
import { useForms } from './forms.ts'

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const
type Kind = 'all' | 'any' | 'not'

const kindOf = (condition: Condition): Kind | 'compare' =>
  'all' in condition ? 'all' : 'any' in condition ? 'any' : 'not' in condition ? 'not' : 'compare'

const partsOf = (condition: Condition): Condition[] =>
  'all' in condition
    ? condition.all
    : 'any' in condition
      ? condition.any
      : 'not' in condition
        ? [condition.not]
        : [condition]

const madeOf = (kind: Kind, parts: Condition[]): Condition =>
  kind === 'all' ? { all: parts } : kind === 'any' ? { any: parts } : { not: parts[0]! }

const newComparison: Comparison = { path: 'data.total', op: 'gte', value: 100 }

/** One comparison, or several of which all, any or none must hold, within one another. */
export const ConditionForm = ({
  label,
  value,
  onChange,
  onRemove,
}: {
  label: string
  value: Condition
  onChange: (value: Condition) => void
  onRemove?: (() => void) | undefined
}) => {
  const say = useTexts()
  const { readOnly } = useForms()
  const kind = kindOf(value)
  if (kind === 'compare')
    return (
      <ComparisonForm
        label={label}
        value={value as Comparison}
        onChange={onChange}
        onRemove={onRemove}
        more={kind => onChange(madeOf(kind, kind === 'not' ? [value] : [value, newComparison]))}
      />
    )
  const parts = partsOf(value)
  const change = (index: number, part: Condition) =>
    onChange(
      madeOf(
        kind,
        parts.map((known, at) => (at === index ? part : known)),
      ),
    )
  const remove = (index: number) => {
    const left = parts.filter((_, at) => at !== index)
    // One that is alone stands for itself.
    onChange(left.length === 1 && kind !== 'not' ? left[0]! : madeOf(kind, left))
  }
  return (
    <fieldset className={styles.fieldset}>
      <legend>{label}</legend>
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <Select
            aria-label={say('workflows.cond.kind')}
            flex={1}
            data={(['all', 'any', 'not'] as const).map(one => ({ value: one, label: say(`workflows.cond.${one}`) }))}
            value={kind}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={next => {
              const to = (next ?? 'all') as Kind
              if (to === kind) return
              onChange(to === 'not' ? { not: parts.length === 1 ? parts[0]! : value } : madeOf(to, parts))
            }}
          />
          {!readOnly && onRemove && <Remove what={say('workflows.cond.group')} onClick={onRemove} />}
        </Group>
        <div className={styles.group}>
          <Stack gap="sm">
            {parts.map((part, index) => (
              <ConditionForm
                // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
                key={index}
                label={say('workflows.cond.part', { number: index + 1 })}
                value={part}
                onChange={next => change(index, next)}
                onRemove={kind === 'not' ? () => onChange(parts[0]!) : () => remove(index)}
              />
            ))}
            {!readOnly && kind !== 'not' && parts.length < 50 && (
              <Group>
                <Button variant="default" onClick={() => onChange(madeOf(kind, [...parts, newComparison]))}>
                  {say('workflows.cond.add')}
                </Button>
              </Group>
            )}
          </Stack>
        </div>
      </Stack>
    </fieldset>
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

/** What somebody writes means a number where it is one. */
const guessed = (text: string): unknown => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? numberOf(text) : text)

const ComparisonForm = ({
  label,
  value,
  onChange,
  onRemove,
  more,
}: {
  label: string
  value: Comparison
  onChange: (value: Condition) => void
  onRemove?: (() => void) | undefined
  more: (kind: Kind) => void
}) => {
  const say = useTexts()
  const { readOnly } = useForms()
  const kind = valueKindOf(value.value)
  const withOp = (op: Comparison['op']): Comparison => {
    const { value: _, ...rest } = value
    if (op === 'exists') return { ...rest, op }
    if (op === 'in') return { ...rest, op, value: Array.isArray(value.value) ? value.value : [value.value ?? ''] }
    return { ...rest, op, value: Array.isArray(value.value) ? (value.value[0] ?? '') : (value.value ?? '') }
  }
  const kinds = (['text', 'number', 'boolean'] as const).map(one => ({
    value: one,
    label: say(`workflows.value.${one}`),
  }))
  return (
    <fieldset className={styles.fieldset}>
      <legend>{label}</legend>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <div style={{ flex: 1 }}>
            <PathField
              hidden
              label={say('workflows.cond.path')}
              value={value.path ?? ''}
              onChange={path => onChange({ ...value, path })}
            />
          </div>
          {!readOnly && onRemove && <Remove what={value.path} onClick={onRemove} />}
        </Group>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Select
            aria-label={say('workflows.cond.op')}
            w={150}
            data={operators.map(op => ({ value: op, label: say(`workflows.opLong.${op}`) }))}
            value={value.op}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={op => onChange(withOp((op ?? 'eq') as Comparison['op']))}
          />
          {value.op === 'exists' ? (
            <Select
              aria-label={say('workflows.cond.value')}
              flex={1}
              data={[
                { value: 'true', label: say('workflows.value.there') },
                { value: 'false', label: say('workflows.value.notThere') },
              ]}
              value={value.value === false ? 'false' : 'true'}
              allowDeselect={false}
              readOnly={readOnly}
              onChange={next => onChange({ path: value.path, op: 'exists', ...(next === 'false' && { value: false }) })}
            />
          ) : value.op === 'in' ? (
            <TagsInput
              aria-label={say('workflows.cond.value')}
              size="sm"
              flex={1}
              placeholder={say('workflows.value.list')}
              value={(Array.isArray(value.value) ? value.value : []).map(String)}
              readOnly={readOnly}
              onChange={texts => onChange({ ...value, value: texts.map(guessed) })}
            />
          ) : kind === 'boolean' ? (
            <Select
              aria-label={say('workflows.cond.value')}
              flex={1}
              data={[
                { value: 'true', label: say('workflows.value.true') },
                { value: 'false', label: say('workflows.value.false') },
              ]}
              value={String(value.value)}
              allowDeselect={false}
              readOnly={readOnly}
              onChange={next => onChange({ ...value, value: next === 'true' })}
            />
          ) : (
            <TextInput
              aria-label={say('workflows.cond.value')}
              flex={1}
              value={String(value.value ?? '')}
              readOnly={readOnly}
              onChange={event => onChange({ ...value, value: typed(event.currentTarget.value, kind) })}
              onBlur={() => {
                if (kind === 'text' && ['gt', 'gte', 'lt', 'lte'].includes(value.op) && typeof value.value === 'string')
                  onChange({ ...value, value: guessed(value.value) })
              }}
            />
          )}
          {value.op !== 'exists' && value.op !== 'in' && (
            <Select
              aria-label={say('workflows.value.kind')}
              w={104}
              data={kinds}
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
        </Group>
        {!readOnly && (
          <Group gap="xs">
            {(['all', 'any', 'not'] as const).map(one => (
              <Button key={one} variant="subtle" size="compact-xs" onClick={() => more(one)}>
                {say(`workflows.cond.more.${one}`)}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </fieldset>
  )
}
