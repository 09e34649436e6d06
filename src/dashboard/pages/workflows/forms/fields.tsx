/** Shared inputs of the step forms. */
import { Button, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '../../../texts/index.tsx'
import formStyles from '../../../ui/form/form.module.css'
import { RemoveButton } from '../../../ui/form/RemoveButton.tsx'
import type { Step } from '../definition/types.ts'
import { parseAmount, type Unit, units } from '../duration.ts'
import { useStepName } from '../useStepTexts.ts'
import styles from './forms.module.css'
import { useField, useFormContext } from './forms.ts'

/** Returns undefined for an empty text. */
export const undefinedIfEmpty = (text: string): string | undefined => (text === '' ? undefined : text)

/** Duration as an amount and a unit. A duration that is not a whole number of a unit is edited as text. */
export const DurationField = ({
  label,
  value,
  name,
  onChange,
}: {
  label: string
  value: string
  /** Place of the value in the step. */
  name: string
  onChange: (value: string) => void
}) => {
  const t = useTranslate()
  const { readOnly } = useFormContext()
  const field = useField()
  const parsed = parseAmount(value)
  // The amount is empty for a moment during typing, so the unit is kept separately.
  const [unit, setUnit] = useState<Unit>(parsed?.unit ?? 'h')
  if (!parsed && value !== '' && !/^(ms|s|m|h|d)$/.test(value))
    return (
      <TextInput
        label={label}
        description={t('workflows.durationHint')}
        value={value}
        {...field(name)}
        onChange={event => onChange(event.currentTarget.value)}
      />
    )
  const amount = parsed?.amount ?? ''
  const shownUnit = parsed && parsed.amount !== 0 ? parsed.unit : unit
  return (
    <Group gap="sm" align="flex-end" wrap="nowrap">
      <NumberInput
        label={label}
        size="sm"
        flex={1}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={amount}
        {...field(name)}
        onChange={next => onChange(next === '' ? '' : `${next}${shownUnit}`)}
      />
      <Select
        aria-label={t('workflows.unit')}
        w={130}
        data={units.map(one => ({ value: one, label: t(`workflows.unit.${one}`) }))}
        value={shownUnit}
        allowDeselect={false}
        readOnly={readOnly}
        onChange={next => {
          setUnit((next ?? 'h') as Unit)
          if (amount !== '') onChange(`${amount}${next}`)
        }}
      />
    </Group>
  )
}

/** Select for the next step. No step means the end of the run. */
export const NextField = ({
  label,
  value,
  name,
  onChange,
}: {
  label: string
  value: string | null
  /** Place of the value in the step. */
  name: string
  onChange: (value: string | null) => void
}) => {
  const t = useTranslate()
  const { definition } = useFormContext()
  const stepName = useStepName(definition)
  const field = useField()
  const ids = Object.keys(definition.steps)
  if (value !== null && !ids.includes(value)) ids.push(value)
  return (
    <Select
      label={label}
      data={[{ value: '', label: t('workflows.next.end') }, ...ids.map(id => ({ value: id, label: stepName(id) }))]}
      value={value ?? ''}
      {...field(name)}
      searchable
      allowDeselect={false}
      onChange={next => onChange(next ? next : null)}
    />
  )
}

/** Select for the channel. Defaults to the channel that was connected first. */
export const ChannelField = ({
  value,
  name,
  onChange,
}: {
  value: string | undefined
  /** Place of the value in the step. */
  name: string
  onChange: (value: string | undefined) => void
}) => {
  const t = useTranslate()
  const { channels } = useFormContext()
  const field = useField()
  const data = channels.map(({ id, name }) => ({ value: id, label: name }))
  if (value && !data.some(one => one.value === value)) data.push({ value, label: value })
  return (
    <Select
      label={t('workflows.form.channel')}
      placeholder={t('workflows.form.channelFirst')}
      data={data}
      value={value ?? null}
      {...field(name)}
      clearable
      onChange={next => onChange(next ?? undefined)}
    />
  )
}

/** List of name and value pairs. */
export const PairsField = ({
  title,
  hint,
  names,
  value,
  max,
  onChange,
}: {
  title: string
  hint?: string
  names: [left: string, right: string]
  value: Record<string, string>
  max: number
  onChange: (value: Record<string, string> | undefined) => void
}) => {
  const t = useTranslate()
  const { readOnly } = useFormContext()
  const pairs = Object.entries(value)
  const setPairs = (next: [string, string][]) => onChange(next.length > 0 ? Object.fromEntries(next) : undefined)
  return (
    <fieldset className={formStyles.fieldset}>
      <legend>{title}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      <Stack gap="sm">
        {pairs.map(([left, right], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pair is identified by its position.
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={names[0]}
              placeholder={names[0]}
              flex={1}
              value={left}
              readOnly={readOnly}
              onChange={event => {
                const newLeft = event.currentTarget.value
                setPairs(pairs.map((pair, at) => (at === index ? [newLeft, right] : pair)))
              }}
            />
            <TextInput
              aria-label={names[1]}
              placeholder={names[1]}
              flex={1}
              value={right}
              readOnly={readOnly}
              onChange={event => {
                const newLeft = event.currentTarget.value
                setPairs(pairs.map((pair, at) => (at === index ? [left, newLeft] : pair)))
              }}
            />
            {!readOnly && <RemoveButton what={left} onClick={() => setPairs(pairs.filter((_, at) => at !== index))} />}
          </Group>
        ))}
        {!readOnly && pairs.length < max && (
          <Button
            variant="default"
            disabled={pairs.some(([left]) => left === '')}
            onClick={() => setPairs([...pairs, ['', '']])}
          >
            {t('workflows.form.addPair')}
          </Button>
        )}
      </Stack>
    </fieldset>
  )
}

/** Next step, for step types with a single successor. */
export const Next = ({
  step,
  onChange,
}: {
  step: Extract<Step, { next: string | null }>
  onChange: (step: Step) => void
}) => {
  const t = useTranslate()
  return (
    <NextField
      label={t('workflows.form.next')}
      value={step.next}
      name="next"
      onChange={next => onChange({ ...step, next })}
    />
  )
}
