/** Columns of the list of endpoints. */
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { MiniBars } from '../../ui/charts/MiniBars.tsx'
import type { Column } from '../../ui/list/List.tsx'
import { Duration } from '../../ui/Time.tsx'
import { useTimeRangeLabel } from '../../ui/time-range/TimeRangeFilter.tsx'
import { type TimeRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { defaultRange } from './delivery/filters.ts'
import { endpointName, getHost } from './delivery-status.tsx'
import { EndpointState, shownState, stateOrder } from './EndpointState.tsx'
import { SubscribedEventsCell } from './SubscribedEvents.tsx'
import { type AttemptCounts, floorRate, rateTone, totalsOf, useAttemptSeries } from './statistics.ts'
import styles from './webhooks.module.css'

export interface EndpointRow {
  webhook: Schemas['Webhook']
  /** Undefined if the request failed. */
  health: Schemas['WebhookHealth'] | undefined
  /** Attempts in the range. Undefined until they are loaded, or if they are unknown. */
  entries: AttemptCounts[] | undefined
}

export const useEndpointColumns = (range: TimeRange): Column<EndpointRow>[] => {
  const t = useTranslate()
  const number = useNumbers()
  const series = useAttemptSeries()
  const rangeLabel = useTimeRangeLabel()(withDefaultRange(range, defaultRange))
  const rateText = (rate: number) => number(floorRate(rate), { style: 'percent', maximumFractionDigits: 1 })
  const describe = (entries: readonly AttemptCounts[]) => {
    const { attempts, delivered } = totalsOf(entries)
    return t('webhooks.stats.describe', { range: rangeLabel, attempts, delivered })
  }
  return [
    {
      key: 'name',
      title: t('webhooks.endpoint'),
      width: 'minmax(180px, 3fr)',
      phone: 'title',
      value: ({ webhook }) => endpointName(webhook),
      cell: ({ webhook }) => (
        <span title={webhook.url}>
          <Link className={ui.rowLink} to="/webhooks/$id" params={{ id: webhook.id }}>
            <bdi>{endpointName(webhook)}</bdi>
          </Link>
          {webhook.name && <span className={styles.host}>{getHost(webhook.url)}</span>}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('webhooks.stateTitle'),
      width: '110px',
      phone: 'aside',
      value: ({ health }) => (health ? stateOrder.indexOf(shownState(health)) : null),
      exportValue: ({ health }) => health && t(`webhooks.state.${shownState(health)}`),
      cell: ({ health }) => health && <EndpointState health={health} />,
    },
    {
      key: 'rate',
      title: t('webhooks.stats.rate'),
      width: '80px',
      align: 'right',
      value: ({ entries }) => entries && totalsOf(entries).rate,
      cell: ({ entries }) => {
        const rate = entries ? totalsOf(entries).rate : null
        return rate === null ? (
          <span className={styles.none}>–</span>
        ) : (
          <span className={styles.rate} data-tone={rateTone(rate)}>
            {rateText(rate)}
          </span>
        )
      },
    },
    {
      key: 'bars',
      title: t('webhooks.stats.results'),
      width: '100px',
      phone: 'end',
      cell: ({ entries }) => entries && <MiniBars rows={entries} series={series} label={describe(entries)} />,
    },
    {
      key: 'volume',
      title: t('webhooks.attempts'),
      width: '90px',
      align: 'right',
      value: ({ entries }) => entries && totalsOf(entries).attempts,
      cell: ({ entries }) => (entries ? number(totalsOf(entries).attempts) : <span className={styles.none}>–</span>),
    },
    {
      key: 'p95',
      title: t('webhooks.stats.p95Recent'),
      width: '148px',
      align: 'right',
      value: ({ health }) => health?.p95Ms,
      cell: ({ health }) =>
        typeof health?.p95Ms === 'number' ? <Duration ms={health.p95Ms} /> : <span className={styles.none}>–</span>,
    },
    {
      key: 'waiting',
      title: t('webhooks.waitingTitle'),
      width: '90px',
      align: 'right',
      phone: 'below',
      value: ({ health }) => health?.waiting,
      cell: ({ health }) =>
        health && (health.waiting > 0 ? number(health.waiting) : <span className={styles.none}>0</span>),
      phoneCell: ({ health, entries }) => {
        const rate = entries ? totalsOf(entries).rate : null
        const waiting =
          health &&
          health.waiting > 0 &&
          t(health.state === 'failing' ? 'webhooks.retryingShort' : 'webhooks.queuedShort', { count: health.waiting })
        return (
          <span className={styles.phoneLine}>
            {[
              entries &&
                (rate === null
                  ? t('webhooks.stats.noAttempts')
                  : t('webhooks.stats.succeeded', { share: rateText(rate) })),
              waiting,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        )
      },
    },
    {
      key: 'events',
      title: t('webhooks.events'),
      width: 'minmax(140px, 2fr)',
      wide: true,
      value: ({ webhook }) => webhook.events.join(' '),
      cell: ({ webhook }) => <SubscribedEventsCell webhook={webhook} />,
    },
  ]
}
