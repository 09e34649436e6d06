/** Names of the API keys, for owners. */
import { hooks } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'

/** Returns the newest API keys with their names. Empty for agents, who cannot read the keys. */
export const useKeyNames = (): ReadonlyMap<string, string> => {
  const isOwner = useIsOwner()
  const { data } = hooks.useQuery(
    'get',
    '/v1/api-keys',
    { params: { query: { limit: 100 } } },
    { staleTime: 60_000, enabled: isOwner },
  )
  return new Map(data?.data.map(({ id, name }) => [id, name]))
}
