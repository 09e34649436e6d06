import { Button, Progress, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { Failure as ApiFailure, hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { tones } from '../../ui/tones.ts'
import { useHealth } from './Health.tsx'
import { useRefresh } from './refresh.ts'
import styles from './webhooks.module.css'

const pollIntervalMs = 1_500

/** Id of the bulk replay that this browser started for an endpoint. The API has no list of bulk replays. */
export const useRecovery = (webhookId: string) =>
  useLocalStorage<string>({ key: `recovery:${webhookId}`, defaultValue: '', getInitialValueInEffect: false })

/** Bulk replay, refreshed while it runs. Undefined if there is none, or if the API has deleted it. */
const useRecoveryState = (webhookId: string, recoveryId: string) => {
  const params = { path: { id: webhookId, recoveryId } }
  useLiveRefresh(['delivery'], ['/v1/webhooks/{id}/recoveries/{recoveryId}'])
  const query = hooks.useQuery(
    'get',
    '/v1/webhooks/{id}/recoveries/{recoveryId}',
    { params },
    {
      enabled: recoveryId !== '',
      refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollIntervalMs : false),
    },
  )
  const isDeleted = query.error instanceof ApiFailure && query.error.status === 404
  return { recovery: recoveryId === '' || isDeleted ? undefined : query.data, params }
}

/** Returns true while the bulk replay that this browser started is running. */
export const useIsRecovering = (webhookId: string): boolean => {
  const [recoveryId] = useRecovery(webhookId)
  return useRecoveryState(webhookId, recoveryId).recovery?.status === 'running'
}

/** Returns true if every attempt of a complete bulk replay failed: the endpoint has failed without a break since before it. */
const hasFailedAgain = (
  { status, total, createdAt }: Schemas['Recovery'],
  health: Schemas['WebhookHealth'] | undefined,
): boolean =>
  status === 'completed' &&
  total > 0 &&
  health?.state === 'failing' &&
  Date.parse(health.since) <= Date.parse(createdAt) &&
  health.lastFailure !== null &&
  Date.parse(health.lastFailure.at) >= Date.parse(createdAt)

/** Progress of the bulk replay that was started in this browser. */
export const RecoveryProgress = ({ webhookId }: { webhookId: string }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const refresh = useRefresh()
  const health = useHealth(webhookId).data
  const [recoveryId, , clearRecovery] = useRecovery(webhookId)
  const { recovery, params } = useRecoveryState(webhookId, recoveryId)
  const done = recovery?.done
  // Refetches the list and the health, because the attempts have changed them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever more deliveries were attempted.
  useEffect(() => {
    if (done) refresh()
  }, [done])
  const cancel = hooks.useMutation('delete', '/v1/webhooks/{id}/recoveries/{recoveryId}')
  if (!recovery) return null
  const { total } = recovery
  const status = hasFailedAgain(recovery, health) ? 'failed' : recovery.status
  const statusText = t(`webhooks.recovery.${status}`, {
    done: numbers(recovery.done),
    total: numbers(total),
    count: total,
  })
  return (
    <div className={styles.recovery} data-tone={status === 'failed' ? 'failed' : tones.recovery[status]}>
      <Text size="sm" role="status" className="tabular">
        {statusText}
      </Text>
      <Progress
        className={styles.bar}
        value={total === 0 ? 100 : (recovery.done / total) * 100}
        aria-label={t('webhooks.recoverTitle')}
        color="var(--tone-mark)"
      />
      {status === 'running' ? (
        <Button
          variant="default"
          loading={cancel.isPending}
          onClick={() =>
            void cancel
              .mutateAsync({ params })
              .then(refresh)
              .catch(() => {})
          }
        >
          {t('webhooks.recoverCancel')}
        </Button>
      ) : (
        <Button variant="subtle" onClick={clearRecovery}>
          {t('webhooks.recoverForget')}
        </Button>
      )}
      {cancel.error && <Failure error={cancel.error} />}
    </div>
  )
}
