/** Records that the API finds for a text, for the command palette and the page of an unknown address. */
import { keepPreviousData } from '@tanstack/react-query'
import { hooks } from '../api/client.ts'
import { hasPage, recordLink } from './paths.ts'
import type { SearchItem } from './recent.ts'

/** Minimum query length. A shorter query would match almost everything. */
const minQueryLength = 2

export const useSearchResults = (query: string) => {
  const isSearching = query.length >= minQueryLength
  const { data, error, isFetching, isError, refetch } = hooks.useQuery(
    'get',
    '/v1/search',
    { params: { query: { q: query } } },
    { enabled: isSearching, placeholderData: keepPreviousData },
  )
  const records: SearchItem[] = isSearching
    ? (data?.data ?? []).flatMap(({ type, id, title, detail }) =>
        hasPage(type) ? [{ ...recordLink(type, id), title, detail }] : [],
      )
    : []
  return {
    records,
    isFetching: isSearching && isFetching,
    failure: isSearching && isError ? error : null,
    retry: () => void refetch(),
  }
}
