import { useQueryClient } from '@tanstack/react-query'
import { api, hooks, type Schemas } from '../../api/client.ts'

/** Updates fields of a customer and shows the result immediately. */
export const useChangeCustomer = ({ id }: Schemas['Customer']) => {
  const updateCache = useUpdateCache(id)
  return async (change: Schemas['ChangeCustomer']): Promise<void> => {
    const { data } = await api.PATCH('/v1/customers/{id}', { params: { path: { id } }, body: change })
    updateCache(data!)
  }
}

/** Replaces the cached customer with one from a response and refetches the lists. */
export const useUpdateCache = (id: string) => {
  const queries = useQueryClient()
  return (customer: Schemas['Customer']): void => {
    const { queryKey } = hooks.queryOptions('get', '/v1/customers/{id}', { params: { path: { id } } })
    queries.setQueryData(queryKey, customer)
    void queries.invalidateQueries({ predicate: query => String(query.queryKey[1]).startsWith('/v1/customers') })
  }
}
