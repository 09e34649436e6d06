import type { Schemas } from '../../api/client.ts'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { Time, useMeasured } from '../../ui/Time.tsx'
import { useAttemptResult } from './delivery-status.tsx'
import { isLate } from './EndpointState.tsx'
import styles from './webhooks.module.css'

type EndpointHealth = Schemas['WebhookHealth']

const hourMs = 3_600_000
/** Limits of the health response: the deliveries it lists and the waiting deliveries it counts. */
const maxListed = 50
const maxCounted = 10_000

/** Sentence about the state of an endpoint, which states only what the health proves. */
export const HealthText = ({ webhook, health }: { webhook: Schemas['Webhook']; health: EndpointHealth }) => {
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
  const duration = useMeasured()
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
    p95: duration(p95Ms ?? newest.durationMs).replaceAll(' ', '\u00a0'),
    newest: <Time at={newest.at} />,
  }
  if (arrived < counted.length) return <Sentence id="webhooks.health.some" values={of} />
  return <Sentence id={isHourComplete ? 'webhooks.health.hour' : 'webhooks.health.all'} values={of} />
}

/** Number of waiting deliveries, and the time of the next attempt. */
export const WaitingDeliveries = ({ health: { waiting, nextAttemptAt, state } }: { health: EndpointHealth }) => {
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
