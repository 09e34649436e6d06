import {
  Button,
  Checkbox,
  Group,
  Menu,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useRef } from 'react'
import { useTranslate } from '../../../texts/index.tsx'
import { ConditionForm } from '../../../ui/condition/ConditionForm.tsx'
import { RemoveButton } from '../../../ui/form/RemoveButton.tsx'
import { browserZone } from '../../../ui/zone.ts'
import type { Step, StepOf, WaitExit } from '../definition/types.ts'
import { AwaitedEvent, ExitKind, FaultText } from './exits.tsx'
import { ChannelField, DurationField, NextField, undefinedIfEmpty } from './fields.tsx'
import styles from './forms.module.css'
import { useConditionOptions, useFormContext } from './forms.ts'

type FormOf<Type extends Step['type']> = { step: StepOf<Type>; onChange: (step: Step) => void }

/** Form of a step, by its type. */
export const StepForm = ({ step, onChange }: { step: Step; onChange: (step: Step) => void }) => {
  const t = useTranslate()
  switch (step.type) {
    case 'delay':
      return <Delay step={step} onChange={onChange} />
    case 'condition':
      return <Decision step={step} onChange={onChange} />
    case 'send_message':
      return <Message step={step} onChange={onChange} />
    case 'send_template':
      return <Template step={step} onChange={onChange} />
    case 'wait_for':
      return <WaitFor step={step} onChange={onChange} />
    case 'mark_sale':
      return <Sale step={step} onChange={onChange} />
    case 'set_attribute':
      return <Attributes step={step} onChange={onChange} />
    case 'exit':
      return <Exit step={step} onChange={onChange} />
    default:
      return <Text size="sm">{t('workflows.form.unknown')}</Text>
  }
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Weekday = (typeof weekdays)[number]

const zones = (): string[] => Intl.supportedValuesOf?.('timeZone') ?? [browserZone]

const Delay = ({ step, onChange }: FormOf<'delay'>) => {
  const t = useTranslate()
  const { readOnly, getFault: fault } = useFormContext()
  const { for: _for, until, ...rest } = step
  const setUntil = (change: Partial<NonNullable<StepOf<'delay'>['until']>>) => {
    const next = { time: '09:00', ...until, ...change }
    if (next.zone === undefined) delete next.zone
    if (next.weekdays === undefined) delete next.weekdays
    onChange({ ...rest, until: next })
  }
  return (
    <>
      <SegmentedControl
        aria-label={t('workflows.form.delayKind')}
        fullWidth
        size="xs"
        disabled={readOnly}
        data={[
          { value: 'for', label: t('workflows.form.for') },
          { value: 'until', label: t('workflows.form.until') },
        ]}
        value={until ? 'until' : 'for'}
        onChange={kind => (kind === 'until' ? setUntil({}) : onChange({ ...rest, for: '1h' }))}
      />
      {until ? (
        <>
          <TextInput
            type="time"
            label={t('workflows.form.time')}
            value={until.time}
            error={fault('until.time')}
            readOnly={readOnly}
            onChange={event => setUntil({ time: event.currentTarget.value })}
          />
          <Checkbox.Group
            label={t('workflows.form.weekdays')}
            description={t('workflows.form.weekdaysHint')}
            value={until.weekdays ?? []}
            readOnly={readOnly}
            onChange={days => setUntil({ weekdays: days.length > 0 ? (days as Weekday[]) : undefined })}
          >
            <Group gap="sm" mt="xs">
              {weekdays.map(day => (
                <Checkbox key={day} value={day} label={t(`workflows.day.${day}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          <Select
            label={t('workflows.form.zone')}
            placeholder={t('workflows.form.zoneOfCustomer')}
            data={zones()}
            searchable
            clearable
            limit={100}
            value={until.zone ?? null}
            error={fault('until.zone')}
            readOnly={readOnly}
            onChange={zone => setUntil({ zone: zone ?? undefined })}
          />
        </>
      ) : (
        <DurationField
          label={t('workflows.form.howLong')}
          value={step.for ?? ''}
          error={fault('for')}
          onChange={value => onChange({ ...rest, for: value })}
        />
      )}
      <Next step={step} onChange={onChange} />
    </>
  )
}

/** Next step, for step types with a single successor. */
const Next = ({ step, onChange }: { step: Extract<Step, { next: string | null }>; onChange: (step: Step) => void }) => {
  const t = useTranslate()
  const { getFault: fault } = useFormContext()
  return (
    <NextField
      label={t('workflows.form.next')}
      value={step.next}
      error={fault('next')}
      onChange={next => onChange({ ...step, next })}
    />
  )
}

const Decision = ({ step, onChange }: FormOf<'condition'>) => {
  const t = useTranslate()
  const { getFault: fault } = useFormContext()
  const conditionOptions = useConditionOptions()
  return (
    <>
      <ConditionForm
        label={t('workflows.form.if')}
        options={conditionOptions}
        value={step.if}
        onChange={condition => onChange({ ...step, if: condition })}
      />
      <FaultText text={fault('if')} />
      <NextField
        label={t('workflows.form.then')}
        value={step.then}
        error={fault('then')}
        onChange={then => onChange({ ...step, then })}
      />
      <NextField
        label={t('workflows.form.else')}
        value={step.else}
        error={fault('else')}
        onChange={next => onChange({ ...step, else: next })}
      />
    </>
  )
}

const Message = ({ step, onChange }: FormOf<'send_message'>) => {
  const t = useTranslate()
  const { readOnly, getFault: fault, paths } = useFormContext()
  const area = useRef<HTMLTextAreaElement>(null)
  const insertPath = (path: string) => {
    const at = area.current?.selectionStart ?? step.text.length
    onChange({ ...step, text: `${step.text.slice(0, at)}{{${path}}}${step.text.slice(at)}` })
    area.current?.focus()
  }
  return (
    <>
      <div>
        <Textarea
          ref={area}
          label={t('workflows.form.text')}
          description={t('workflows.form.textHint', { example: '{{customer.name|there}}' })}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={4096}
          value={step.text}
          error={fault('text')}
          readOnly={readOnly}
          onChange={event => onChange({ ...step, text: event.currentTarget.value })}
        />
        {!readOnly && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="subtle" mt="xs" size="compact-xs">
                {t('workflows.form.placeholder')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah={320} style={{ overflow: 'auto' }}>
              {paths.map(path => (
                <Menu.Item key={path} onClick={() => insertPath(path)}>
                  <code>{path}</code>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      <Channel step={step} onChange={onChange} />
      <Next step={step} onChange={onChange} />
    </>
  )
}

const Channel = ({
  step,
  onChange,
}: {
  step: StepOf<'send_message'> | StepOf<'send_template'>
  onChange: (step: Step) => void
}) => {
  const { getFault: fault } = useFormContext()
  return (
    <ChannelField
      value={step.channelId}
      error={fault('channelId')}
      onChange={channelId => {
        const { channelId: _, ...rest } = step
        onChange(channelId === undefined ? rest : { ...rest, channelId })
      }}
    />
  )
}

/** Initial value of a variable. Most templates greet the customer by name. */
const initialValue = (name: string): string => (name === 'name' ? '{{customer.name}}' : '')

const Template = ({ step, onChange }: FormOf<'send_template'>) => {
  const t = useTranslate()
  const { readOnly, getFault: fault, templates } = useFormContext()
  const template = templates.find(({ id }) => id === step.templateId)
  const data = templates.map(({ id, name }) => ({ value: id, label: name }))
  if (step.templateId && !template) data.push({ value: step.templateId, label: step.templateId })
  const sampleText = (sample: string | undefined) => (sample ? t('workflows.form.sample', { sample }) : '')
  const names = [...new Set([...(template?.variables ?? []).map(({ name }) => name), ...Object.keys(step.variables)])]
  return (
    <>
      <Select
        label={t('workflows.form.template')}
        placeholder={t(templates.length > 0 ? 'workflows.form.templateWanted' : 'workflows.form.templateNone')}
        data={data}
        value={step.templateId || null}
        error={fault('templateId')}
        searchable
        allowDeselect={false}
        readOnly={readOnly}
        onChange={templateId => {
          const selected = templates.find(({ id }) => id === templateId)
          const variables = Object.fromEntries(
            (selected?.variables ?? []).map(({ name }) => [name, step.variables[name] || initialValue(name)]),
          )
          onChange({ ...step, templateId: templateId ?? '', variables })
        }}
      />
      {template && (
        <Text size="sm" c="dimmed" component="bdi">
          {template.body}
        </Text>
      )}
      {names.map(name => (
        <TextInput
          key={name}
          label={<code>{`{{${name}}}`}</code>}
          placeholder={sampleText(template?.variables.find(one => one.name === name)?.sample)}
          value={step.variables[name] ?? ''}
          error={fault(`variables.${name}`)}
          maxLength={1024}
          readOnly={readOnly}
          onChange={event => onChange({ ...step, variables: { ...step.variables, [name]: event.currentTarget.value } })}
        />
      ))}
      <Channel step={step} onChange={onChange} />
      <Next step={step} onChange={onChange} />
    </>
  )
}

const WaitFor = ({ step, onChange }: FormOf<'wait_for'>) => {
  const t = useTranslate()
  const { readOnly, getFault: fault } = useFormContext()
  const any = Array.isArray(step.any) ? step.any : []
  const change = (index: number, exit: WaitExit) =>
    onChange({ ...step, any: any.map((current, at) => (at === index ? exit : current)) })
  return (
    <>
      {any.map((exit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an exit is identified by its position.
        <div key={index} className={styles.item}>
          <Stack gap="sm">
            <ExitKind
              number={index + 1}
              kinds={[
                { value: 'reply', label: t('workflows.form.reply') },
                { value: 'event', label: t('workflows.form.event') },
              ]}
              value={'event' in exit ? 'event' : 'reply'}
              onChange={kind =>
                change(index, kind === 'event' ? { event: '', next: exit.next } : { reply: {}, next: exit.next })
              }
              onRemove={
                any.length > 1 ? () => onChange({ ...step, any: any.filter((_, at) => at !== index) }) : undefined
              }
            />
            {'event' in exit ? (
              <AwaitedEvent exit={exit} path={`any.${index}`} onChange={next => change(index, next)} />
            ) : (
              <TagsInput
                label={t('workflows.form.replyIn')}
                description={t('workflows.form.replyHint')}
                placeholder={t('workflows.form.anyReply')}
                size="sm"
                value={exit.reply?.in ?? []}
                error={fault(`any.${index}.reply`)}
                readOnly={readOnly}
                onChange={words => change(index, { ...exit, reply: words.length > 0 ? { in: words } : {} })}
              />
            )}
            <NextField
              label={t('workflows.form.thenNext')}
              value={exit.next}
              error={fault(`any.${index}.next`)}
              onChange={next => change(index, { ...exit, next })}
            />
          </Stack>
        </div>
      ))}
      {!readOnly && any.length < 10 && (
        <Group>
          <Button variant="default" onClick={() => onChange({ ...step, any: [...any, { reply: {}, next: null }] })}>
            {t('workflows.form.addExit')}
          </Button>
        </Group>
      )}
      <DurationField
        label={t('workflows.form.timeout')}
        value={step.timeout}
        error={fault('timeout')}
        onChange={timeout => onChange({ ...step, timeout })}
      />
      <NextField
        label={t('workflows.form.onTimeout')}
        value={step.onTimeout}
        error={fault('onTimeout')}
        onChange={onTimeout => onChange({ ...step, onTimeout })}
      />
    </>
  )
}

const Sale = ({ step, onChange }: FormOf<'mark_sale'>) => {
  const t = useTranslate()
  const { readOnly, getFault: fault } = useFormContext()
  return (
    <>
      <TextInput
        label={t('workflows.form.amount')}
        description={t('workflows.form.amountHint')}
        value={String(step.amount)}
        error={fault('amount')}
        readOnly={readOnly}
        onChange={event => onChange({ ...step, amount: event.currentTarget.value })}
      />
      <TextInput
        label={t('workflows.form.currency')}
        description={t('workflows.form.currencyHint')}
        value={step.currency}
        error={fault('currency')}
        readOnly={readOnly}
        onChange={event => onChange({ ...step, currency: event.currentTarget.value })}
      />
      <TextInput
        label={t('workflows.form.note')}
        value={step.note ?? ''}
        error={fault('note')}
        readOnly={readOnly}
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

const Attributes = ({ step, onChange }: FormOf<'set_attribute'>) => {
  const t = useTranslate()
  const { readOnly, getFault: fault } = useFormContext()
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
                  error={fault(`set.${name}`)}
                  readOnly={readOnly}
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
      <FaultText text={entries.length === 0 ? fault('set') : undefined} />
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

const Exit = ({ step, onChange }: FormOf<'exit'>) => {
  const t = useTranslate()
  const { readOnly, getFault: fault } = useFormContext()
  return (
    <TextInput
      label={t('workflows.form.reason')}
      description={t('workflows.form.reasonHint')}
      value={step.reason}
      maxLength={100}
      error={fault('reason')}
      readOnly={readOnly}
      onChange={event => onChange({ ...step, reason: event.currentTarget.value })}
    />
  )
}
