import { useQueryClient } from '@tanstack/react-query'
import type { paths } from './generated.ts'

/** Refetches the responses of the given paths. */
export const useInvalidate = () => {
  const queries = useQueryClient()
  return (...queryPaths: (keyof paths)[]): Promise<unknown> =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryPaths.some(path => path === queryKey[1]) })
}
