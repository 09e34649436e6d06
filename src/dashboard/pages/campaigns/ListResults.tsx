/** Results of campaigns in their list. */
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { CreationTime } from './CampaignStatus.tsx'
import styles from './campaigns.module.css'
import { countFailed, type Results } from './results.ts'
import type { Campaign } from './status.ts'

/** Count with its share of the audience, as on the page of the campaign. */
export const Share = ({ value, total }: { value: number; total: number }) => {
  const t = useTranslate()
  const number = useNumbers()
  const share = number(total > 0 ? value / total : 0, { style: 'percent' })
  return (
    <span className={styles.share} title={t('campaigns.ofAudience', { share })}>
      <span>{number(value)}</span>
      <span className={styles.quiet}>{share}</span>
    </span>
  )
}

/** Number of messages that failed after the provider had accepted them, in color unless it is 0. */
export const FailedCount = ({ value }: { value: number }) => {
  const number = useNumbers()
  return (
    <span className={value > 0 ? styles.failed : styles.quiet} data-tone="failed">
      {number(value)}
    </span>
  )
}

/** Placeholder for a result that is unknown, or that a campaign does not have before its start. */
export const NoResult = () => <span className={styles.quiet}>–</span>

/** Results in two lines with the time of the campaign, for a row without columns. */
export const PhoneResults = ({ campaign, results }: { campaign: Campaign; results: Results | undefined }) => {
  const t = useTranslate()
  const { sent, audience, skipped } = campaign.progress
  const isCompleted = campaign.status === 'completed'
  const failed = results ? countFailed(results) : 0
  const sentParts = [
    // A completed campaign has sent to all that it did not skip.
    ...(isCompleted && skipped > 0
      ? [t('campaigns.sentCount', { count: sent }), t('campaigns.skippedCount', { count: skipped })]
      : [t('campaigns.sentOf', { sent, all: audience })]),
    ...(results ? [t('campaigns.deliveredCount', { count: results.delivered })] : []),
  ]
  const resultParts = results && [
    ...(results.read === null ? [] : [t('campaigns.readCount', { count: results.read })]),
    t('campaigns.boughtCount', { count: results.sales.customers }),
  ]
  return (
    <>
      <div className="tabular">
        {sentParts.join(' · ')}
        {failed > 0 && (
          <>
            {' · '}
            <span className={styles.failed} data-tone="failed">
              {t('campaigns.failedCount', { count: failed })}
            </span>
          </>
        )}
      </div>
      <div className={styles.phoneLine}>
        <span className="tabular">{resultParts?.join(' · ')}</span>
        <CreationTime campaign={campaign} />
      </div>
    </>
  )
}
