/** Forms of the steps that wait. */
import { Button, Checkbox, Group, SegmentedControl, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { browserZone } from '../../../ui/zone.ts'
import type { StepOf, WaitExit } from '../definition/types.ts'
import { AwaitedEvent, ExitKind } from './exits.tsx'
import { DurationField, Next, NextField } from './fields.tsx'
import styles from './forms.module.css'
import { type FormOf, useField, useFormContext } from './forms.ts'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Weekday = (typeof weekdays)[number]

const zones = (): string[] => Intl.supportedValuesOf?.('timeZone') ?? [browserZone]

/** Delay for a duration, or until a time of day. */
export const Delay = ({ step, onChange }: FormOf<'delay'>) => {
  const t = useTranslate()
  const { readOnly } = useFormContext()
  const field = useField()
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
            {...field('until.time')}
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
            {...field('until.zone')}
            onChange={zone => setUntil({ zone: zone ?? undefined })}
          />
        </>
      ) : (
        <DurationField
          label={t('workflows.form.howLong')}
          value={step.for ?? ''}
          name="for"
          onChange={value => onChange({ ...rest, for: value })}
        />
      )}
      <Next step={step} onChange={onChange} />
    </>
  )
}

/** Wait for a reply or an event. */
export const WaitFor = ({ step, onChange }: FormOf<'wait_for'>) => {
  const t = useTranslate()
  const { readOnly } = useFormContext()
  const field = useField()
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
                {...(exit.reply?.in?.length
                  ? { description: t('workflows.form.replyHint') }
                  : { placeholder: t('workflows.form.anyReply') })}
                size="sm"
                value={exit.reply?.in ?? []}
                {...field(`any.${index}.reply`)}
                onChange={words => change(index, { ...exit, reply: words.length > 0 ? { in: words } : {} })}
              />
            )}
            <NextField
              label={t('workflows.form.thenNext')}
              value={exit.next}
              name={`any.${index}.next`}
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
        name="timeout"
        onChange={timeout => onChange({ ...step, timeout })}
      />
      <NextField
        label={t('workflows.form.onTimeout')}
        value={step.onTimeout}
        name="onTimeout"
        onChange={onTimeout => onChange({ ...step, onTimeout })}
      />
    </>
  )
}
