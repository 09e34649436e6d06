import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { subscribableTypes } from '../../api/event-types.ts'
import { useTranslate } from '../../texts/index.tsx'
import { ChevronDownIcon, PaperAirplaneIcon } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { EventIcon } from '../outbound/EventIcon.tsx'
import { SendDialog } from '../outbound/SendDialog.tsx'
import { useRefresh } from './refresh.ts'
import styles from './webhooks.module.css'

type OutboundEvent = Schemas['OutboundEvent']

/**
 * Button that sends a `ping`, with a menu of event types. The API makes no test events of these types, so the menu sends
 * the newest real event of a type again, after a look at it.
 */
export const SendTest = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const { id } = webhook
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState<OutboundEvent | null>(null)
  const open = (deliveryId: string) => {
    refresh()
    return navigate({ to: '/webhooks/$id/deliveries/$deliveryId', params: { id, deliveryId } })
  }
  const ping = async () => {
    setBusy(true)
    try {
      const { data } = await api.POST('/v1/webhooks/{id}/test', { params: { path: { id } } })
      if (data) await open(data.id)
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
        onClick={() => void ping()}
      >
        {t('webhooks.test')}
      </Button>
      <Menu position="bottom-end" onChange={setIsOpen}>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('webhooks.testMenu')}>
            <ChevronDownIcon width={12} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('webhooks.testReal')}</Menu.Label>
          {isOpen && <NewestEvents onChoose={setChosen} />}
        </Menu.Dropdown>
      </Menu>
      {chosen && (
        <SendDialog
          opened
          event={chosen}
          webhook={webhook}
          onClose={() => setChosen(null)}
          onSent={deliveryId => void open(deliveryId)}
        />
      )}
    </Group>
  )
}

/** Newest event of each type, read when the menu opens. An item without an event does nothing. */
const NewestEvents = ({ onChoose }: { onChoose: (event: OutboundEvent) => void }) => {
  const t = useTranslate()
  const queries = useQueries({
    queries: subscribableTypes.map(type =>
      hooks.queryOptions('get', '/v1/outbound-events', { params: { query: { type, limit: 1 } } }),
    ),
  })
  return subscribableTypes.map((type, index) => {
    const { data, error } = queries[index]!
    const newest = data?.data[0]
    return (
      <Menu.Item
        key={type}
        leftSection={<EventIcon type={type} />}
        rightSection={
          <span className={styles.newest}>
            {newest ? (
              <Time at={newest.createdAt} />
            ) : error ? (
              t('webhooks.testUnknown')
            ) : (
              data && t('webhooks.testNone')
            )}
          </span>
        }
        // Keeps the focus that a disabled item would lose. Escape closes a menu only while the focus is in it.
        aria-disabled={!newest}
        closeMenuOnClick={newest !== undefined}
        c={newest ? undefined : 'dimmed'}
        onClick={() => newest && onChoose(newest)}
      >
        {type}
      </Menu.Item>
    )
  })
}
