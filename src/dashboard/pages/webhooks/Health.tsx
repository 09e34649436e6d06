import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { Sentence, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { relative, Time, useDuration } from '../../ui/Time.tsx'
import { useZone } from '../../ui/zone.ts'
import styles from './webhooks.module.css'
import { toneOf, useAnswer } from './words.tsx'

type HealthOf = Schemas['WebhookHealth']

const hourMs = 3_600_000
/** Limits of the health response: the deliveries it lists and the waiting deliveries it counts. */
const named = 50
const maxCounted = 10_000

/**
 * Polling interval in milliseconds. The stream does not announce changes of the waiting deliveries or of the next
 * attempt.
 */
const lookAgainMs = 10_000

export const healthOf = (id: string) =>
  hooks.queryOptions('get', '/v1/webhooks/{id}/health', { params: { path: { id } } }, { refetchInterval: lookAgainMs })

export const useHealth = (id: string) => useQuery(healthOf(id))

/** Health of an endpoint: a sentence, a strip of the last deliveries, and the waiting deliveries with their actions. */
export const Health = ({ webhook, action }: { webhook: Schemas['Webhook']; action?: ReactNode }) => {
  const { data: health, error, refetch } = useHealth(webhook.id)
  if (!health) return error ? <Failure of={error} retry={() => void refetch()} /> : <Skeleton height={74} />
  return (
    <div className={styles.health}>
      <div className={styles.words}>
        <State health={health} />
        <span>
          <Words webhook={webhook} health={health} />
        </span>
      </div>
      <Strip webhookId={webhook.id} last={health.last50} />
      {!isUnused(health) && (
        <div className={styles.words}>
          <Waiting health={health} />
          {action}
        </div>
      )}
    </div>
  )
}

const tones: Record<HealthOf['state'], Tone> = { healthy: 'done', failing: 'failed', held: 'care', off: 'off' }

/** Returns true if the endpoint has no deliveries yet, because an empty queue alone proves nothing. */
const isUnused = ({ state, last50, waiting }: HealthOf): boolean =>
  state === 'healthy' && last50.length === 0 && waiting === 0

/** Delay after which the first waiting delivery counts as late, as in `/v1/attention`. */
const lateMs = 60_000

const isBehind = ({ state, nextAttemptAt }: HealthOf): boolean =>
  state === 'healthy' && nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() - lateMs

/** Returns true if the response shows deliveries that wait for a retry which is not due yet. */
export const hasRetries = ({ waiting, nextAttemptAt, last50 }: HealthOf): boolean =>
  waiting > 0 &&
  ((nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now()) ||
    last50.some(({ status }) => status === 'retrying'))

const State = ({ health }: { health: HealthOf }) => {
  const say = useTexts()
  const { state, last50 } = health
  if (isBehind(health)) return <Status tone="care">{say('webhooks.state.behind')}</Status>
  if (state === 'healthy' && last50.length === 0) return <Status tone="off">{say('webhooks.state.unused')}</Status>
  return <Status tone={tones[state]}>{say(`webhooks.state.${state}`)}</Status>
}

const Words = ({ webhook, health }: { webhook: Schemas['Webhook']; health: HealthOf }) => {
  const answer = useAnswer()
  const since = <Time at={health.since} />
  if (health.state === 'off') return <Sentence id="webhooks.health.off" of={{ since }} />
  if (health.state === 'held') {
    return <Sentence id={`webhooks.health.held.${webhook.heldBy ?? 'owner'}`} of={{ since }} />
  }
  if (health.state === 'failing') {
    const { lastFailure } = health
    if (!lastFailure) return <Sentence id="webhooks.health.failing" of={{ since }} />
    const reason = answer(lastFailure)
    if (Date.parse(lastFailure.at) < Date.parse(health.since))
      return <Sentence id="webhooks.health.again" of={{ since, reason: reason ?? '' }} />
    return lastFailure.statusCode === null ? (
      <Sentence id="webhooks.health.failingWithout" of={{ since, reason: reason ?? '' }} />
    ) : (
      <Sentence id="webhooks.health.failingWith" of={{ since, code: reason }} />
    )
  }
  if (health.waitingSince && isBehind(health))
    return <Sentence id="webhooks.health.behind" of={{ since: <Time at={health.waitingSince} /> }} />
  return <Healthy health={health} />
}

/**
 * States only what the last deliveries prove. The figures of the hour are complete if there are fewer than 50 or the
 * oldest is older.
 */
const Healthy = ({ health: { last50, p95Ms } }: { health: HealthOf }) => {
  const say = useTexts()
  const duration = useDuration()
  const newest = last50[0]
  if (!newest) return say('webhooks.health.unused')
  const isOfTheHour = (one: HealthOf['last50'][number]) => Date.parse(one.at) > Date.now() - hourMs
  const ofTheHour = last50.filter(isOfTheHour)
  const knowsTheHour = ofTheHour.length > 0 && (last50.length < named || ofTheHour.length < last50.length)
  const told = knowsTheHour ? ofTheHour : last50
  const arrived = told.filter(({ status }) => status === 'delivered').length
  const of = {
    count: told.length,
    arrived,
    p95: duration(p95Ms ?? newest.durationMs),
    newest: <Time at={newest.at} />,
  }
  if (arrived < told.length) return <Sentence id="webhooks.health.some" of={of} />
  return <Sentence id={knowsTheHour ? 'webhooks.health.hour' : 'webhooks.health.all'} of={of} />
}

/** Strip of the last deliveries as bars, newest at the right. A failed delivery has the lowest bar. */
const Strip = ({ webhookId, last }: { webhookId: string; last: HealthOf['last50'] }) => {
  const say = useTexts()
  const isOwner = useIsOwner()
  const { locale } = useIntl()
  const zone = useZone()
  const duration = useDuration()
  const answer = useAnswer()
  if (last.length === 0) return null
  const count = (status: Schemas['Delivery']['status']) => last.filter(one => one.status === status).length
  const label = say('webhooks.strip', {
    count: last.length,
    delivered: count('delivered'),
    retrying: count('retrying') + count('pending'),
    failed: count('failed'),
  })
  const told = (one: HealthOf['last50'][number]) =>
    [
      one.eventType,
      say(`webhooks.status.${one.status}`),
      answer(one),
      duration(one.durationMs),
      relative(new Date(one.at), Date.now(), locale, zone),
    ]
      .filter(part => part !== null)
      .join(', ')
  // Visual only. Screen readers get the sentence and the list of deliveries below.
  return (
    <div>
      <VisuallyHidden>{label}</VisuallyHidden>
      <div className={styles.strip} aria-hidden="true">
        {last.toReversed().map(one => {
          const mark = {
            className: styles.mark,
            'data-tone': toneOf(one.status),
            'data-outcome': one.status,
            title: told(one),
          }
          if (!isOwner) return <span key={one.deliveryId} {...mark} />
          return (
            <Link
              key={one.deliveryId}
              {...mark}
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

const Waiting = ({ health: { waiting, nextAttemptAt, state } }: { health: HealthOf }) => {
  const say = useTexts()
  if (waiting === 0) return <span className={styles.waiting}>{say('webhooks.waitingNone')}</span>
  const of = { count: waiting }
  if (waiting >= maxCounted) return <span className={styles.waiting}>{say('webhooks.waitingMany', of)}</span>
  if (!nextAttemptAt || state === 'held' || state === 'off')
    return <span className={styles.waiting}>{say('webhooks.waiting', of)}</span>
  if (Date.parse(nextAttemptAt) <= Date.now()) {
    return <span className={styles.waiting}>{say('webhooks.waitingNow', of)}</span>
  }
  return (
    <span className={styles.waiting}>
      <Sentence id="webhooks.waitingNext" of={{ ...of, next: <Time at={nextAttemptAt} /> }} />
    </span>
  )
}
