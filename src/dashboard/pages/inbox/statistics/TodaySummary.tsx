import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useInboxToday } from '../../../shell/inbox-today.tsx'
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import { ChevronRightIcon } from '../../../ui/icons.ts'
import type { InboxSearch } from '../filters.ts'
import { useWait } from '../WaitingTime.tsx'
import styles from './today-summary.module.css'
import { useSeconds } from './useSeconds.ts'

type FigureText = `inbox.today.${'waiting' | 'longest' | 'p50' | 'p90'}`

/** Conversations that wait now, the longest wait, and the first response times of today. It opens the statistics. */
export const TodaySummary = ({ search }: { search: InboxSearch }) => {
  const t = useTranslate()
  const number = useNumbers()
  const seconds = useSeconds()
  const wait = useWait()
  const { data } = useInboxToday()
  const groups = {
    'inbox.today.now': {
      'inbox.today.waiting': data ? number(data.waiting) : '–',
      'inbox.today.longest': data?.longestWait ? wait(data.longestWait.since).text : '–',
    },
    'inbox.today.today': {
      'inbox.today.p50': seconds(data?.firstResponseP50),
      'inbox.today.p90': seconds(data?.firstResponseP90),
    },
  } as const
  return (
    <Link className={styles.today} to="/inbox/statistics" search={search}>
      <VisuallyHidden>{t('inbox.statistics')}</VisuallyHidden>
      {Object.entries(groups).map(([group, figures]) => (
        <span key={group} className={styles.figures}>
          <span className={styles.group}>{t(group as keyof typeof groups)}</span>
          {Object.entries(figures).map(([text, value]) => (
            <span key={text} className={styles.figure}>
              <strong className="tabular">{value}</strong>
              <span>{t(text as FigureText)}</span>
            </span>
          ))}
        </span>
      ))}
      <ChevronRightIcon width={12} aria-hidden="true" />
    </Link>
  )
}
