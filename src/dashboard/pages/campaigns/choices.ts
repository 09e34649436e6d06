import { hooks } from '../../api/client.ts'

const firstPage = { params: { query: { limit: 100 } } }

/** Channels and templates to choose from: the newest 100 of each. */
export const useChoices = () => {
  const channels = hooks.useQuery('get', '/v1/channels', firstPage)
  const templates = hooks.useQuery('get', '/v1/templates', firstPage)
  return { channels: channels.data?.data, templates: templates.data?.data }
}
