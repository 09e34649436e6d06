import { useQueryClient } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'

/** Shows a channel from a response and refetches the lists. */
export const useUpdateCache = () => {
  const queries = useQueryClient()
  return (channel: Schemas['Channel']): void => {
    const channelQuery = hooks.queryOptions('get', '/v1/channels/{id}', { params: { path: { id: channel.id } } })
    queries.setQueryData(channelQuery.queryKey, channel)
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/channels' })
  }
}
