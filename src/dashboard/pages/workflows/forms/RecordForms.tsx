/** Forms of the steps that decide, record something or end the run. */
import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { ConditionForm } from '../../../ui/condition/ConditionForm.tsx'
import { RemoveButton } from '../../../ui/form/RemoveButton.tsx'
import type { StepOf } from '../definition/types.ts'
import { FaultText } from './exits.tsx'
import { Next, NextField, undefinedIfEmpty } from './fields.tsx'
import styles from './forms.module.css'
import { type FormOf, useConditionOptions, useField, useFormContext } from './forms.ts'

/** Branch by a condition. */
export const Decision = ({ step, onChange }: FormOf<'condition'>) => {
  const t = useTranslate()
  const conditionOptions = useConditionOptions()
  return (
    <>
      <ConditionForm
        label={t('workflows.form.if')}
        options={conditionOptions}
        value={step.if}
        onChange={condition => onChange({ ...step, if: condition })}
      />
      <FaultText name="if" />
      <NextField
        label={t('workflows.form.then')}
        value={step.then}
        name="then"
        onChange={then => onChange({ ...step, then })}
      />
      <NextField
        label={t('workflows.form.else')}
        value={step.else}
        name="else"
        onChange={next => onChange({ ...step, else: next })}
      />
    </>
  )
}

/** Sale in the customer's newest conversation. */
export const Sale = ({ step, onChange }: FormOf<'mark_sale'>) => {
  const t = useTranslate()
  const field = useField()
  return (
    <>
      <TextInput
        label={t('workflows.form.amount')}
        description={t('workflows.form.amountHint')}
        value={String(step.amount)}
        {...field('amount')}
        onChange={event => onChange({ ...step, amount: event.currentTarget.value })}
      />
      <TextInput
        label={t('workflows.form.currency')}
        description={t('workflows.form.currencyHint')}
        value={step.currency}
        {...field('currency')}
        onChange={event => onChange({ ...step, currency: event.currentTarget.value })}
      />
      <TextInput
        label={t('workflows.form.note')}
        value={step.note ?? ''}
        {...field('note')}
        onChange={event => {
          const { note: _, ...rest } = step
          const note = undefinedIfEmpty(event.currentTarget.value)
          onChange(note === undefined ? rest : { ...rest, note })
        }}
      />
      <Next step={step} onChange={onChange} />
    </>
  )
}

type AttributeValue = StepOf<'set_attribute'>['set'][string]
const attributeKinds = ['text', 'number', 'boolean', 'remove'] as const

/** Changes of the customer's attributes. */
export const Attributes = ({ step, onChange }: FormOf<'set_attribute'>) => {
  const t = useTranslate()
  const { readOnly } = useFormContext()
  const field = useField()
  const entries = Object.entries(step.set ?? {})
  const setEntries = (next: [string, AttributeValue][]) => onChange({ ...step, set: Object.fromEntries(next) })
  const change = (index: number, entry: [string, AttributeValue]) =>
    setEntries(entries.map((current, at) => (at === index ? entry : current)))
  return (
    <>
      {entries.map(([name, value], index) => {
        const kind =
          value === null
            ? 'remove'
            : typeof value === 'number'
              ? 'number'
              : typeof value === 'boolean'
                ? 'boolean'
                : 'text'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an attribute is identified by its position.
          <div key={index} className={styles.item}>
            <Stack gap="sm">
              <Group gap="xs" wrap="nowrap">
                <TextInput
                  aria-label={t('workflows.form.attribute')}
                  placeholder={t('workflows.form.attribute')}
                  flex={1}
                  value={name}
                  {...field(`set.${name}`)}
                  onChange={event => change(index, [event.currentTarget.value, value])}
                />
                <Select
                  aria-label={t('condition.value.kind')}
                  w={130}
                  data={attributeKinds.map(one => ({
                    value: one,
                    label: t(one === 'remove' ? 'workflows.value.remove' : `condition.value.${one}`),
                  }))}
                  value={kind}
                  allowDeselect={false}
                  readOnly={readOnly}
                  onChange={to =>
                    change(index, [
                      name,
                      to === 'remove'
                        ? null
                        : to === 'number'
                          ? Number(value) || 0
                          : to === 'boolean'
                            ? value === true
                            : String(value ?? ''),
                    ])
                  }
                />
                {!readOnly && entries.length > 1 && (
                  <RemoveButton what={name} onClick={() => setEntries(entries.filter((_, at) => at !== index))} />
                )}
              </Group>
              {kind === 'boolean' && (
                <Select
                  aria-label={t('condition.value')}
                  data={[
                    { value: 'true', label: t('condition.value.true') },
                    { value: 'false', label: t('condition.value.false') },
                  ]}
                  value={String(value)}
                  allowDeselect={false}
                  readOnly={readOnly}
                  onChange={to => change(index, [name, to === 'true'])}
                />
              )}
              {(kind === 'text' || kind === 'number') && (
                <TextInput
                  aria-label={t('condition.value')}
                  placeholder={t('condition.value')}
                  value={String(value)}
                  readOnly={readOnly}
                  onChange={event => {
                    const text = event.currentTarget.value
                    change(index, [name, kind === 'number' && Number.isFinite(Number(text)) ? Number(text) : text])
                  }}
                />
              )}
            </Stack>
          </div>
        )
      })}
      {entries.length === 0 && <FaultText name="set" />}
      {!readOnly && entries.length < 20 && (
        <Group>
          <Button
            variant="default"
            disabled={entries.some(([name]) => name === '')}
            onClick={() => setEntries([...entries, ['', '']])}
          >
            {t('workflows.form.addAttribute')}
          </Button>
        </Group>
      )}
      <Next step={step} onChange={onChange} />
    </>
  )
}

/** End of the run. */
export const Exit = ({ step, onChange }: FormOf<'exit'>) => {
  const t = useTranslate()
  const field = useField()
  return (
    <TextInput
      label={t('workflows.form.reason')}
      description={t('workflows.form.reasonHint')}
      value={step.reason}
      maxLength={100}
      {...field('reason')}
      onChange={event => onChange({ ...step, reason: event.currentTarget.value })}
    />
  )
}
