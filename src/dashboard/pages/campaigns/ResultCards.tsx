import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import type { Schemas } from '../../api/client.ts'
import { Sentence, useNumbers, useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { type Bar, BarTable } from '../../ui/charts/BarTable.tsx'
import type { Series } from '../../ui/charts/series.ts'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { Failure } from '../../ui/Failure.tsx'
import type { Tone } from '../../ui/Status.tsx'
import { Time, useDuration } from '../../ui/Time.tsx'
import styles from './campaigns.module.css'
import { useResults, useStats } from './results.ts'
import type { Campaign, Outcome } from './status.ts'
import { useReasonText } from './useReason.ts'

/** Results of a started campaign: the funnel from the audience to the sales, and why messages did not arrive. */
export const ResultCards = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const number = useNumbers()
  const { locale } = useIntl()
  const query = useResults(campaign)
  const results = query.data
  return (
    <>
      <Card
        title={t('campaigns.results')}
        actions={
          <Anchor
            size="sm"
            renderRoot={(props: object) => (
              <Link {...props} to="/campaigns/$id/recipients" params={{ id: campaign.id }} />
            )}
          >
            {t('campaigns.viewRecipients')}
          </Anchor>
        }
      >
        <Funnel campaign={campaign} />
        {query.error && !results ? (
          <Failure error={query.error} retry={() => void query.refetch()} />
        ) : (
          <dl className={styles.figures}>
            {/* Without a sale there is no currency, and the funnel has the 0. */}
            {results !== undefined && results.sales.count > 0 && (
              <>
                <div>
                  <dt>{t('campaigns.revenue')}</dt>
                  <dd className="tabular">
                    {results.sales.amounts
                      .map(({ amount, currency }) =>
                        new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount),
                      )
                      .join(' + ')}
                  </dd>
                </div>
                <div>
                  <dt>
                    <OutcomeLink
                      campaign={campaign}
                      outcome="sale"
                      label={t('campaigns.sales', { count: results.sales.customers })}
                    />
                  </dt>
                  <dd className="tabular">{number(results.sales.count)}</dd>
                </div>
              </>
            )}
            <div>
              <dt>
                <OutcomeLink campaign={campaign} outcome="opted_out" />
              </dt>
              <dd className="tabular">{results?.optedOut ?? '–'}</dd>
            </div>
            {campaign.progress.unknown > 0 && (
              <div>
                <dt>
                  <OutcomeLink campaign={campaign} outcome="unknown" />
                </dt>
                <dd className="tabular">{campaign.progress.unknown}</dd>
              </div>
            )}
          </dl>
        )}
        <p className={styles.note}>
          {t('campaigns.resultsNote')} <CountingEnd campaign={campaign} />
        </p>
      </Card>
      <OutcomesOverTime campaign={campaign} />
      <Undelivered campaign={campaign} />
    </>
  )
}

/** Days in which results count after a message. */
const countedDays = 7

/** When the results of an ended campaign are final. */
const CountingEnd = ({ campaign: { finishedAt } }: { campaign: Campaign }) => {
  const end = finishedAt === null ? null : Date.parse(finishedAt) + countedDays * 86_400_000
  if (end === null || end < Date.now()) return null
  return <Sentence id="campaigns.countedUntil" values={{ end: <Time at={new Date(end).toISOString()} exact /> }} />
}

const secondsPerMinute = 60
const plotHeight = 120

/** Messages sent and customers skipped, from the start to the end. */
const OutcomesOverTime = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const duration = useDuration()
  const query = useStats(campaign)
  const { data } = query
  if (data?.data.length === 0) return null
  const series: Series<Schemas['CampaignStats']['data'][number]>[] = [
    { key: 'sent', label: t('campaigns.outcome.sent'), tone: 'moving', value: row => row.sent },
    { key: 'skipped', label: t('campaigns.outcome.skipped'), tone: 'off', value: row => row.skipped },
    { key: 'unknown', label: t('campaigns.outcome.unknown'), tone: 'care', value: row => row.unknown },
  ]
  return (
    <Card>
      <TimeChart
        title={t('campaigns.overTime')}
        rows={data?.data}
        query={query}
        by={data && data.bucketSeconds < secondsPerMinute ? 'second' : 'hour'}
        height={plotHeight}
        series={series.filter(({ key, value }) => key !== 'unknown' || data?.data.some(row => value(row)))}
        actions={
          data && (
            <Text size="xs" c="dimmed">
              {t('campaigns.perBucket', { duration: duration(data.bucketSeconds * 1000) })}
            </Text>
          )
        }
      />
    </Card>
  )
}

/** Link to the recipients with an outcome, with the name of the outcome unless it has another label. Without an outcome: to all. */
const OutcomeLink = ({
  campaign,
  outcome,
  label,
}: { campaign: Campaign } & ({ outcome: Outcome; label?: string } | { outcome?: undefined; label: string })) => {
  const t = useTranslate()
  return (
    <Anchor
      size="sm"
      renderRoot={(props: object) => (
        <Link
          {...props}
          to="/campaigns/$id/recipients"
          params={{ id: campaign.id }}
          search={outcome ? { outcome } : {}}
        />
      )}
    >
      {outcome === undefined ? label : (label ?? t(`campaigns.outcome.${outcome}`))}
    </Anchor>
  )
}

const Funnel = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const number = useNumbers()
  const results = useResults(campaign).data
  const { audience, sent } = campaign.progress
  /** Share of the audience, as the bar shows it. */
  const share = (value: number | undefined) =>
    value === undefined ? undefined : number(audience > 0 ? value / audience : 0, { style: 'percent' })
  const step = (outcome: Outcome, tone: Tone | 'accent', value: number | undefined): Bar => ({
    key: outcome,
    label: <OutcomeLink campaign={campaign} outcome={outcome} />,
    value,
    tone,
    note: share(value),
  })
  const bars: Bar[] = [
    {
      key: 'audience',
      label: <OutcomeLink campaign={campaign} label={t('campaigns.audience')} />,
      value: audience,
      tone: 'off',
      note: share(audience),
    },
    step('sent', 'moving', sent),
    // The rows are there from the beginning, so that nothing moves when the results arrive.
    step('delivered', 'done', results?.delivered),
    ...(results?.read === null ? [] : [step('read', 'done', results?.read)]),
    step('replied', 'accent', results?.replied),
    step('sale', 'accent', results?.sales.customers),
  ]
  return <BarTable title={t('campaigns.results')} bars={bars} total={audience} aligned />
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

/** Skipped customers and failed messages by reason, each with its share of all skipped or failed. */
const Undelivered = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const number = useNumbers()
  const reason = useReasonText()
  const failed = useResults(campaign).data?.failed ?? []
  const skippedBy = Object.entries(campaign.progress.skippedBy).sort(([, a], [, b]) => b - a)
  const skippedCount = sum(skippedBy.map(([, value]) => value))
  const failedCount = sum(failed.map(({ count }) => count))
  const share = (value: number, total: number) => number(value / total, { style: 'percent' })
  return (
    <>
      {skippedBy.length > 0 && (
        <Card
          title={t('campaigns.skippedBy')}
          actions={<OutcomeLink campaign={campaign} outcome="skipped" label={t('campaigns.viewSkipped')} />}
        >
          <BarTable
            title={t('campaigns.skippedBy')}
            bars={skippedBy.map(([code, value]) => ({
              key: code,
              label: reason(code),
              value,
              tone: 'off',
              note: share(value, skippedCount),
            }))}
            total={skippedCount}
            aligned
          />
        </Card>
      )}
      {failed.length > 0 && (
        <Card
          title={t('campaigns.failed')}
          actions={<OutcomeLink campaign={campaign} outcome="failed" label={t('campaigns.viewFailed')} />}
        >
          <BarTable
            title={t('campaigns.failed')}
            bars={failed.map(({ reason: code, count }) => ({
              key: code,
              label: code === 'unknown' || code === 'other' ? t(`campaigns.failed.${code}`) : code,
              value: count,
              tone: 'failed',
              note: share(count, failedCount),
            }))}
            total={failedCount}
            aligned
          />
        </Card>
      )}
    </>
  )
}
