/** Steps of the setup of a new workspace, and which of them are done. */
import { useLocalStorage } from '@mantine/hooks'
import { hooks } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { draftKey } from '../../ui/hooks/draft.ts'

/** In the order in which most people do them. */
export const steps = [
  { key: 'key', link: { to: '/api-keys/new' } },
  { key: 'event', link: { to: '/events/send' } },
  { key: 'channel', link: { to: '/channels/new' } },
  { key: 'template', link: { to: '/templates/new' } },
  { key: 'workflow', link: { to: '/workflows', search: { new: '' } } },
  { key: 'message', link: { to: '/inbox' } },
  { key: 'webhook', link: { to: '/webhooks/new' } },
  { key: 'member', link: { to: '/team', search: { new: true } } },
] as const
type StepKey = (typeof steps)[number]['key']

const one = { params: { query: { limit: 1 } } }
const two = { params: { query: { limit: 2 } } }

/** Returns which steps are done. A step is undefined until it is known. */
export const useDoneSteps = (isEnabled: boolean): Record<StepKey, boolean | undefined> => {
  // Always refetches, so that a person who returns from a step sees it as done.
  const options = { enabled: isEnabled, staleTime: 0 }
  const keys = hooks.useQuery('get', '/v1/api-keys', {}, options)
  const events = hooks.useQuery('get', '/v1/activity/events', one, options)
  const channels = hooks.useQuery('get', '/v1/channels', {}, options)
  const templates = hooks.useQuery('get', '/v1/templates', one, options)
  const workflows = hooks.useQuery('get', '/v1/workflows', {}, options)
  const messages = hooks.useQuery('get', '/v1/messages', one, options)
  const deliveries = hooks.useQuery('get', '/v1/activity/summary', { params: { query: { by: 'day' } } }, options)
  const members = hooks.useQuery('get', '/v1/members', two, options)
  useLiveRefresh(
    ['event', 'delivery', 'message'],
    ['/v1/activity/events', '/v1/api-keys', '/v1/channels', '/v1/templates', '/v1/workflows', '/v1/messages'],
  )
  return {
    key: keys.data && keys.data.data.length > 0,
    event: events.data && events.data.data.length > 0,
    channel: channels.data && channels.data.data.length > 0,
    template: templates.data && templates.data.data.length > 0,
    workflow: workflows.data?.data.some(({ enabled }) => enabled),
    message: messages.data && messages.data.data.length > 0,
    webhook: deliveries.data?.data.some(({ deliveries }) => deliveries.delivered > 0),
    member: members.data && members.data.data.length > 1,
  }
}

/** `done` shows only the title of the checklist, `hidden` nothing. */
type ChecklistState = 'open' | 'done' | 'hidden'

/** State of the checklist in this browser, for a person and a workspace. */
export const useChecklistState = () =>
  useLocalStorage<ChecklistState>({
    key: draftKey('home.checklist'),
    defaultValue: 'open',
    getInitialValueInEffect: false,
    deserialize: text => (['done', 'hidden'] as const).find(state => JSON.stringify(state) === text) ?? 'open',
  })
