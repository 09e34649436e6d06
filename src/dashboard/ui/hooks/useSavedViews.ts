/** Saved views of a list: named filters that a member keeps in the workspace. */
import { useQueryClient } from '@tanstack/react-query'
import { api, hooks, type Schemas } from '../../api/client.ts'

export type SavedView = Schemas['SavedView']

/** Lists with saved views. One name stands for the lists of all endpoints, workflows or campaigns. */
export type ViewList =
  | 'audit'
  | 'campaigns'
  | 'conversations'
  | 'customers'
  | 'deliveries'
  | 'events'
  | 'messages'
  | 'outbound_events'
  | 'recipients'
  | 'rejected_events'
  | 'runs'
  | 'sales'
  | 'templates'
  | 'workflows'

const staleMs = 60_000

/** Returns the views of a list, ordered by name, and changes of them. Undefined while they load. */
export const useSavedViews = (list: ViewList) => {
  const queries = useQueryClient()
  const init = { params: { query: { list } } }
  const query = hooks.useQuery('get', '/v1/saved-views', init, { staleTime: staleMs })
  const { queryKey } = hooks.queryOptions('get', '/v1/saved-views', init)
  const update = (change: (views: SavedView[]) => SavedView[]) =>
    queries.setQueryData<{ data: SavedView[] }>(queryKey, before => before && { data: change(before.data) })
  return {
    views: query.data?.data,
    failure: query.error,
    retry: () => void query.refetch({ cancelRefetch: false }),
    /** Saves a view. One with the same name is replaced. */
    save: async (view: Pick<SavedView, 'name' | 'search'>): Promise<void> => {
      const { data } = await api.POST('/v1/saved-views', { body: { ...view, list } })
      update(views =>
        [...views.filter(({ id }) => id !== data!.id), data!].sort((a, b) => a.name.localeCompare(b.name)),
      )
    },
    /** Removes the view immediately, and shows it again if the request fails. */
    remove: async (id: string): Promise<void> => {
      await queries.cancelQueries({ queryKey })
      update(views => views.filter(view => view.id !== id))
      try {
        await api.DELETE('/v1/saved-views/{id}', { params: { path: { id } } })
      } catch (error) {
        await queries.invalidateQueries({ queryKey })
        throw error
      }
    },
  }
}
