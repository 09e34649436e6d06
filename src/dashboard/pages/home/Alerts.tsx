import { Button, Skeleton, Text, Title } from '@mantine/core'
import { useId, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh, useOnOpen, usePollInterval } from '../../api/useLive.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import {
  ArrowsRightLeftIcon,
  BoltIcon,
  CheckCircleIcon,
  ClockIcon,
  CreditCardIcon,
  ExclamationTriangleIcon,
  InboxIcon,
  InformationCircleIcon,
  KeyIcon,
  PauseIcon,
  ShareIcon,
  SignalIcon,
} from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import { AlertAction } from './AlertAction.tsx'
import styles from './home.module.css'
import { type Period, sumEntries, toBars } from './period.ts'
import type { Summary } from './useSummary.ts'

type Alert = Schemas['Attention']

const icons: Readonly<Record<Alert['kind'], typeof BoltIcon>> = {
  sending_held: PauseIcon,
  work_paused: PauseIcon,
  endpoint_failing: ArrowsRightLeftIcon,
  channel_failing: SignalIcon,
  events_rejected: ExclamationTriangleIcon,
  runs_failing: ShareIcon,
  event_type_unhandled: BoltIcon,
  deliveries_waiting: ClockIcon,
  allowance_nearly_full: CreditCardIcon,
  customers_waiting: InboxIcon,
  token_expiring: KeyIcon,
}

/** Number of alerts shown before the person asks for all. */
const shownAlerts = 4

export const useAlerts = () => {
  useLiveRefresh(['attention', 'conversation'], ['/v1/attention'])
  const pollInterval = usePollInterval(30_000)
  const alerts = hooks.useQuery('get', '/v1/attention', {}, { refetchInterval: pollInterval })
  useOnOpen(() => void alerts.refetch({ cancelRefetch: false }))
  return alerts
}

/** Problems that need action. Without one, the card says what happened in the period. */
export const Alerts = ({
  alerts,
  period,
  summary,
  isEmpty,
}: {
  alerts: ReturnType<typeof useAlerts>
  period: Period
  summary: Summary
  isEmpty: boolean | null
}) => {
  const t = useTranslate()
  const [showsAll, setShowsAll] = useState(false)
  const all = alerts.data?.data
  const shown = showsAll ? all : all?.slice(0, shownAlerts)
  return (
    <section aria-labelledby="needs-attention" className={styles.attention}>
      <Card>
        <Title order={2} id="needs-attention" size="h3" mb="sm" className={styles.cardTitle}>
          {t('home.attention')}
          {all !== undefined && all.length > 0 && (
            <span className={styles.count} aria-hidden="true">
              {all.length}
            </span>
          )}
        </Title>
        {alerts.error &&
          !all &&
          (summary.error && !summary.data ? (
            // The error above names the alerts too.
            <Text size="sm" c="dimmed">
              {t('home.notLoaded')}
            </Text>
          ) : (
            <Failure error={alerts.error} retry={() => void alerts.refetch()} />
          ))}
        {alerts.isPending && <Skeleton height={180} />}
        {all?.length === 0 && <NoAlerts period={period} summary={summary} isEmpty={isEmpty} />}
        <ul className={styles.alerts} data-all={showsAll || undefined}>
          {shown?.map(alert => (
            <li key={`${alert.kind} ${alert.subject.id}`}>
              <AlertItem alert={alert} />
            </li>
          ))}
        </ul>
        {all !== undefined && all.length > shownAlerts && (
          <Button variant="subtle" size="compact-sm" mt="sm" ml={-8} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t('home.fewerAlerts') : t('home.allAlerts', { count: all.length })}
          </Button>
        )}
      </Card>
    </section>
  )
}

const AlertItem = ({ alert: { kind, since, title, detail, subject } }: { alert: Alert }) => {
  const t = useTranslate()
  const Icon = icons[kind] ?? InformationCircleIcon
  const titleId = useId()
  return (
    <>
      <span className={styles.badge} data-tone={tones.alert[kind]}>
        <Icon width={18} aria-hidden="true" />
      </span>
      <div className={styles.alert}>
        <div className={styles.alertHead} data-tone={tones.alert[kind]}>
          <span className={styles.kind}>{t(`home.kind.${kind}`)}</span>
          {/* The title of an expiring token has its date. Only the last 24 hours are searched for unhandled types. */}
          {kind !== 'token_expiring' && kind !== 'event_type_unhandled' && (
            <span className={styles.since}>
              {t('home.began')} <Time at={since} />
            </span>
          )}
        </div>
        <Text size="sm" fw={500} id={titleId}>
          <bdi>{title}</bdi>
        </Text>
        <bdi className={styles.detail}>{detail}</bdi>
        <AlertAction subject={subject} titleId={titleId} />
      </div>
    </>
  )
}

const NoAlerts = ({ period, summary, isEmpty }: { period: Period; summary: Summary; isEmpty: boolean | null }) => {
  const t = useTranslate()
  const number = useNumbers()
  const entries = summary.data?.data
  if (isEmpty === null || !entries) return summary.error ? null : <Skeleton height={120} />
  const { events, unhandled, refused, messages, deliveries } = sumEntries(toBars(period, entries))
  const failures = refused + messages.failed + deliveries.failed
  const title = isEmpty ? 'home.empty' : failures + unhandled > 0 ? 'home.noOpenIssues' : 'home.normal'
  const Icon = title === 'home.normal' ? CheckCircleIcon : InformationCircleIcon
  return (
    <div className={styles.normal}>
      <span className={styles.badge} data-tone={title === 'home.normal' ? 'done' : 'off'}>
        <Icon width={18} aria-hidden="true" />
      </span>
      <div className={styles.alert}>
        <Text size="sm" fw={500}>
          {t(title)}
        </Text>
        <Text size="sm" c="dimmed">
          {t(isEmpty ? 'home.emptyText' : 'home.noAlerts')}
        </Text>
        {!isEmpty && (
          <dl className={styles.counts}>
            {(
              [
                ['accepted', events],
                ['unhandled', unhandled],
                ['refused', refused],
                ['messagesFailed', messages.failed],
                ['deliveriesFailed', deliveries.failed],
              ] as const
            ).map(([key, count]) => (
              <div key={key}>
                <dt>{t(`home.count.${key}`)}</dt>
                <dd>{number(count)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  )
}
