import { Button, Progress, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { Failure as ApiFailure, hooks } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { tones } from '../../ui/tones.ts'
import { useRefresh } from './refresh.ts'
import styles from './webhooks.module.css'

const pollIntervalMs = 1_500

/** Id of the bulk replay that this browser started for an endpoint. The API has no list of bulk replays. */
export const useRecovery = (webhookId: string) =>
  useLocalStorage<string>({ key: `recovery:${webhookId}`, defaultValue: '', getInitialValueInEffect: false })

/** State of a bulk replay, refreshed while it runs. */
const useRecoveryState = (webhookId: string, recoveryId: string) => {
  const params = { path: { id: webhookId, recoveryId } }
  const query = hooks.useQuery(
    'get',
    '/v1/webhooks/{id}/recoveries/{recoveryId}',
    { params },
    {
      enabled: recoveryId !== '',
      refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollIntervalMs : false),
    },
  )
  return { query, params }
}

/** Returns true while the bulk replay that this browser started is running. */
export const useIsRecovering = (webhookId: string): boolean => {
  const [recoveryId] = useRecovery(webhookId)
  return useRecoveryState(webhookId, recoveryId).query.data?.status === 'running' && recoveryId !== ''
}

/** Progress of the bulk replay that was started in this browser. */
export const RecoveryProgress = ({ webhookId }: { webhookId: string }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const refresh = useRefresh()
  const [recoveryId, , clearRecovery] = useRecovery(webhookId)
  const { query, params } = useRecoveryState(webhookId, recoveryId)
  const done = query.data?.done
  // Refetches the list and the health, because the attempts have changed them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever more deliveries were attempted.
  useEffect(() => {
    if (done) refresh()
  }, [done])
  const cancel = hooks.useMutation('delete', '/v1/webhooks/{id}/recoveries/{recoveryId}')
  if (query.error instanceof ApiFailure) return null
  const recovery = recoveryId === '' ? undefined : query.data
  if (!recovery) return null
  const { status, total } = recovery
  const statusText = t(`webhooks.recovery.${status}`, {
    done: numbers(recovery.done),
    total: numbers(total),
    count: total,
  })
  return (
    <div className={styles.recovery} data-tone={tones.recovery[status]}>
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
