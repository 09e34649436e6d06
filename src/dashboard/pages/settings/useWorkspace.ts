/** The workspace, and changes of it. */
import { useQueryClient } from '@tanstack/react-query'
import { api, hooks, type Schemas } from '../../api/client.ts'

/** Query of the workspace that all settings share. */
export const useWorkspace = () => hooks.useQuery('get', '/v1/workspace')

/** Returns a function that changes the given fields. */
export const useChangeWorkspace = () => {
  const queries = useQueryClient()
  return async (body: Schemas['ChangeWorkspace']) => {
    const { data } = await api.PATCH('/v1/workspace', { body })
    queries.setQueryData(hooks.queryOptions('get', '/v1/workspace').queryKey, data)
    if (body.name !== undefined) void queries.invalidateQueries({ queryKey: ['get', '/v1/auth/session'] })
  }
}
