import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { type OutboundType, subscribableTypes } from '../../api/event-types.ts'
import { useTranslate } from '../../texts/index.tsx'
import { ChevronDownIcon, PaperAirplaneIcon } from '../../ui/icons.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { EventIcon } from '../outbound/EventIcon.tsx'
import { useRefresh } from './refresh.ts'

/**
 * Button that sends a `ping`, with a menu of event types. The API makes no test events of these types, so the menu sends
 * the newest real event of a type again.
 */
export const SendTest = ({ webhook: { id } }: { webhook: Schemas['Webhook'] }) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const ping = async () => (await api.POST('/v1/webhooks/{id}/test', { params: { path: { id } } })).data?.id
  const sendNewest = async (type: OutboundType) => {
    const { data } = await api.GET('/v1/outbound-events', { params: { query: { type, limit: 1 } } })
    const newest = data?.data[0]
    if (!newest) return void notify.error(t('webhooks.testNone', { type }))
    const sent = await api.POST('/v1/outbound-events/{id}/send', {
      params: { path: { id: newest.id } },
      body: { webhookId: id },
    })
    return sent.data?.id
  }
  const open = async (send: () => Promise<string | undefined>) => {
    setBusy(true)
    try {
      const deliveryId = await send()
      refresh()
      if (deliveryId !== undefined)
        await navigate({ to: '/webhooks/$id/deliveries/$deliveryId', params: { id, deliveryId } })
    } catch (error) {
      notify.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Group gap={0} wrap="nowrap">
      <Button
        variant="default"
        leftSection={<PaperAirplaneIcon width={16} />}
        loading={busy}
        onClick={() => void open(ping)}
      >
        {t('webhooks.test')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('webhooks.testMenu')}>
            <ChevronDownIcon width={12} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('webhooks.testReal')}</Menu.Label>
          {subscribableTypes.map(type => (
            <Menu.Item
              key={type}
              leftSection={<EventIcon type={type} />}
              onClick={() => void open(() => sendNewest(type))}
            >
              {t('webhooks.testNewest', { type })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
