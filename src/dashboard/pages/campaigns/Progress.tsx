import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './campaigns.module.css'
import type { Campaign } from './status.ts'

const segments = [
  ['sent', 'done'],
  ['unknown', 'care'],
  ['skipped', 'off'],
] as const

export const countSettled = ({ progress: { sent, skipped, unknown } }: Campaign): number => sent + skipped + unknown

/** Progress bar of a campaign that has not ended, with the rate and the expected end while it runs. */
export const Progress = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const number = useNumbers()
  const { progress, status } = campaign
  const settled = countSettled(campaign)
  const remaining = Math.max(progress.audience - settled, 0)
  const rate = useSendRate(settled, status === 'running')
  return (
    <Card title={t('campaigns.progress')}>
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
    </Card>
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
