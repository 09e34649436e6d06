import { Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { getHost } from './host.ts'

/** Dialog that sends the event again to one endpoint, whatever the result of earlier deliveries. */
export const SendDialog = ({
  event,
  opened,
  onClose,
}: {
  event: Schemas['OutboundEvent']
  opened: boolean
  onClose: () => void
}) => {
  const t = useTranslate()
  const queries = useQueryClient()
  const endpoints = hooks.useQuery('get', '/v1/webhooks', {}, { enabled: opened })
  const [webhookId, setWebhookId] = useState<string | null>(null)
  const webhooks = endpoints.data?.data ?? []
  const selected = webhooks.find(({ id }) => id === webhookId) ?? (webhooks.length === 1 ? webhooks[0] : undefined)
  const send = async () => {
    if (!selected) throw new Error('No endpoint is chosen.')
    await api.POST('/v1/outbound-events/{id}/send', {
      params: { path: { id: event.id } },
      body: { webhookId: selected.id },
    })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/outbound-events/{id}' })
    notifications.show({ message: t('outbound.sent', { endpoint: endpointLabel(selected) }) })
  }
  return (
    <FormDialog
      opened={opened}
      title={t('outbound.send')}
      text={t('outbound.sendText', { type: event.type })}
      action={t('outbound.sendDo')}
      onClose={onClose}
      onSubmit={send}
    >
      {endpoints.error && <Failure error={endpoints.error} retry={() => void endpoints.refetch()} />}
      {endpoints.data && webhooks.length === 0 ? (
        <Text size="sm">{t('outbound.sendNone')}</Text>
      ) : (
        <Select
          label={t('outbound.sendWhere')}
          required
          withAsterisk={false}
          data={webhooks.map(endpoint => ({ value: endpoint.id, label: endpointLabel(endpoint) }))}
          value={selected?.id ?? null}
          onChange={setWebhookId}
        />
      )}
    </FormDialog>
  )
}

const endpointLabel = ({ name, url }: Schemas['Webhook']): string => (name ? `${name} (${getHost(url)})` : getHost(url))
