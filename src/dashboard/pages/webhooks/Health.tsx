import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Status } from '../../ui/Status.tsx'
import { relative, Time, useDuration } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import { useZone } from '../../ui/zone.ts'
import { useAttemptResult } from './delivery-status.tsx'
import styles from './webhooks.module.css'

type EndpointHealth = Schemas['WebhookHealth']

const hourMs = 3_600_000
/** Limits of the health response: the deliveries it lists and the waiting deliveries it counts. */
const maxListed = 50
const maxCounted = 10_000

/**
 * Polling interval in milliseconds. The stream does not announce changes of the waiting deliveries or of the next
 * attempt.
 */
const pollIntervalMs = 10_000

export const healthQuery = (id: string) =>
  hooks.queryOptions(
    'get',
    '/v1/webhooks/{id}/health',
    { params: { path: { id } } },
    { refetchInterval: pollIntervalMs },
  )

export const useHealth = (id: string) => useQuery(healthQuery(id))

/** Health of an endpoint: a sentence, a strip of the last deliveries, and the waiting deliveries with their actions. */
export const Health = ({ webhook, action }: { webhook: Schemas['Webhook']; action?: ReactNode }) => {
  const { data: health, error, refetch } = useHealth(webhook.id)
  if (!health) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton height={74} />
  return (
    <div className={styles.health}>
      <div className={styles.healthText}>
        <State health={health} />
        <span>
          <HealthText webhook={webhook} health={health} />
        </span>
      </div>
      <DeliveryStrip webhookId={webhook.id} deliveries={health.last50} />
      {!isUnused(health) && (
        <div className={styles.healthText}>
          <WaitingDeliveries health={health} />
          {action}
        </div>
      )}
    </div>
  )
}

/** Returns true if the endpoint has no deliveries yet, because an empty queue alone proves nothing. */
const isUnused = ({ state, last50, waiting }: EndpointHealth): boolean =>
  state === 'healthy' && last50.length === 0 && waiting === 0

/** Delay after which the first waiting delivery counts as late, as in `/v1/attention`. */
const lateMs = 60_000

const isLate = ({ state, nextAttemptAt }: EndpointHealth): boolean =>
  state === 'healthy' && nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() - lateMs

/** Returns true if the response shows deliveries that wait for a retry which is not due yet. */
export const hasRetries = ({ waiting, nextAttemptAt, last50 }: EndpointHealth): boolean =>
  waiting > 0 &&
  ((nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now()) ||
    last50.some(({ status }) => status === 'retrying'))

const State = ({ health }: { health: EndpointHealth }) => {
  const t = useTranslate()
  const { state, last50 } = health
  if (isLate(health)) return <Status tone="care">{t('webhooks.state.behind')}</Status>
  if (state === 'healthy' && last50.length === 0) return <Status tone="off">{t('webhooks.state.unused')}</Status>
  return <Status tone={tones.endpoint[state]}>{t(`webhooks.state.${state}`)}</Status>
}

const HealthText = ({ webhook, health }: { webhook: Schemas['Webhook']; health: EndpointHealth }) => {
  const attemptResult = useAttemptResult()
  const since = <Time at={health.since} clock />
  const relativeSince = <Time at={health.since} />
  if (health.state === 'off') return <Sentence id="webhooks.health.off" values={{ since }} />
  if (health.state === 'held') {
    return <Sentence id={`webhooks.health.held.${webhook.heldBy ?? 'owner'}`} values={{ since: relativeSince }} />
  }
  if (health.state === 'failing') {
    const { lastFailure } = health
    if (!lastFailure) return <Sentence id="webhooks.health.failing" values={{ since }} />
    const reason = attemptResult(lastFailure)
    if (Date.parse(lastFailure.at) < Date.parse(health.since))
      return <Sentence id="webhooks.health.again" values={{ since: relativeSince, reason: reason ?? '' }} />
    return lastFailure.statusCode === null ? (
      <Sentence id="webhooks.health.failingWithout" values={{ since, reason: reason ?? '' }} />
    ) : (
      <Sentence id="webhooks.health.failingWith" values={{ since, code: reason }} />
    )
  }
  if (health.waitingSince && isLate(health))
    return <Sentence id="webhooks.health.behind" values={{ since: <Time at={health.waitingSince} clock /> }} />
  return <Healthy health={health} />
}

/**
 * States only what the last deliveries prove. The figures of the hour are complete if there are fewer than 50 or the
 * oldest is older.
 */
const Healthy = ({ health: { last50, p95Ms } }: { health: EndpointHealth }) => {
  const t = useTranslate()
  const duration = useDuration()
  const newest = last50[0]
  if (!newest) return t('webhooks.health.unused')
  const isWithinHour = (one: EndpointHealth['last50'][number]) => Date.parse(one.at) > Date.now() - hourMs
  const hourDeliveries = last50.filter(isWithinHour)
  const isHourComplete =
    hourDeliveries.length > 0 && (last50.length < maxListed || hourDeliveries.length < last50.length)
  const counted = isHourComplete ? hourDeliveries : last50
  const arrived = counted.filter(({ status }) => status === 'delivered').length
  const of = {
    count: counted.length,
    arrived,
    p95: duration(p95Ms ?? newest.durationMs),
    newest: <Time at={newest.at} />,
  }
  if (arrived < counted.length) return <Sentence id="webhooks.health.some" values={of} />
  return <Sentence id={isHourComplete ? 'webhooks.health.hour' : 'webhooks.health.all'} values={of} />
}

/** Strip of the last deliveries as bars, newest at the right. A failed delivery has the lowest bar. */
const DeliveryStrip = ({ webhookId, deliveries }: { webhookId: string; deliveries: EndpointHealth['last50'] }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const { locale } = useIntl()
  const zone = useZone()
  const duration = useDuration()
  const attemptResult = useAttemptResult()
  if (deliveries.length === 0) return null
  const count = (status: Schemas['Delivery']['status']) => deliveries.filter(one => one.status === status).length
  const label = t('webhooks.recentResults', {
    count: deliveries.length,
    delivered: count('delivered'),
    retrying: count('retrying') + count('pending'),
    failed: count('failed'),
  })
  const describe = (one: EndpointHealth['last50'][number]) =>
    [
      one.eventType,
      t(`webhooks.status.${one.status}`),
      attemptResult(one),
      duration(one.durationMs),
      relative(new Date(one.at), Date.now(), locale, zone),
    ]
      .filter(part => part !== null)
      .join(', ')
  // Visual only. Screen readers get the sentence and the list of deliveries below.
  return (
    <div>
      <VisuallyHidden>{label}</VisuallyHidden>
      <div className={styles.recentResults} aria-hidden="true">
        {deliveries.toReversed().map(one => {
          const barProps = {
            className: styles.mark,
            'data-tone': tones.delivery[one.status],
            'data-outcome': one.status,
            title: describe(one),
          }
          if (!isOwner) return <span key={one.deliveryId} {...barProps} />
          return (
            <Link
              key={one.deliveryId}
              {...barProps}
              tabIndex={-1}
              preload={false}
              to="/webhooks/$id/deliveries/$deliveryId"
              params={{ id: webhookId, deliveryId: one.deliveryId }}
            />
          )
        })}
      </div>
    </div>
  )
}

const WaitingDeliveries = ({ health: { waiting, nextAttemptAt, state } }: { health: EndpointHealth }) => {
  const t = useTranslate()
  if (waiting === 0) return <span className={styles.waiting}>{t('webhooks.waitingNone')}</span>
  const of = { count: waiting }
  if (waiting >= maxCounted) return <span className={styles.waiting}>{t('webhooks.waitingMany', of)}</span>
  if (!nextAttemptAt || state === 'held' || state === 'off')
    return <span className={styles.waiting}>{t('webhooks.waiting', of)}</span>
  if (Date.parse(nextAttemptAt) <= Date.now()) {
    return <span className={styles.waiting}>{t('webhooks.waitingNow', of)}</span>
  }
  return (
    <span className={styles.waiting}>
      <Sentence id="webhooks.waitingNext" values={{ ...of, next: <Time at={nextAttemptAt} /> }} />
    </span>
  )
}
