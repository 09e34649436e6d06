import { Select, Text } from '@mantine/core'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { shortName } from '../../ui/formats.ts'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { endpointName } from '../webhooks/delivery-status.tsx'
import { getHost } from './host.ts'
import { useSummary } from './useSummary.ts'

/**
 * Dialog that sends the event again to one endpoint, whatever the result of earlier deliveries. For a given endpoint it
 * shows the summary of the event instead of the choice.
 */
export const SendDialog = ({
  event,
  webhook,
  opened,
  onClose,
  onSent,
}: {
  event: Schemas['OutboundEvent']
  webhook?: Schemas['Webhook']
  opened: boolean
  onClose: () => void
  /** Called with the ID of the new delivery. */
  onSent?: (deliveryId: string) => void
}) => {
  const t = useTranslate()
  const notify = useNotify()
  const invalidate = useInvalidate()
  const summary = useSummary()(event)
  const endpoints = hooks.useQuery('get', '/v1/webhooks', {}, { enabled: opened && !webhook })
  const webhooks = webhook ? [webhook] : (endpoints.data?.data ?? [])
  const isPending = !webhook && endpoints.isPending
  const select = (webhookId: string | null) =>
    webhooks.find(({ id }) => id === webhookId) ?? (webhooks.length === 1 ? webhooks[0] : undefined)
  const apiForm = useApiForm<{ webhookId: string | null }>({
    draft: null,
    initial: { webhookId: null },
    validate: { webhookId: id => (select(id) ? null : t('outbound.sendMissing')) },
    onSubmit: async ({ webhookId }) => {
      const selected = select(webhookId)!
      const { data } = await api.POST('/v1/outbound-events/{id}/send', {
        params: { path: { id: event.id } },
        body: { webhookId: selected.id },
      })
      onClose()
      void invalidate('/v1/outbound-events/{id}')
      notify(t('outbound.sent', { endpoint: endpointLabel(selected) }))
      if (data) onSent?.(data.id)
    },
  })
  const { form } = apiForm
  return (
    <FormDialog
      opened={opened}
      title={
        webhook
          ? t('outbound.sendToTitle', { type: event.type, endpoint: shortName(endpointName(webhook)) })
          : t('outbound.sendTitle', { type: event.type })
      }
      text={t('outbound.sendText', { type: event.type })}
      action={isPending || webhooks.length > 0 ? t('outbound.sendDo') : null}
      onClose={onClose}
      form={{ ...apiForm, busy: apiForm.busy || isPending }}
    >
      {endpoints.error && <Failure error={endpoints.error} retry={() => void endpoints.refetch()} />}
      {webhook ? (
        <Text size="sm">
          {summary && <bdi>{summary}</bdi>} <Time at={event.createdAt} />
        </Text>
      ) : endpoints.data && webhooks.length === 0 ? (
        <Text size="sm">{t('outbound.sendNone')}</Text>
      ) : (
        <Select
          {...form.getInputProps('webhookId')}
          label={t('outbound.sendWhere')}
          placeholder={t('outbound.sendChoose')}
          data={webhooks.map(endpoint => ({ value: endpoint.id, label: endpointLabel(endpoint) }))}
          value={select(form.values.webhookId)?.id ?? null}
        />
      )}
    </FormDialog>
  )
}

const endpointLabel = ({ name, url }: Schemas['Webhook']): string => (name ? `${name} (${getHost(url)})` : getHost(url))
