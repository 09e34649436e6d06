import { Button, Menu, Modal, Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useIntl } from 'react-intl'
import { useTranslate } from '../../texts/index.tsx'
import { dateFormat } from '../formats.ts'
import { CheckIcon, ChevronDownIcon } from '../icons.ts'
import { CalendarIcon } from '../page-icons.ts'
import { useZone } from '../zone.ts'
import { type Preset, presetNames, type TimeRange, withDefaultRange } from './time-range.ts'

const Calendar = lazy(() => import('./Calendar.tsx').then(({ Calendar }) => ({ default: Calendar })))

/**
 * Filter by time: presets, all times, or a range of days. `defaultRange` is what an empty value means on a page with a
 * chart. `always` omits "All time", for a chart without a list. `describe` says what the time range limits, if that is
 * not the list.
 */
export const TimeRangeFilter = ({
  value: filter,
  onChange,
  defaultRange,
  always = false,
  describe = label => label,
}: {
  value: TimeRange
  onChange: (value: TimeRange) => void
  defaultRange?: Preset
  always?: boolean
  describe?: (label: string) => string
}) => {
  const t = useTranslate()
  const value = defaultRange ? withDefaultRange(filter, defaultRange) : filter
  const label = describe(useTimeRangeLabel()(value))
  const isCustom = value.range === undefined && (value.since !== undefined || value.until !== undefined)
  const isAll = !isCustom && (value.range === undefined || value.range === 'all')
  const [isCalendarOpen, setIsCalendarOpen] = useState(false)
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<CalendarIcon width={16} />}
            rightSection={<ChevronDownIcon width={12} />}
            aria-label={t('time.filter', { label })}
          >
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {presetNames.map(range => (
            <Menu.Item
              key={range}
              rightSection={value.range === range && <CheckIcon width={14} />}
              aria-current={value.range === range}
              onClick={() => onChange(range === defaultRange ? {} : { range })}
            >
              {t(`time.range.${range}`)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {!always && (
            <Menu.Item
              rightSection={isAll && <CheckIcon width={14} />}
              aria-current={isAll}
              onClick={() => onChange(defaultRange ? { range: 'all' } : {})}
            >
              {t('time.all')}
            </Menu.Item>
          )}
          <Menu.Item
            rightSection={isCustom && <CheckIcon width={14} />}
            aria-current={isCustom}
            onClick={() => setIsCalendarOpen(true)}
          >
            {t('time.custom')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={isCalendarOpen}
        onClose={() => setIsCalendarOpen(false)}
        title={t('time.customTitle')}
        size="auto"
        closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
      >
        <Suspense fallback={<Skeleton height={320} width={280} />}>
          <Calendar
            value={value}
            onChange={range => {
              setIsCalendarOpen(false)
              onChange(range)
            }}
          />
        </Suspense>
      </Modal>
    </>
  )
}

/** Returns a function that names a time range. */
export const useTimeRangeLabel = (): ((value: TimeRange) => string) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const timeZone = useZone()
  return ({ range, since, until }) => {
    if (range && range !== 'all') return t(`time.range.${range}`)
    if (range === 'all' || (since === undefined && until === undefined)) return t('time.all')
    const format = dateFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', timeZone })
    const from = since === undefined ? '' : format.format(new Date(since))
    return `${from} – ${until === undefined ? t('time.now') : format.format(new Date(until))}`
  }
}
