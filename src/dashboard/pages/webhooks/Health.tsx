import { Anchor, Group, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useIsBesidePanel } from '../../ui/hooks/usePanel.ts'
import { ExclamationTriangleIcon, PauseIcon } from '../../ui/icons.ts'
import states from '../../ui/states.module.css'
import { tones } from '../../ui/tones.ts'
import { getBlockReason } from './delivery-status.tsx'
import { HealthText, WaitingDeliveries } from './HealthText.tsx'
import { RecentResults } from './RecentResults.tsx'
import styles from './webhooks.module.css'

type EndpointHealth = Schemas['WebhookHealth']

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

/** Returns true if the response shows failed deliveries, or deliveries that wait for a retry which is not due yet. */
export const hasFailures = ({ waiting, nextAttemptAt, last50 }: EndpointHealth): boolean =>
  (waiting > 0 && nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now()) ||
  last50.some(({ status }) => status === 'retrying' || status === 'failed')

/** Returns true if the endpoint has no deliveries yet, because an empty queue alone proves nothing. */
export const hasNoDeliveries = ({ last50, waiting }: EndpointHealth): boolean => last50.length === 0 && waiting === 0

/**
 * Health of an endpoint: a sentence, a strip of the last deliveries, and the waiting deliveries with their action. A
 * notice if it fails or is held, which is short in a narrow column beside a panel.
 */
export const Health = ({ webhook, action }: { webhook: Schemas['Webhook']; action?: ReactNode }) => {
  const t = useTranslate()
  const { data: health, error, refetch } = useHealth(webhook.id)
  const isBesidePanel = useIsBesidePanel()
  if (!health) {
    if (!error) return <Skeleton height={46} />
    return (
      <div className={styles.health}>
        <Failure error={error} retry={() => void refetch()} />
        <div className={styles.results}>{action}</div>
      </div>
    )
  }
  const isFailing = health.state === 'failing'
  const hasNotice = isFailing || health.state === 'held'
  // Part of the sentence, which is about deliveries.
  const isEmptyQueue = health.state !== 'off' && health.waiting === 0 && !hasNoDeliveries(health)
  const Icon = isFailing ? ExclamationTriangleIcon : PauseIcon
  return (
    <div className={styles.health}>
      {hasNotice ? (
        <div className={states.alert} data-tone={tones.endpoint[health.state]} role={isFailing ? 'alert' : undefined}>
          <Icon width={20} aria-hidden="true" />
          <div>
            <strong>
              <HealthText webhook={webhook} health={health} />
            </strong>
            <Group gap="0 8px">
              <WaitingDeliveries health={health} />
              <ViewWaiting webhookId={webhook.id} health={health} />
            </Group>
            {isFailing && !isBesidePanel && <span className={styles.waiting}>{t('webhooks.health.next')}</span>}
          </div>
          {action}
        </div>
      ) : (
        <div>
          <HealthText webhook={webhook} health={health} />
          {isEmptyQueue && (
            <>
              {' · '}
              <WaitingDeliveries health={health} />
            </>
          )}
        </div>
      )}
      {!(hasNotice && isBesidePanel) && (
        <div className={styles.results}>
          <RecentResults webhookId={webhook.id} deliveries={health.last50} blockReason={getBlockReason(webhook)} />
          {!hasNotice && !hasNoDeliveries(health) && (
            <>
              {!isEmptyQueue && <WaitingDeliveries health={health} />}
              <ViewWaiting webhookId={webhook.id} health={health} />
              {action}
            </>
          )}
        </div>
      )}
    </div>
  )
}

/** Link to the retrying deliveries since the oldest waiting one, which can be older than the default time range. */
const ViewWaiting = ({ webhookId, health }: { webhookId: string; health: EndpointHealth }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const { waitingSince } = health
  if (!isOwner || !waitingSince) return null
  return (
    <Anchor
      size="sm"
      renderRoot={(props: object) => (
        <Link
          {...props}
          to="/webhooks/$id"
          params={{ id: webhookId }}
          search={{ status: 'retrying', since: waitingSince }}
        />
      )}
    >
      {t(health.state === 'held' ? 'webhooks.viewQueued' : 'webhooks.viewWaiting')}
    </Anchor>
  )
}
