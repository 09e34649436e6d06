import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useTexts } from '../../../texts/index.tsx'
import { ConditionForm } from '../../../ui/condition/ConditionForm.tsx'
import { Section } from '../../../ui/Panel.tsx'
import type { Definition, RunExit } from '../definition/types.ts'
import { AwaitedEvent, ExitKind, Problem } from './exits.tsx'
import { NextField, undefinedIfEmpty } from './fields.tsx'
import styles from './forms.module.css'
import { useAsked, useForms } from './forms.ts'

const reentries = ['always', 'once', 'not_while_active'] as const

/** Form of the trigger, the reentry rule and the exit rules. */
export const StartForm = ({ onChange }: { onChange: (definition: Definition) => void }) => {
  const say = useTexts()
  const { definition, readOnly, fault } = useForms()
  const asked = useAsked()
  const { trigger, entry, exitOn = [] } = definition
  const withTrigger = (where: Definition['trigger']['where']) => {
    const { where: _, ...rest } = trigger
    onChange({ ...definition, trigger: where ? { ...rest, where } : rest })
  }
  const withEntry = (change: NonNullable<Definition['entry']>) => {
    const { entry: before, ...rest } = definition
    const next = Object.fromEntries(
      Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
    ) as NonNullable<Definition['entry']>
    const isNone = next.reentry === undefined || next.reentry === 'always'
    onChange(isNone ? rest : { ...rest, entry: next })
  }
  const withExits = (exits: RunExit[]) => {
    const { exitOn: _, ...rest } = definition
    onChange(exits.length > 0 ? { ...rest, exitOn: exits } : rest)
  }
  return (
    <>
      <Section title={say('workflows.start.trigger')}>
        <Stack gap="md">
          <TextInput
            label={say('workflows.form.eventType')}
            description={say('workflows.eventTypeHint')}
            placeholder="order.created"
            value={trigger.eventType}
            error={fault('trigger.eventType')}
            readOnly={readOnly}
            onChange={event =>
              onChange({ ...definition, trigger: { ...trigger, eventType: event.currentTarget.value } })
            }
          />
          {trigger.where ? (
            <ConditionForm
              label={say('workflows.start.where')}
              of={asked}
              value={trigger.where}
              onChange={withTrigger}
              onRemove={() => withTrigger(undefined)}
            />
          ) : readOnly ? (
            <Text size="sm">{say('workflows.start.whereNone')}</Text>
          ) : (
            <Group>
              <Button variant="default" onClick={() => withTrigger({ path: 'data.total', op: 'gte', value: 100 })}>
                {say('workflows.start.addWhere')}
              </Button>
            </Group>
          )}
          <Problem of={fault('trigger.where')} />
          <NextField
            label={say('workflows.start.first')}
            value={definition.start}
            error={fault('start')}
            onChange={start => start && onChange({ ...definition, start })}
          />
        </Stack>
      </Section>
      <Section title={say('workflows.start.entry')}>
        <Stack gap="md">
          <Select
            label={say('workflows.start.reentry')}
            data={reentries.map(value => ({ value, label: say(`workflows.start.reentry.${value}`) }))}
            value={entry?.reentry ?? 'always'}
            allowDeselect={false}
            error={fault('entry.reentry')}
            readOnly={readOnly}
            onChange={reentry => withEntry({ reentry: (reentry ?? 'always') as (typeof reentries)[number] })}
          />
          {entry?.reentry && entry.reentry !== 'always' && (
            <TextInput
              label={say('workflows.start.key')}
              description={say('workflows.start.keyHint')}
              placeholder="data.cartId"
              value={entry.key ?? ''}
              error={fault('entry.key')}
              readOnly={readOnly}
              onChange={event => {
                const key = undefinedIfEmpty(event.currentTarget.value)
                withEntry({ key } as NonNullable<Definition['entry']>)
              }}
            />
          )}
        </Stack>
      </Section>
      <Section title={say('workflows.start.exits')}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {say('workflows.start.exitsText')}
          </Text>
          {exitOn.map((exit, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an exit is identified by its position.
            <div key={index} className={styles.item}>
              <Stack gap="sm">
                <ExitKind
                  number={index + 1}
                  kinds={[
                    { value: 'event', label: say('workflows.form.event') },
                    { value: 'optOut', label: say('workflows.start.optOut') },
                  ]}
                  value={'event' in exit ? 'event' : 'optOut'}
                  onChange={kind =>
                    withExits(
                      exitOn.map((known, at) =>
                        at !== index ? known : kind === 'event' ? { event: '' } : { optOut: true },
                      ),
                    )
                  }
                  onRemove={() => withExits(exitOn.filter((_, at) => at !== index))}
                />
                {'event' in exit && (
                  <EventExit
                    exit={exit}
                    place={`exitOn.${index}`}
                    onChange={next => withExits(exitOn.map((known, at) => (at === index ? next : known)))}
                  />
                )}
              </Stack>
            </div>
          ))}
          {!readOnly && exitOn.length < 10 && (
            <Group>
              <Button variant="default" onClick={() => withExits([...exitOn, { event: '' }])}>
                {say('workflows.start.addExit')}
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
  place,
  onChange,
}: {
  exit: EventExitOf
  place: string
  onChange: (exit: EventExitOf) => void
}) => {
  const say = useTexts()
  const { readOnly, fault } = useForms()
  return (
    <>
      <AwaitedEvent exit={exit} place={place} onChange={onChange} />
      <TextInput
        label={say('workflows.form.reason')}
        value={exit.reason ?? ''}
        maxLength={100}
        error={fault(`${place}.reason`)}
        readOnly={readOnly}
        onChange={event => {
          const { reason: _, ...rest } = exit
          const reason = undefinedIfEmpty(event.currentTarget.value)
          onChange(reason === undefined ? rest : { ...rest, reason })
        }}
      />
    </>
  )
}
