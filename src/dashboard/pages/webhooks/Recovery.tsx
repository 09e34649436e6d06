import { Anchor, Button, Group, Modal, Progress, Select, Stack, Text, TextInput } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Failure as ApiFailure, hooks, type Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { tones } from '../../ui/tones.ts'
import { formatClock, parseClock, useZone } from '../../ui/zone.ts'
import { hasRetries, useHealth } from './Health.tsx'
import { useRefresh } from './refresh.ts'
import styles from './webhooks.module.css'

const hourMs = 3_600_000
const spans = { hour: hourMs, sixHours: 6 * hourMs, day: 24 * hourMs, threeDays: 72 * hourMs, week: 168 * hourMs }
type Span = keyof typeof spans
const pollIntervalMs = 1_500

/** Id of the bulk replay that this browser started for an endpoint. The API has no list of bulk replays. */
const useRecovery = (webhookId: string) =>
  useLocalStorage<string>({ key: `recovery:${webhookId}`, defaultValue: '', getInitialValueInEffect: false })

/** Dialog that retries every failed and waiting delivery since a given time. It shows their number first. */
export const RecoveryDialog = ({
  opened,
  webhookId,
  onClose,
}: {
  opened: boolean
  webhookId: string
  onClose: () => void
}) => {
  const t = useTranslate()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('webhooks.recoverTitle')}
      closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
    >
      <RecoveryForm webhookId={webhookId} onClose={onClose} />
    </Modal>
  )
}

const RecoveryForm = ({ webhookId, onClose }: { webhookId: string; onClose: () => void }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const zone = useZone()
  const refresh = useRefresh()
  const [opened] = useState(Date.now)
  const [span, setSpan] = useState<Span | 'custom'>('day')
  const [customSince, setCustomSince] = useState(() => formatClock(new Date(opened - spans.day), zone))
  const [, setRecovery] = useRecovery(webhookId)
  const since = span === 'custom' ? parseClock(customSince, zone) : new Date(opened - spans[span])
  const body = { since: (since ?? new Date(opened)).toISOString() }
  const params = { path: { id: webhookId } }
  const preview = hooks.useQuery(
    'post',
    '/v1/webhooks/{id}/recoveries',
    { params, body: { ...body, preview: true } },
    { enabled: since !== null, gcTime: 0 },
  )
  const start = hooks.useMutation('post', '/v1/webhooks/{id}/recoveries')
  const count = preview.data && 'deliveries' in preview.data ? preview.data.deliveries : null
  const startRecovery = async () => {
    const started = await start.mutateAsync({ params, body })
    if ('id' in started) setRecovery(started.id)
    refresh()
    onClose()
  }
  const failure = start.error ?? preview.error
  return (
    <Stack gap="md">
      <Text size="sm">{t('webhooks.recoverText')}</Text>
      <Select
        label={t('webhooks.since')}
        data={[...(Object.keys(spans) as Span[]), 'custom' as const].map(value => ({
          value,
          label: t(`webhooks.since.${value}`),
        }))}
        value={span}
        allowDeselect={false}
        onChange={selected => setSpan(selected as Span | 'custom')}
      />
      {span === 'custom' && (
        <TextInput
          type="datetime-local"
          label={t('webhooks.sinceCustom')}
          description={t('person.zone', { zone })}
          value={customSince}
          onChange={event => setCustomSince(event.currentTarget.value)}
        />
      )}
      <Text size="sm" role="status" className="tabular">
        {count === null
          ? !failure && t('webhooks.counting')
          : t('webhooks.recoverCount', { count, shown: numbers(count) })}
      </Text>
      {failure && <Failure error={failure} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('confirm.cancel')}
        </Button>
        <Button disabled={!count} loading={start.isPending} onClick={() => void startRecovery().catch(() => {})}>
          {t('webhooks.recoverStart')}
        </Button>
      </Group>
    </Stack>
  )
}

/** Starts a bulk replay of all waiting deliveries, and of those that failed since the oldest waiting one. */
export const useSendWaiting = (
  webhookId: string,
): { send: () => Promise<void>; isPending: boolean; error: unknown } => {
  const refresh = useRefresh()
  const waitingSince = useHealth(webhookId).data?.waitingSince
  const [, setRecovery] = useRecovery(webhookId)
  const { mutateAsync, isPending, error } = hooks.useMutation('post', '/v1/webhooks/{id}/recoveries')
  const send = async () => {
    if (!waitingSince) return
    const started = await mutateAsync({ params: { path: { id: webhookId } }, body: { since: waitingSince } })
    if ('id' in started) setRecovery(started.id)
    refresh()
  }
  return { send, isPending, error }
}

/** Button for a repaired receiver: sends the deliveries that wait for a retry now. */
export const SendWaiting = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const t = useTranslate()
  const health = useHealth(webhook.id).data
  const { send, isPending, error } = useSendWaiting(webhook.id)
  if (!health || !webhook.enabled || webhook.heldAt || !hasRetries(health)) return null
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        disabled={isPending}
        onClick={() => void send().catch(() => {})}
      >
        {t('webhooks.sendAll')}
      </Anchor>
      {error instanceof ApiFailure && <Failure error={error} />}
    </>
  )
}

/** Progress of the bulk replay that was started in this browser. */
export const RecoveryProgress = ({ webhookId }: { webhookId: string }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const refresh = useRefresh()
  const [recoveryId, , clearRecovery] = useRecovery(webhookId)
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
