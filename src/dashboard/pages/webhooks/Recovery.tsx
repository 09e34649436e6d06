import {
  Button,
  Group,
  Modal,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { useMatch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { type SubscribableType, subscribableTypes } from '../../api/event-types.ts'
import { Sentence, useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { ArrowPathIcon } from '../../ui/page-icons.ts'
import { Time, useDuration } from '../../ui/Time.tsx'
import { formatClock, parseClock, useZone } from '../../ui/zone.ts'
import { hasFailures, useHealth } from './Health.tsx'
import { useIsRecovering, useRecovery } from './RecoveryProgress.tsx'
import { useRefresh } from './refresh.ts'

const hourMs = 3_600_000
const spans = { hour: hourMs, sixHours: 6 * hourMs, day: 24 * hourMs, threeDays: 72 * hourMs, week: 168 * hourMs }
type Span = keyof typeof spans
/** `waiting`: since the event of the oldest waiting delivery. `filter`: the time range of the list. */
type Choice = Span | 'waiting' | 'filter' | 'custom'

const kinds = ['failed', 'missing', 'all'] as const
type Kind = (typeof kinds)[number]

interface Period {
  since?: string
  until?: string
}

/**
 * Dialog that recovers the deliveries of a time range: failed and waiting ones, missed events, or both. It shows their
 * number first.
 */
export const RecoveryDialog = ({
  opened,
  webhookId,
  range = {},
  initial = 'day',
  onClose,
}: {
  opened: boolean
  webhookId: string
  /** Time range of the list, a choice if it has a start. It is the first choice unless deliveries are waiting. */
  range?: Period
  initial?: 'day' | 'waiting'
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
      <RecoveryForm webhookId={webhookId} range={range} initial={initial} onClose={onClose} />
    </Modal>
  )
}

const RecoveryForm = ({
  webhookId,
  range,
  initial,
  onClose,
}: {
  webhookId: string
  range: Period
  initial: 'day' | 'waiting'
  onClose: () => void
}) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const duration = useDuration()
  const zone = useZone()
  const refresh = useRefresh()
  const health = useHealth(webhookId).data
  const [opened] = useState(Date.now)
  // The oldest waiting delivery can be sent while the dialog is open.
  const [waitingSince] = useState(health?.waitingSince ?? undefined)
  const [choice, setChoice] = useState<Choice>(() => {
    if (initial === 'waiting' && waitingSince !== undefined) return 'waiting'
    return range.since === undefined ? 'day' : 'filter'
  })
  const [customSince, setCustomSince] = useState(() => formatClock(new Date(opened - spans.day), zone))
  const [kind, setKind] = useState<Kind>('failed')
  const [events, setEvents] = useState<SubscribableType[]>([])
  const [, setRecovery] = useRecovery(webhookId)
  const periodOf = (): Period => {
    if (choice === 'filter') return range
    if (choice === 'waiting') return waitingSince === undefined ? {} : { since: waitingSince }
    if (choice !== 'custom') return { since: new Date(opened - spans[choice]).toISOString() }
    const since = parseClock(customSince, zone)?.toISOString()
    return since === undefined ? {} : { since }
  }
  const period = periodOf()
  const body = {
    ...period,
    since: period.since ?? new Date(opened).toISOString(),
    of: kind,
    ...(events.length > 0 && { events }),
  }
  const params = { path: { id: webhookId } }
  const preview = hooks.useQuery(
    'post',
    '/v1/webhooks/{id}/recoveries',
    { params, body: { ...body, preview: true } },
    { enabled: period.since !== undefined, gcTime: 0 },
  )
  const start = hooks.useMutation('post', '/v1/webhooks/{id}/recoveries')
  const counted = preview.data && 'deliveries' in preview.data ? preview.data : null
  const count = counted?.deliveries ?? null
  const startRecovery = async () => {
    const started = await start.mutateAsync({ params, body })
    if ('id' in started) setRecovery(started.id)
    refresh()
    onClose()
  }
  const failure = start.error ?? preview.error
  const choices: Choice[] = [
    ...(range.since === undefined ? [] : ['filter' as const]),
    ...(waitingSince === undefined ? [] : ['waiting' as const]),
    ...(Object.keys(spans) as Span[]),
    'custom',
  ]
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('webhooks.recoverOf')}
        data={kinds.map(value => ({ value, label: t(`webhooks.recoverOf.${value}`) }))}
        value={kind}
        onChange={value => setKind(value as Kind)}
      />
      <Text size="sm">{t(`webhooks.recoverText.${kind}`)}</Text>
      <Select
        label={t('webhooks.since')}
        data={choices.map(value => ({ value, label: t(`webhooks.since.${value}`) }))}
        value={choice}
        allowDeselect={false}
        onChange={value => setChoice((value as Choice | null) ?? 'day')}
      />
      {choice === 'custom' && (
        <TextInput
          type="datetime-local"
          label={t('webhooks.sinceCustom')}
          description={t('person.zone', { zone })}
          value={customSince}
          onChange={event => setCustomSince(event.currentTarget.value)}
        />
      )}
      {choice === 'waiting' && waitingSince !== undefined && (
        <Text size="sm" c="dimmed">
          <Sentence id="webhooks.since.waitingText" values={{ since: <Time at={waitingSince} clock /> }} />
        </Text>
      )}
      <MultiSelect
        label={t('webhooks.recoverEvents')}
        {...(events.length === 0 && {
          placeholder: t(kind === 'failed' ? 'webhooks.recoverEventsAll' : 'webhooks.recoverEventsAll.missing'),
        })}
        data={subscribableTypes}
        value={events}
        onChange={types => setEvents(types as SubscribableType[])}
      />
      <Text size="sm" fw={500} role="status" className="tabular">
        {count === null
          ? !failure && t('webhooks.counting')
          : t(kind === 'failed' ? 'webhooks.recoverCount' : 'webhooks.recoverCountAny', {
              count,
              shown: numbers(count),
            })}
        {counted && counted.deliveries > 0 && (
          <> {t('webhooks.recoverDuration', { duration: duration(counted.estimatedSeconds * 1000) })}</>
        )}
      </Text>
      {counted && counted.deliveries > 0 && <Preview byType={counted.byType} />}
      {(health?.state === 'held' || health?.state === 'off') && (
        <Text size="sm">{t(`webhooks.recoverBlocked.${health.state}`)}</Text>
      )}
      {failure && <Failure error={failure} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('confirm.cancel')}
        </Button>
        <Button disabled={!count} loading={start.isPending} onClick={() => void startRecovery().catch(() => {})}>
          {count
            ? t(kind === 'failed' ? 'webhooks.recoverStartCount' : 'webhooks.recoverStartCountAny', {
                count,
                shown: numbers(count),
              })
            : t('webhooks.recoverStart')}
        </Button>
      </Group>
    </Stack>
  )
}

/** Number of deliveries by event type. */
const Preview = ({ byType }: { byType: Schemas['RecoveryPreview']['byType'] }) => {
  const numbers = useNumbers()
  return (
    <Table className="tabular">
      <Table.Tbody>
        {byType.map(({ type, deliveries }) => (
          <Table.Tr key={type}>
            <Table.Td>{type}</Table.Td>
            <Table.Td ta="right">{numbers(deliveries)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/**
 * Returns a function that starts a bulk replay of all waiting deliveries, and of those that failed since the oldest
 * waiting one.
 */
export const useSendWaiting = (webhookId: string): (() => Promise<void>) => {
  const refresh = useRefresh()
  const waitingSince = useHealth(webhookId).data?.waitingSince
  const [, setRecovery] = useRecovery(webhookId)
  return async () => {
    if (!waitingSince) return
    const { data } = await api.POST('/v1/webhooks/{id}/recoveries', {
      params: { path: { id: webhookId } },
      body: { since: waitingSince },
    })
    if (data && 'id' in data) setRecovery(data.id)
    refresh()
  }
}

/** Button that retries the failed and waiting deliveries, the main action of a failing endpoint. */
export const RetryDeliveries = ({ webhook, range }: { webhook: Schemas['Webhook']; range: Period }) => {
  const t = useTranslate()
  const health = useHealth(webhook.id).data
  const [isOpen, setIsOpen] = useState(false)
  const isRecovering = useIsRecovering(webhook.id)
  // The panel of a delivery has the main action of its own.
  const isDeliveryOpen = useMatch({ from: '/signed/webhooks/$id/deliveries/$deliveryId', shouldThrow: false })
  const isShown = !isRecovering && health && webhook.enabled && !webhook.heldAt && hasFailures(health)
  return (
    <>
      {isShown && (
        <Button
          variant={health.state === 'failing' && !isDeliveryOpen ? 'filled' : 'default'}
          leftSection={<ArrowPathIcon width={16} />}
          onClick={() => setIsOpen(true)}
        >
          {t('webhooks.recover')}
        </Button>
      )}
      <RecoveryDialog
        opened={isOpen}
        webhookId={webhook.id}
        range={range}
        initial="waiting"
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}
