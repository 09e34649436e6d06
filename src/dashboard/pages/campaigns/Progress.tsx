import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Duration, Time } from '../../ui/Time.tsx'
import styles from './campaigns.module.css'
import { useReason } from './Reason.tsx'
import type { Campaign } from './status.ts'

const parts = [
  ['sent', 'done'],
  ['unknown', 'care'],
  ['skipped', 'off'],
] as const

export const settledOf = ({ progress: { sent, skipped, unknown } }: Campaign): number => sent + skipped + unknown

/** Progress bar with the rate and the expected end while the campaign runs, and the totals by outcome. */
export const Progress = ({ campaign }: { campaign: Campaign }) => {
  const say = useTexts()
  const number = useNumbers()
  const reason = useReason()
  const { progress, status, startedAt, finishedAt } = campaign
  const settled = settledOf(campaign)
  const left = Math.max(progress.audience - settled, 0)
  const rate = useRate(settled, status === 'running')
  const title = say(finishedAt ? 'campaigns.became' : 'campaigns.progress')
  const tookMs = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null
  const skippedBy = Object.entries(progress.skippedBy as Record<string, number>).sort(([, a], [, b]) => b - a)
  return (
    <Section title={title}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={say('campaigns.progress')}
        aria-valuemin={0}
        aria-valuemax={progress.audience}
        aria-valuenow={settled}
        aria-valuetext={say('campaigns.done', { done: settled, all: progress.audience })}
      >
        {parts.map(([part, tone]) => (
          <span
            key={part}
            data-tone={tone}
            style={{ width: progress.audience > 0 ? `${(progress[part] / progress.audience) * 100}%` : 0 }}
          />
        ))}
      </div>
      <Text size="sm" className="tabular" mt={4} mb="sm">
        {say('campaigns.done', { done: settled, all: progress.audience })}
      </Text>
      {status === 'running' && (
        <Facts
          of={{
            [say('campaigns.speed')]:
              rate === null ? say('campaigns.measuring') : say('campaigns.rate', { rate: Math.round(rate * 10) / 10 }),
            [say('campaigns.ends')]:
              rate !== null && rate > 0 && left > 0 ? (
                <Time at={new Date(Date.now() + (left / rate) * 1000).toISOString()} />
              ) : null,
            [say('campaigns.left')]: <span className="tabular">{number(left)}</span>,
          }}
        />
      )}
      <dl className={styles.counts}>
        {parts.map(([part, tone]) => (
          <div key={part}>
            <dt className={styles.part} data-tone={tone}>
              {say(`campaigns.${part}`)}
            </dt>
            <dd className="tabular">{number(progress[part])}</dd>
          </div>
        ))}
        {skippedBy.map(([code, count]) => (
          <div key={code} className={styles.within}>
            <dt>{reason(code)}</dt>
            <dd className="tabular">{number(count)}</dd>
          </div>
        ))}
        {tookMs !== null && (
          <div>
            <dt>{say('campaigns.took')}</dt>
            <dd>
              <Duration ms={tookMs} />
            </dd>
          </div>
        )}
      </dl>
    </Section>
  )
}

const windowMs = 30_000

/** Returns the recipients processed per second, measured while the page is open. null until it can be measured. */
const useRate = (settled: number, running: boolean): number | null => {
  const [seen, setSeen] = useState<{ at: number; settled: number }[]>([])
  useEffect(() => {
    if (!running) return setSeen([])
    const at = Date.now()
    setSeen(before => [...before.filter(one => at - one.at < windowMs), { at, settled }])
  }, [settled, running])
  const first = seen[0]
  const last = seen.at(-1)
  if (!first || !last || last.at - first.at < 1000) return null
  return ((last.settled - first.settled) / (last.at - first.at)) * 1000
}
