import { SegmentedControl, Select, type SelectProps, Text, Textarea, TextInput } from '@mantine/core'
import { useIntl } from 'react-intl'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { useZone } from '../../../ui/zone.ts'
import { customerName } from '../../customers/name.ts'
import styles from '../workflows.module.css'
import type { Test } from './useTest.ts'

/** Event of a test: a past one, or one of the person's own. */
export const EventFields = ({ test: { form, type, events, eventId, isOwnEvent } }: { test: Test }) => {
  const t = useTranslate()
  return (
    <>
      <SegmentedControl
        aria-label={t('workflows.try.kind')}
        fullWidth
        size="xs"
        data={[
          { value: 'past', label: t('workflows.try.pastEvent') },
          { value: 'own', label: t('workflows.try.customEvent') },
        ]}
        {...form.getInputProps('kind')}
      />
      {isOwnEvent ? (
        <>
          {form.values.kind === 'past' && <Text size="sm">{t('workflows.try.noPastEvents', { type })}</Text>}
          <TextInput
            label={t('workflows.try.phone')}
            description={t('workflows.try.phoneHint')}
            placeholder="+12025550199"
            {...form.getInputProps('event.phone')}
          />
          <TextInput label={t('workflows.try.name')} {...form.getInputProps('event.name')} />
          <Textarea
            label={t('workflows.try.data')}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            classNames={{ input: styles.code! }}
            {...form.getInputProps('event.data')}
          />
        </>
      ) : (
        <PastEvent events={events} {...form.getInputProps('eventId')} value={eventId} />
      )}
    </>
  )
}

const PastEvent = ({
  events,
  value,
  ...input
}: { events: Schemas['ActivityEvent'][] | undefined; value: string | null } & SelectProps) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const zone = useZone()
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone })
  const options = (events ?? []).map(one => ({
    value: one.id,
    label: `${format.format(new Date(one.createdAt))} · ${customerName(one.customer) ?? t('workflows.try.erased')}`,
  }))
  if (value && !options.some(option => option.value === value)) options.push({ value, label: value })
  return (
    <Select
      {...input}
      label={t('workflows.try.pastEvent')}
      data={options}
      value={value}
      searchable
      allowDeselect={false}
    />
  )
}
