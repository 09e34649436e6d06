import { useQueryClient } from '@tanstack/react-query'
import { api, hooks, type Schemas } from '../../api/client.ts'

/** Changes what is given of a customer, and shows what came of it at once. */
export const useChange = ({ id }: Schemas['Customer']) => {
  const take = useTake(id)
  return async (change: Schemas['ChangeCustomer']): Promise<void> => {
    const { data } = await api.PATCH('/v1/customers/{id}', { params: { path: { id } }, body: change })
    take(data!)
  }
}

/** Puts a customer that was just answered in the place of the one that is shown; lists are asked for anew. */
export const useTake = (id: string) => {
  const queries = useQueryClient()
  return (customer: Schemas['Customer']): void => {
    const { queryKey } = hooks.queryOptions('get', '/v1/customers/{id}', { params: { path: { id } } })
    queries.setQueryData(queryKey, customer)
    void queries.invalidateQueries({ predicate: query => String(query.queryKey[1]).startsWith('/v1/customers') })
  }
}
