import { Button, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { parseNumber } from '../../api/json.ts'
import { useTranslate } from '../../texts/index.tsx'
import formStyles from '../form/form.module.css'
import { RemoveButton } from '../form/RemoveButton.tsx'
import styles from './condition.module.css'
import {
  type Comparison,
  type Condition,
  type ConditionOptions,
  convertGroup,
  getKind,
  type Kind,
  kinds,
  listParts,
  makeGroup,
} from './condition.ts'
import { PathField } from './PathField.tsx'

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const
const maxParts = 50

/** Form for a comparison, or for a nested group of which all, any or none must hold. */
export const ConditionForm = ({
  label,
  options,
  value,
  onChange,
  onRemove,
}: {
  label: string
  options: ConditionOptions
  value: Condition
  onChange: (value: Condition) => void
  onRemove?: (() => void) | undefined
}) => {
  const t = useTranslate()
  const kind = getKind(value)
  if (kind === 'compare')
    return (
      <ComparisonForm
        label={label}
        options={options}
        value={value as Comparison}
        onChange={onChange}
        onRemove={onRemove}
        addPart={kind => onChange(makeGroup(kind, kind === 'not' ? [value] : [value, options.initial]))}
      />
    )
  return (
    <fieldset className={formStyles.fieldset}>
      <legend>{label}</legend>
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <Select
            aria-label={t('condition.kind')}
            className={styles.grow!}
            data={kinds.map(one => ({
              value: one,
              label: t(one === 'not' ? 'condition.notThese' : `condition.${one}`),
            }))}
            value={kind}
            allowDeselect={false}
            readOnly={options.readOnly ?? false}
            onChange={next => next && next !== kind && onChange(convertGroup(value, next as Kind))}
          />
          {!options.readOnly && onRemove && <RemoveButton what={t('condition.group')} onClick={onRemove} />}
        </Group>
        <Parts options={options} value={value} onChange={onChange} />
      </Stack>
    </fieldset>
  )
}

/** List of the parts of a condition. A single comparison has no group. */
export const Parts = ({
  options,
  value,
  onChange,
}: {
  options: ConditionOptions
  value: Condition
  onChange: (value: Condition) => void
}) => {
  const t = useTranslate()
  const kind = getKind(value)
  const parts = listParts(value)
  const setParts = (next: Condition[]) => onChange(kind === 'compare' ? next[0]! : makeGroup(kind, next))
  const remove = (index: number) => {
    const remaining = parts.filter((_, at) => at !== index)
    onChange(remaining.length === 1 ? remaining[0]! : makeGroup(kind === 'any' ? 'any' : 'all', remaining))
  }
  const onRemovePart = (index: number) => {
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
            label={t('condition.part', { number: index + 1 })}
            options={options}
            value={part}
            onChange={next => setParts(parts.map((current, at) => (at === index ? next : current)))}
            onRemove={onRemovePart(index)}
          />
        ))}
        {!options.readOnly && kind !== 'not' && parts.length < maxParts && (
          <Group>
            <Button
              variant="default"
              onClick={() => onChange(makeGroup(kind === 'any' ? 'any' : 'all', [...parts, options.initial]))}
            >
              {t('condition.add')}
            </Button>
          </Group>
        )}
      </Stack>
    </div>
  )
}

type ValueKind = 'text' | 'number' | 'boolean'

const getValueKind = (value: unknown): ValueKind => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'number' || typeof one === 'bigint' ? 'number' : typeof one === 'boolean' ? 'boolean' : 'text'
}

const parseValue = (text: string, kind: ValueKind): unknown => {
  if (kind === 'boolean') return text === 'true'
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return parseNumber(text)
  return text
}

/** Parses the text as a number if it looks like one. */
const guessValue = (text: string): unknown => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? parseNumber(text) : text)

const ComparisonForm = ({
  label,
  options,
  value,
  onChange,
  onRemove,
  addPart,
}: {
  label: string
  options: ConditionOptions
  value: Comparison
  onChange: (value: Condition) => void
  onRemove?: (() => void) | undefined
  addPart: (kind: Kind) => void
}) => {
  const t = useTranslate()
  const { readOnly = false, requiresValue: valueWanted = false } = options
  const kind = getValueKind(value.value)
  const interpretValue = (text: string): unknown => {
    if (options.infersType?.(value.path))
      return text === 'true' ? true : text === 'false' ? false : guessValue(text.trim())
    return ['gt', 'gte', 'lt', 'lte', 'in'].includes(value.op) ? guessValue(text) : text
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
    label: t(`condition.value.${one}`),
  }))
  return (
    <fieldset className={formStyles.fieldset}>
      <legend>{label}</legend>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <div className={styles.grow}>
            <PathField options={options} value={value.path ?? ''} onChange={path => onChange({ ...value, path })} />
          </div>
          {!readOnly && onRemove && <RemoveButton what={value.path} onClick={onRemove} />}
        </Group>
        <div className={styles.compared}>
          <Select
            aria-label={t('condition.op')}
            className={styles.op!}
            data={operators.map(op => ({ value: op, label: t(`condition.op.${op}`) }))}
            value={value.op}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={op => onChange(withOp((op ?? 'eq') as Comparison['op']))}
          />
          <div className={styles.value}>
            {value.op === 'exists' ? (
              <Select
                aria-label={t('condition.value')}
                className={styles.grow!}
                data={[
                  { value: 'true', label: t('condition.value.there') },
                  { value: 'false', label: t('condition.value.notThere') },
                ]}
                value={value.value === false ? 'false' : 'true'}
                allowDeselect={false}
                readOnly={readOnly}
                onChange={next =>
                  onChange({ path: value.path, op: 'exists', ...(next === 'false' && { value: false }) })
                }
              />
            ) : value.op === 'in' ? (
              <TagsInput
                aria-label={t('condition.value')}
                size="sm"
                className={styles.grow!}
                placeholder={t('condition.value.list')}
                value={(Array.isArray(value.value) ? value.value : []).map(String)}
                readOnly={readOnly}
                onChange={texts => onChange({ ...value, value: texts.map(text => interpretValue(text)) })}
              />
            ) : kind === 'boolean' ? (
              <Select
                aria-label={t('condition.value')}
                className={styles.grow!}
                data={[
                  { value: 'true', label: t('condition.value.true') },
                  { value: 'false', label: t('condition.value.false') },
                ]}
                value={String(value.value)}
                allowDeselect={false}
                readOnly={readOnly}
                onChange={next => onChange({ ...value, value: next === 'true' })}
              />
            ) : (
              <TextInput
                aria-label={t('condition.value')}
                className={styles.grow!}
                required={valueWanted}
                value={String(value.value ?? '')}
                readOnly={readOnly}
                onChange={event => onChange({ ...value, value: parseValue(event.currentTarget.value, kind) })}
                onBlur={() => {
                  if (kind !== 'text' || typeof value.value !== 'string') return
                  const next = interpretValue(value.value)
                  if (next !== value.value) onChange({ ...value, value: next })
                }}
              />
            )}
            {value.op !== 'exists' && value.op !== 'in' && (
              <Select
                aria-label={t('condition.value.kind')}
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
                          ? parseNumber(text)
                          : 0
                        : to === 'boolean'
                          ? text === 'true'
                          : text,
                  })
                }}
              />
            )}
          </div>
        </div>
        {!readOnly && (
          <Group gap="xs">
            {kinds.map(one => (
              <Button key={one} variant="subtle" size="compact-xs" onClick={() => addPart(one)}>
                {t(`condition.more.${one}`)}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </fieldset>
  )
}
