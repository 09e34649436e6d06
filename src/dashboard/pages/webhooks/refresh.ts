import { useQueryClient } from '@tanstack/react-query'

/** Refetches all data of endpoints and deliveries. */
export const useRefresh = (): (() => void) => {
  const queries = useQueryClient()
  return () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/webhooks') })
}
