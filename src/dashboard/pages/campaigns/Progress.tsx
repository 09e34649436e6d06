import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Duration, Time } from '../../ui/Time.tsx'
import styles from './campaigns.module.css'
import type { Campaign } from './status.ts'
import { useReasonText } from './useReason.ts'

const segments = [
  ['sent', 'done'],
  ['unknown', 'care'],
  ['skipped', 'off'],
] as const

export const countSettled = ({ progress: { sent, skipped, unknown } }: Campaign): number => sent + skipped + unknown

/** Progress bar with the rate and the expected end while the campaign runs, and the totals by outcome. */
export const Progress = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const number = useNumbers()
  const reason = useReasonText()
  const { progress, status, startedAt, finishedAt } = campaign
  const settled = countSettled(campaign)
  const remaining = Math.max(progress.audience - settled, 0)
  const rate = useSendRate(settled, status === 'running')
  const title = t(finishedAt ? 'campaigns.results' : 'campaigns.progress')
  const durationMs = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null
  const skippedBy = Object.entries(progress.skippedBy as Record<string, number>).sort(([, a], [, b]) => b - a)
  return (
    <Section title={title}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={t('campaigns.progress')}
        aria-valuemin={0}
        aria-valuemax={progress.audience}
        aria-valuenow={settled}
        aria-valuetext={t('campaigns.done', { done: settled, all: progress.audience })}
      >
        {segments.map(([segment, tone]) => (
          <span
            key={segment}
            data-tone={tone}
            style={{ width: progress.audience > 0 ? `${(progress[segment] / progress.audience) * 100}%` : 0 }}
          />
        ))}
      </div>
      <Text size="sm" className="tabular" mt={4} mb="sm">
        {t('campaigns.done', { done: settled, all: progress.audience })}
      </Text>
      {status === 'running' && (
        <Facts
          items={{
            [t('campaigns.speed')]:
              rate === null ? t('campaigns.measuringSpeed') : t('campaigns.rate', { rate: Math.round(rate * 10) / 10 }),
            [t('campaigns.ends')]:
              rate !== null && rate > 0 && remaining > 0 ? (
                <Time at={new Date(Date.now() + (remaining / rate) * 1000).toISOString()} />
              ) : null,
            [t('campaigns.remaining')]: <span className="tabular">{number(remaining)}</span>,
          }}
        />
      )}
      <dl className={styles.counts}>
        {segments.map(([segment, tone]) => (
          <div key={segment}>
            <dt className={styles.part} data-tone={tone}>
              {t(`campaigns.${segment}`)}
            </dt>
            <dd className="tabular">{number(progress[segment])}</dd>
          </div>
        ))}
        {skippedBy.map(([code, count]) => (
          <div key={code} className={styles.nested}>
            <dt>{reason(code)}</dt>
            <dd className="tabular">{number(count)}</dd>
          </div>
        ))}
        {durationMs !== null && (
          <div>
            <dt>{t('campaigns.duration')}</dt>
            <dd>
              <Duration ms={durationMs} />
            </dd>
          </div>
        )}
      </dl>
    </Section>
  )
}

const windowMs = 30_000

/** Returns the recipients processed per second, measured while the page is open. null until it can be measured. */
const useSendRate = (settled: number, running: boolean): number | null => {
  const [samples, setSamples] = useState<{ at: number; settled: number }[]>([])
  useEffect(() => {
    if (!running) return setSamples([])
    const at = Date.now()
    setSamples(previous => [...previous.filter(one => at - one.at < windowMs), { at, settled }])
  }, [settled, running])
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.at - first.at < 1000) return null
  return ((last.settled - first.settled) / (last.at - first.at)) * 1000
}
