import type { QueryClient } from '@tanstack/react-query'
import { hooks } from '../../api/client.ts'
import type { Campaign } from './status.ts'

/** Shows a campaign from a response and refetches the queries that depend on it. */
export const updateCache = (queries: QueryClient, campaign: Campaign): void => {
  const campaignQuery = hooks.queryOptions('get', '/v1/campaigns/{id}', { params: { path: { id: campaign.id } } })
  // A read that began before the change would bring back the previous record.
  void queries.cancelQueries({ queryKey: campaignQuery.queryKey })
  queries.setQueryData(campaignQuery.queryKey, campaign)
  const relatedPaths = ['/v1/campaigns', '/v1/campaigns/{id}/preview', '/v1/campaigns/{id}/recipients']
  void queries.invalidateQueries({ predicate: ({ queryKey }) => relatedPaths.includes(queryKey[1] as string) })
}
