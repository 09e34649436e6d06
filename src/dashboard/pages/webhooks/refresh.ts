import { useQueryClient } from '@tanstack/react-query'

/** Everything that is shown of endpoints and deliveries, asked for anew. */
export const useRefresh = (): (() => void) => {
  const queries = useQueryClient()
  return () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/webhooks') })
}
