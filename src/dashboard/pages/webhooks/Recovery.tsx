import { Button, Modal, MultiSelect, Radio, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useMatch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { type SubscribableType, subscribableTypes } from '../../api/event-types.ts'
import { Sentence, useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { DateTimeField } from '../../ui/form/DateTimeField.tsx'
import { FormBody } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { ArrowPathIcon } from '../../ui/page-icons.ts'
import { Time, useDuration } from '../../ui/Time.tsx'
import { hasFailures, useHealth } from './Health.tsx'
import { RecoveryCounts, type RecoveryKind, RecoveryRules, recoveryKinds } from './RecoveryPreview.tsx'
import { useIsRecovering, useRecovery } from './RecoveryProgress.tsx'
import {
  type Choice,
  choicesOf,
  includeOldest,
  type Oldest,
  oldestOf,
  spans,
  useFailedSince,
} from './recovery-range.ts'
import { useRefresh } from './refresh.ts'

/** Time range of the list. */
export interface Period {
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
  isNarrowed = false,
  initial = 'day',
  onClose,
}: {
  opened: boolean
  webhookId: string
  /** Time range of the list, a choice if it has a start. It is the first choice unless deliveries are waiting. */
  range?: Period
  /** True if the list has filters that the dialog ignores. */
  isNarrowed?: boolean
  /** `oldest`: since the oldest failed or waiting delivery. */
  initial?: 'day' | 'oldest'
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
      <RecoveryContent {...{ webhookId, range, isNarrowed, initial, onClose }} />
    </Modal>
  )
}

type ContentProps = Required<Omit<Parameters<typeof RecoveryDialog>[0], 'opened'>>

/** The form, once the first choice is known. */
const RecoveryContent = (props: ContentProps) => {
  const waitingSince = useHealth(props.webhookId).data?.waitingSince
  const { data, isPending } = useFailedSince(props.webhookId)
  return isPending ? <Skeleton height={320} /> : <RecoveryForm {...props} times={oldestOf(data, waitingSince)} />
}

interface Values extends Record<string, unknown> {
  kind: RecoveryKind
  choice: Choice
  /** Start of a custom time range. */
  start: string
  events: SubscribableType[]
}

const RecoveryForm = ({ webhookId, range, isNarrowed, initial, onClose, times }: ContentProps & { times: Oldest }) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const duration = useDuration()
  const refresh = useRefresh()
  const health = useHealth(webhookId).data
  const [opened] = useState(Date.now)
  // The oldest delivery can be sent while the dialog is open.
  const [{ oldest, waiting }] = useState(times)
  const [, setRecovery] = useRecovery(webhookId)
  const params = { path: { id: webhookId } }
  const sinceOf = ({ choice, start }: Values): string => {
    if (choice === 'filter') return range.since ?? start
    if (choice === 'oldest') return oldest ?? start
    if (choice === 'waiting') return waiting ?? start
    return choice === 'custom' ? start : new Date(opened - spans[choice]).toISOString()
  }
  const toBody = (values: Values) => ({
    ...(values.choice === 'filter' && range),
    since: values.choice === 'oldest' ? includeOldest(sinceOf(values)) : sinceOf(values),
    of: values.kind,
    ...(values.events.length > 0 && { events: values.events }),
  })
  const firstChoice = (): Choice => {
    const isWaiting = typeof health?.waitingSince === 'string'
    if (initial === 'oldest' && (isWaiting || range.since === undefined)) {
      if (oldest !== undefined) return 'oldest'
      if (waiting !== undefined) return 'waiting'
    }
    return range.since === undefined ? 'day' : 'filter'
  }
  const apiForm = useApiForm<Values>({
    draft: null,
    initial: {
      kind: 'failed',
      choice: firstChoice(),
      start: new Date(opened - spans.day).toISOString(),
      events: [],
    },
    // The number of deliveries is shown before they are sent.
    validate: { kind: () => (count ? null : t('webhooks.counting')) },
    onSubmit: async values => {
      const { data } = await api.POST('/v1/webhooks/{id}/recoveries', { params, body: toBody(values) })
      if (data && 'id' in data) setRecovery(data.id)
      refresh()
      onClose()
    },
  })
  const { form } = apiForm
  const { kind, choice, start, events } = form.values
  const preview = hooks.useQuery(
    'post',
    '/v1/webhooks/{id}/recoveries',
    { params, body: { ...toBody(form.values), preview: true } },
    { gcTime: 0 },
  )
  const counted = preview.data && 'deliveries' in preview.data ? preview.data : null
  const count: number | undefined = counted?.deliveries
  const textOf = (id: 'webhooks.recoverCount' | 'webhooks.recoverStartCount', deliveries: number) =>
    t(kind === 'failed' ? id : `${id}Any`, { count: deliveries, shown: numbers(deliveries) })
  const action = count ? textOf('webhooks.recoverStartCount', count) : t('webhooks.recoverStart')
  return (
    <FormBody
      action={count || preview.isPending ? action : null}
      onClose={onClose}
      form={{ ...apiForm, busy: apiForm.busy || preview.isPending }}
    >
      <Radio.Group {...form.getInputProps('kind')} label={t('webhooks.recoverOf')}>
        <Stack gap="xs" mt={4}>
          {recoveryKinds.map(value => (
            <Radio
              key={value}
              value={value}
              label={t(`webhooks.recoverOf.${value}`)}
              description={t(`webhooks.recoverHint.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Select
        {...form.getInputProps('choice')}
        label={t('webhooks.since')}
        inputWrapperOrder={['label', 'input', 'description']}
        description={
          <>
            <Sentence
              id={choice === 'filter' && range.until ? 'webhooks.eventsBetween' : 'webhooks.eventsSince'}
              values={{
                since: <Time at={sinceOf(form.values)} clock />,
                until: range.until && <Time at={range.until} clock />,
              }}
            />
            {choice === 'waiting' && oldest !== undefined && <> {t('webhooks.since.waitingText')}</>}
          </>
        }
        data={choicesOf({ oldest, waiting }, range.since !== undefined).map(value => ({
          value,
          label: t(`webhooks.since.${value}`),
        }))}
        allowDeselect={false}
      />
      {choice === 'custom' && (
        <DateTimeField
          {...form.getInputProps('start')}
          clearable={false}
          label={t('webhooks.sinceCustom')}
          value={start}
        />
      )}
      <MultiSelect
        {...form.getInputProps('events')}
        label={t('webhooks.recoverEvents')}
        {...(events.length === 0 && {
          placeholder: t(kind === 'failed' ? 'webhooks.recoverEventsAll' : 'webhooks.recoverEventsAll.missing'),
        })}
        data={subscribableTypes}
      />
      <Text size="sm" fw={500} role="status" className="tabular">
        {count === undefined ? preview.isPending && t('webhooks.counting') : textOf('webhooks.recoverCount', count)}
        {counted && counted.deliveries > 0 && (
          <> {t('webhooks.recoverDuration', { duration: duration(counted.estimatedSeconds * 1000) })}</>
        )}
      </Text>
      {counted && counted.deliveries > 0 && <RecoveryCounts byType={counted.byType} />}
      {isNarrowed && (
        <Text size="xs" c="dimmed">
          {t('webhooks.recoverFilters')}
        </Text>
      )}
      <RecoveryRules kind={kind} />
      {(health?.state === 'held' || health?.state === 'off') && (
        <Text size="sm">{t(`webhooks.recoverBlocked.${health.state}`)}</Text>
      )}
      {preview.error && <Failure error={preview.error} retry={() => void preview.refetch()} />}
    </FormBody>
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
export const RetryDeliveries = ({
  webhook,
  range,
  isNarrowed,
}: {
  webhook: Schemas['Webhook']
  range: Period
  isNarrowed: boolean
}) => {
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
        isNarrowed={isNarrowed}
        initial="oldest"
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}
