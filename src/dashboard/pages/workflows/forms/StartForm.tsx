import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { ConditionForm } from '../../../ui/condition/ConditionForm.tsx'
import { Section } from '../../../ui/Panel.tsx'
import type { Definition, RunExit } from '../definition/types.ts'
import { AwaitedEvent, ExitKind, FaultText } from './exits.tsx'
import { NextField, undefinedIfEmpty } from './fields.tsx'
import styles from './forms.module.css'
import { useConditionOptions, useField, useFormContext } from './forms.ts'

const reentries = ['always', 'once', 'not_while_active'] as const

/** Form of the trigger, the reentry rule and the exit rules. */
export const StartForm = ({ onChange }: { onChange: (definition: Definition) => void }) => {
  const t = useTranslate()
  const { definition, readOnly } = useFormContext()
  const field = useField()
  const conditionOptions = useConditionOptions()
  const { trigger, entry, exitOn = [] } = definition
  const setTrigger = (where: Definition['trigger']['where']) => {
    const { where: _, ...rest } = trigger
    onChange({ ...definition, trigger: where ? { ...rest, where } : rest })
  }
  const setEntry = (change: NonNullable<Definition['entry']>) => {
    const { entry, ...rest } = definition
    const next = Object.fromEntries(
      Object.entries({ ...entry, ...change }).filter(([, value]) => value !== undefined),
    ) as NonNullable<Definition['entry']>
    const isDefault = next.reentry === undefined || next.reentry === 'always'
    onChange(isDefault ? rest : { ...rest, entry: next })
  }
  const setExits = (exits: RunExit[]) => {
    const { exitOn: _, ...rest } = definition
    onChange(exits.length > 0 ? { ...rest, exitOn: exits } : rest)
  }
  return (
    <>
      <Section title={t('workflows.start.trigger')}>
        <Stack gap="md">
          <TextInput
            label={t('workflows.form.eventType')}
            description={t('workflows.eventTypeHint')}
            placeholder="order.created"
            value={trigger.eventType}
            {...field('trigger.eventType')}
            onChange={event =>
              onChange({ ...definition, trigger: { ...trigger, eventType: event.currentTarget.value } })
            }
          />
          {trigger.where ? (
            <ConditionForm
              label={t('workflows.start.where')}
              options={conditionOptions}
              value={trigger.where}
              onChange={setTrigger}
              onRemove={() => setTrigger(undefined)}
            />
          ) : readOnly ? (
            <Text size="sm">{t('workflows.start.whereNone')}</Text>
          ) : (
            <Group>
              <Button variant="default" onClick={() => setTrigger({ path: 'data.total', op: 'gte', value: 100 })}>
                {t('workflows.start.addWhere')}
              </Button>
            </Group>
          )}
          <FaultText name="trigger.where" />
          <NextField
            label={t('workflows.start.first')}
            value={definition.start}
            name="start"
            onChange={start => start && onChange({ ...definition, start })}
          />
        </Stack>
      </Section>
      <Section title={t('workflows.start.entry')}>
        <Stack gap="md">
          <Select
            label={t('workflows.start.reentry')}
            data={reentries.map(value => ({ value, label: t(`workflows.start.reentry.${value}`) }))}
            value={entry?.reentry ?? 'always'}
            allowDeselect={false}
            {...field('entry.reentry')}
            onChange={reentry => setEntry({ reentry: (reentry ?? 'always') as (typeof reentries)[number] })}
          />
          {entry?.reentry && entry.reentry !== 'always' && (
            <TextInput
              label={t('workflows.start.key')}
              description={t('workflows.start.keyHint')}
              placeholder="data.cartId"
              value={entry.key ?? ''}
              {...field('entry.key')}
              onChange={event => {
                const key = undefinedIfEmpty(event.currentTarget.value)
                setEntry({ key } as NonNullable<Definition['entry']>)
              }}
            />
          )}
        </Stack>
      </Section>
      <Section title={t('workflows.start.exits')}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('workflows.start.exitsText')}
          </Text>
          {exitOn.map((exit, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an exit is identified by its position.
            <div key={index} className={styles.item}>
              <Stack gap="sm">
                <ExitKind
                  number={index + 1}
                  kinds={[
                    { value: 'event', label: t('workflows.form.event') },
                    { value: 'optOut', label: t('workflows.start.optOut') },
                  ]}
                  value={'event' in exit ? 'event' : 'optOut'}
                  onChange={kind =>
                    setExits(
                      exitOn.map((current, currentIndex) =>
                        currentIndex !== index ? current : kind === 'event' ? { event: '' } : { optOut: true },
                      ),
                    )
                  }
                  onRemove={() => setExits(exitOn.filter((_, currentIndex) => currentIndex !== index))}
                />
                {'event' in exit && (
                  <EventExit
                    exit={exit}
                    path={`exitOn.${index}`}
                    onChange={next =>
                      setExits(exitOn.map((current, currentIndex) => (currentIndex === index ? next : current)))
                    }
                  />
                )}
              </Stack>
            </div>
          ))}
          {!readOnly && exitOn.length < 10 && (
            <Group>
              <Button variant="default" onClick={() => setExits([...exitOn, { event: '' }])}>
                {t('workflows.start.addExit')}
              </Button>
            </Group>
          )}
        </Stack>
      </Section>
    </>
  )
}

type EventExitOf = Extract<RunExit, { event: string }>

const EventExit = ({
  exit,
  path,
  onChange,
}: {
  exit: EventExitOf
  path: string
  onChange: (exit: EventExitOf) => void
}) => {
  const t = useTranslate()
  const field = useField()
  return (
    <>
      <AwaitedEvent exit={exit} path={path} onChange={onChange} />
      <TextInput
        label={t('workflows.form.reason')}
        value={exit.reason ?? ''}
        maxLength={100}
        {...field(`${path}.reason`)}
        onChange={event => {
          const { reason: _, ...rest } = exit
          const reason = undefinedIfEmpty(event.currentTarget.value)
          onChange(reason === undefined ? rest : { ...rest, reason })
        }}
      />
    </>
  )
}
