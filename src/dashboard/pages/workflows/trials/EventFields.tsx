import { SegmentedControl, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useIntl } from 'react-intl'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { useZone } from '../../../ui/zone.ts'
import { customerName } from '../../customers/name.ts'
import styles from '../workflows.module.css'
import { parseData, type TestInput } from './test-input.ts'

/** Event of a test: a past one, or one of the person's own. */
export const EventFields = ({
  type,
  events,
  eventId,
  input,
  onChange,
}: {
  type: string
  events: Schemas['ActivityEvent'][] | undefined
  eventId: string | null
  input: TestInput
  onChange: (input: TestInput) => void
}) => {
  const t = useTranslate()
  const isOwnEvent = input.kind === 'own' || events?.length === 0
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
        value={input.kind}
        onChange={kind => onChange({ ...input, kind: kind === 'own' ? 'own' : 'past' })}
      />
      {isOwnEvent ? (
        <>
          {input.kind === 'past' && <Text size="sm">{t('workflows.try.noPastEvents', { type })}</Text>}
          <TextInput
            label={t('workflows.try.phone')}
            description={t('workflows.try.phoneHint')}
            placeholder="+12025550199"
            value={input.phone}
            onChange={event => onChange({ ...input, phone: event.currentTarget.value })}
          />
          <TextInput
            label={t('workflows.try.name')}
            value={input.name}
            onChange={event => onChange({ ...input, name: event.currentTarget.value })}
          />
          <Textarea
            label={t('workflows.try.data')}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            classNames={{ input: styles.code! }}
            value={input.data}
            error={parseData(input.data) === null ? t('workflows.try.dataBroken') : undefined}
            onChange={event => onChange({ ...input, data: event.currentTarget.value })}
          />
        </>
      ) : (
        <PastEvent events={events} value={eventId} onChange={eventId => onChange({ ...input, eventId })} />
      )}
    </>
  )
}

const PastEvent = ({
  events,
  value,
  onChange,
}: {
  events: Schemas['ActivityEvent'][] | undefined
  value: string | null
  onChange: (id: string | null) => void
}) => {
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
      label={t('workflows.try.pastEvent')}
      data={options}
      value={value}
      searchable
      allowDeselect={false}
      onChange={onChange}
    />
  )
}
