import { VisuallyHidden } from '@mantine/core'
import { useIntl } from 'react-intl'
import { useTranslate } from '../../texts/index.tsx'
import { numberFormat } from '../../ui/formats.ts'
import { ClockIcon, ExclamationTriangleIcon } from '../../ui/icons.ts'
import { BellAlertIcon, FireIcon } from '../../ui/page-icons.ts'
import { useNow } from '../../ui/Time.tsx'
import styles from './inbox.module.css'

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Levels by the shortest wait in seconds, longest first. Each has its icon and color, and the longest its word. */
const levels = [
  { from: 86_400, text: 'inbox.wait.overdue', icon: FireIcon, tone: 'failed', isStrong: true },
  { from: 3_600, text: 'inbox.waits', icon: ExclamationTriangleIcon, tone: 'failed', isStrong: false },
  { from: 900, text: 'inbox.waits', icon: BellAlertIcon, tone: 'care', isStrong: false },
  { from: 0, text: 'inbox.waits', icon: ClockIcon, tone: 'moving', isStrong: false },
] as const

/** Returns a function for the time since a moment, in the largest unit that fits, rounded down. */
export const useWait = (): ((since: string) => { seconds: number; text: string }) => {
  const { locale } = useIntl()
  const now = useNow()
  return since => {
    const seconds = Math.max(Math.round((now - new Date(since).getTime()) / 1000), 1)
    const [unit, length] = units.find(([, length]) => seconds >= length)!
    const format = numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })
    return { seconds, text: format.format(Math.trunc(seconds / length)) }
  }
}

/**
 * Time since the customer's unanswered message, in the largest unit that fits. It escalates with age. In a row
 * (`isShort`) a wait that is not late has no color, and its word is only for screen readers.
 */
export const WaitingTime = ({ since, isShort = false }: { since: string; isShort?: boolean }) => {
  const t = useTranslate()
  const { seconds, text: time } = useWait()(since)
  const { text, icon: Icon, tone, isStrong, from } = levels.find(({ from }) => seconds >= from)!
  const isCalm = isShort && from === 0
  return (
    <span
      className={styles.wait}
      data-tone={tone}
      data-strong={isStrong || undefined}
      data-calm={isCalm || undefined}
      title={t(text, { time })}
    >
      <Icon width={14} aria-hidden="true" />
      {isCalm ? (
        <>
          <VisuallyHidden>{t(text, { time })}</VisuallyHidden>
          <span aria-hidden="true">{time}</span>
        </>
      ) : (
        t(text, { time })
      )}
    </span>
  )
}
