import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import type { Schemas } from '../../../api/client.ts'
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import { dateFormat } from '../../../ui/formats.ts'
import { useWait } from '../WaitingTime.tsx'
import styles from './statistics.module.css'
import { useSeconds } from './useSeconds.ts'

type Stats = Schemas['InboxStats']

/** Figures of now and of the period, with the change since the period before. `before` is undefined while it loads. */
export const Figures = ({ stats, before, by }: { stats: Stats; before: Stats | undefined; by: 'hour' | 'day' }) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const number = useNumbers()
  const seconds = useSeconds()
  const wait = useWait()
  const { longestWait } = stats
  const [from, to] = [Date.parse(stats.since), Date.parse(stats.until)]
  const count = (name: 'answered' | 'resolved') => before && t('inbox.stats.before', { count: number(before[name]) })
  const time = by === 'hour' ? ({ hour: 'numeric', minute: '2-digit' } as const) : {}
  const format = dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC', ...time })
  return (
    <div>
      <dl className={styles.figures}>
        <Figure name={t('inbox.stats.waiting')} value={number(stats.waiting)} />
        <Figure name={t('inbox.stats.longest')} value={longestWait ? wait(longestWait.since).text : '–'}>
          {longestWait ? (
            <Anchor
              inherit
              renderRoot={(props: object) => (
                <Link {...props} to="/inbox/$id" params={{ id: longestWait.conversationId }} />
              )}
            >
              {t('inbox.stats.open')}
            </Anchor>
          ) : (
            t('inbox.stats.nobody')
          )}
        </Figure>
        <Figure name={t('inbox.stats.p50')} value={seconds(stats.firstResponseP50)}>
          <Change now={stats.firstResponseP50} before={before?.firstResponseP50} />
        </Figure>
        <Figure name={t('inbox.stats.p90')} value={seconds(stats.firstResponseP90)}>
          <Change now={stats.firstResponseP90} before={before?.firstResponseP90} />
        </Figure>
        <Figure name={t('inbox.stats.answered')} value={number(stats.answered)}>
          {count('answered')}
        </Figure>
        <Figure name={t('inbox.stats.resolved')} value={number(stats.resolved)}>
          {count('resolved')}
        </Figure>
      </dl>
      <p className={styles.note}>
        {t('inbox.stats.compared', { by, period: format.formatRange(new Date(2 * from - to), new Date(from - 1)) })}
      </p>
    </div>
  )
}

const Figure = ({ name, value, children }: { name: string; value: string; children?: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="tabular">{value}</dd>
    <dd className={styles.change}>{children}</dd>
  </div>
)

/** Says how much faster or slower first responses are. `before` is undefined while it loads. */
const Change = ({ now, before }: { now: number | null; before: number | null | undefined }) => {
  const t = useTranslate()
  const seconds = useSeconds()
  if (before === undefined) return null
  if (before === null || now === null) return t('inbox.stats.noneBefore')
  if (now === before) return t('inbox.stats.unchanged')
  const isFaster = now < before
  return (
    <span data-tone={isFaster ? 'done' : 'care'} className={styles.tone}>
      {t(isFaster ? 'inbox.stats.faster' : 'inbox.stats.slower', { time: seconds(Math.abs(now - before)) })}
    </span>
  )
}
