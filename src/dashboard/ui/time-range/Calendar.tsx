import { Button, Group, Stack } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.css'
import { useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { formatClock, parseClock, useZone } from '../zone.ts'
import type { TimeRange } from './time-range.ts'

/** Calendar for a range of whole days in the person's time zone. */
export const Calendar = ({ value, onChange }: { value: TimeRange; onChange: (value: TimeRange) => void }) => {
  const t = useTranslate()
  const zone = useZone()
  const toDay = (time: string | undefined) =>
    time === undefined ? null : formatClock(new Date(time), zone).slice(0, 10)
  // A range ends at the first moment of the next day.
  const lastDay = value.until === undefined ? null : toDay(new Date(Date.parse(value.until) - 1).toISOString())
  const [days, setDays] = useState<[string | null, string | null]>([toDay(value.since), lastDay])
  const [first, last] = days
  const startOf = (day: string, offset = 0) => {
    const date = new Date(`${day}T00:00:00Z`)
    date.setUTCDate(date.getUTCDate() + offset)
    return parseClock(`${date.toISOString().slice(0, 10)}T00:00`, zone)!.toISOString()
  }
  return (
    <Stack gap="md">
      <DatePicker
        type="range"
        allowSingleDateInRange
        // Weekends would be red, like errors.
        weekendDays={[]}
        value={days}
        onChange={setDays}
        maxDate={new Date()}
      />
      <Group justify="flex-end">
        <Button
          disabled={first === null}
          onClick={() => first !== null && onChange({ since: startOf(first), until: startOf(last ?? first, 1) })}
        >
          {t('time.apply')}
        </Button>
      </Group>
    </Stack>
  )
}
