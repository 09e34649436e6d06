import { Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { hostOf } from './host.ts'

/** Dialog that sends the event again to one endpoint, whatever the result of earlier deliveries. */
export const SendTo = ({
  event,
  opened,
  onClose,
}: {
  event: Schemas['OutboundEvent']
  opened: boolean
  onClose: () => void
}) => {
  const say = useTexts()
  const queries = useQueryClient()
  const endpoints = hooks.useQuery('get', '/v1/webhooks', {}, { enabled: opened })
  const [webhookId, choose] = useState<string | null>(null)
  const known = endpoints.data?.data ?? []
  const chosen = known.find(({ id }) => id === webhookId) ?? (known.length === 1 ? known[0] : undefined)
  const send = async () => {
    if (!chosen) throw new Error('No endpoint is chosen.')
    await api.POST('/v1/outbound-events/{id}/send', {
      params: { path: { id: event.id } },
      body: { webhookId: chosen.id },
    })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/outbound-events/{id}' })
    notifications.show({ message: say('outbound.sent', { endpoint: nameOf(chosen) }) })
  }
  return (
    <FormDialog
      opened={opened}
      title={say('outbound.send')}
      text={say('outbound.sendText', { type: event.type })}
      action={say('outbound.sendDo')}
      onClose={onClose}
      onSubmit={send}
    >
      {endpoints.error && <Failure of={endpoints.error} retry={() => void endpoints.refetch()} />}
      {endpoints.data && known.length === 0 ? (
        <Text size="sm">{say('outbound.sendNone')}</Text>
      ) : (
        <Select
          label={say('outbound.sendWhere')}
          required
          withAsterisk={false}
          data={known.map(endpoint => ({ value: endpoint.id, label: nameOf(endpoint) }))}
          value={chosen?.id ?? null}
          onChange={choose}
        />
      )}
    </FormDialog>
  )
}

const nameOf = ({ name, url }: Schemas['Webhook']): string => (name ? `${name} (${hostOf(url)})` : hostOf(url))
