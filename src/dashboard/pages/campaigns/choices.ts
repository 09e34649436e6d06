import { hooks } from '../../api/client.ts'

const firstPage = { params: { query: { limit: 100 } } }

/** Channels and templates to choose from: the newest 100 of each. `onlyChannelId` is set if there is no other choice. */
export const useChoices = () => {
  const channels = hooks.useQuery('get', '/v1/channels', firstPage)
  const templates = hooks.useQuery('get', '/v1/templates', firstPage)
  const usable = channels.data?.data.filter(({ status }) => status !== 'disconnected')
  const onlyChannelId = usable?.length === 1 ? usable[0]!.id : null
  return { channels: channels.data?.data, templates: templates.data?.data, onlyChannelId }
}
