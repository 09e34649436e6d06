import { DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import type { ReactNode } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { formatClock, parseClock, useZone } from '../zone.ts'

/** Field for a moment in the person's time zone. The value is an ISO 8601 time, or null. */
export const DateTimeField = ({
  label,
  description,
  placeholder,
  error,
  maxDate,
  value,
  onChange,
}: {
  label: string
  /** Defaults to the name of the time zone. */
  description?: string
  placeholder?: string
  error?: ReactNode
  maxDate?: Date
  value: string | null
  onChange: (value: string | null) => void
}) => {
  const t = useTranslate()
  const zone = useZone()
  // The clock of a zone has minutes; all zones share the seconds.
  const shown = value === null ? null : `${formatClock(new Date(value), zone).replace('T', ' ')}:${value.slice(17, 19)}`
  return (
    <DateTimePicker
      label={label}
      description={description ?? t('person.zone', { zone })}
      {...(placeholder !== undefined && { placeholder })}
      {...(maxDate && { maxDate })}
      error={error}
      withSeconds
      clearable
      value={shown}
      onChange={text => {
        const moment = text === null ? null : parseClock(text.slice(0, 16).replace(' ', 'T'), zone)
        onChange(moment && new Date(moment.getTime() + Number(text!.slice(17, 19) || 0) * 1000).toISOString())
      }}
    />
  )
}
