import { DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { useId } from '@mantine/hooks'
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
  clearable = true,
  value,
  onChange,
}: {
  label: string
  /** Defaults to the name of the time zone. */
  description?: string
  placeholder?: string
  error?: ReactNode
  maxDate?: Date
  /** False if there is always a value. */
  clearable?: boolean
  value: string | null
  onChange: (value: string | null) => void
}) => {
  const t = useTranslate()
  const zone = useZone()
  // The calendar has the name of the field.
  const id = useId()
  // The clock of a zone has minutes; all zones share the seconds.
  const shown = value === null ? null : `${formatClock(new Date(value), zone).replace('T', ' ')}:${value.slice(17, 19)}`
  return (
    <DateTimePicker
      id={id}
      popoverProps={{ id }}
      label={label}
      description={description ?? t('person.zone', { zone })}
      {...(placeholder !== undefined && { placeholder })}
      {...(maxDate && { maxDate })}
      error={error}
      withSeconds
      // Weekends would be red, like errors.
      weekendDays={[]}
      clearable={clearable}
      // The controls of the years have no name.
      maxLevel="month"
      hideOutsideDates
      ariaLabels={{ previousMonth: t('date.previousMonth'), nextMonth: t('date.nextMonth') }}
      timePickerProps={{
        hoursInputLabel: t('date.hours'),
        minutesInputLabel: t('date.minutes'),
        secondsInputLabel: t('date.seconds'),
      }}
      submitButtonProps={{ 'aria-label': t('time.apply') }}
      value={shown}
      onChange={text => {
        const moment = text === null ? null : parseClock(text.slice(0, 16).replace(' ', 'T'), zone)
        onChange(moment && new Date(moment.getTime() + Number(text!.slice(17, 19) || 0) * 1000).toISOString())
      }}
    />
  )
}
