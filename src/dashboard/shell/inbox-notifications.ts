/** Browser notifications for new messages of customers, while the tab is hidden. */
import { useDocumentVisibility, useLocalStorage } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { hooks, type Schemas } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'
import { draftKey } from '../ui/hooks/draft.ts'
import { useSession } from './session.tsx'

interface NotificationSettings {
  isOn: boolean
  /** Shows the text of the message. Otherwise only the name of the customer. */
  showsText: boolean
}

/** Interval in milliseconds between checks for new messages. A hidden tab has no stream. */
const pollMs = 15_000
/** Minimum time in milliseconds between two notifications of a conversation, over all tabs of the browser. */
const quietMs = 60_000
/** Maximum number of conversations that are checked, and whose last notification is remembered. */
const maxConversations = 20

/** Permission of this browser, or `unsupported`, for example on a phone without an installed app. */
export const notificationSupport = (): NotificationPermission | 'unsupported' =>
  'Notification' in window ? Notification.permission : 'unsupported'

/** Settings of the person in this browser. Off by default. */
export const useNotificationSettings = () => {
  const [settings, setSettings] = useLocalStorage<NotificationSettings>({
    key: draftKey('notifications'),
    defaultValue: { isOn: false, showsText: false },
    getInitialValueInEffect: false,
  })
  return { settings, change: (part: Partial<NotificationSettings>) => setSettings({ ...settings, ...part }) }
}

/** Shows a notification for each new message in an unassigned conversation or one of the person. */
export const useInboxNotifications = (): void => {
  const t = useTranslate()
  const router = useRouter()
  const { user } = useSession()
  const { settings } = useNotificationSettings()
  const isHidden = useDocumentVisibility() === 'hidden'
  const hiddenSince = useRef(0)
  useEffect(() => {
    if (isHidden) hiddenSince.current = Date.now()
  }, [isHidden])
  const enabled = settings.isOn && isHidden && notificationSupport() === 'granted'
  const { data, dataUpdatedAt } = hooks.useQuery(
    'get',
    '/v1/conversations',
    { params: { query: { status: 'open', unread: true, limit: maxConversations } } },
    { enabled, refetchInterval: pollMs, refetchIntervalInBackground: true },
  )
  const show = ({ id, customerName, handle, lastMessage }: Schemas['Conversation']) => {
    const title = t('inbox.notification.title', { name: customerName || handle || '' })
    const body = settings.showsText && lastMessage?.text ? { body: lastMessage.text } : {}
    try {
      const notification = new Notification(title, { tag: id, ...body })
      notification.onclick = () => {
        window.focus()
        void router.navigate({ to: '/inbox/$id', params: { id } })
        notification.close()
      }
    } catch {
      // Some phones have the permission and no notifications without a service worker.
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is checked once, also if it is the same.
  useEffect(() => {
    if (!enabled) return
    for (const conversation of data?.data ?? []) {
      const { id, lastMessage, assigneeId } = conversation
      if (lastMessage?.direction !== 'inbound' || Date.parse(lastMessage.createdAt) < hiddenSince.current) continue
      if ((assigneeId === null || assigneeId === user.id) && reserve(id, lastMessage.id)) show(conversation)
    }
  }, [dataUpdatedAt, enabled])
}

type Shown = Record<string, { at: number; messageId: string }>

/** Returns false if a tab has shown the message, or another of the conversation less than a minute ago. */
const reserve = (conversationId: string, messageId: string): boolean => {
  const key = draftKey('notified')
  const shown = readShown(key)
  const last = shown[conversationId]
  if (last && (last.messageId === messageId || Date.now() - last.at < quietMs)) return false
  const newest = Object.entries({ ...shown, [conversationId]: { at: Date.now(), messageId } })
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, maxConversations)
  localStorage.setItem(key, JSON.stringify(Object.fromEntries(newest)))
  return true
}

const readShown = (key: string): Shown => {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? '{}') as Shown) ?? {}
  } catch {
    return {}
  }
}
