/** Records that the API finds for a text, for the command palette and the page of an unknown address. */
import { keepPreviousData } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { hooks } from '../api/client.ts'
import { dateFormat } from '../ui/formats.ts'
import { useZone } from '../ui/zone.ts'
import { hasPage, recordLink } from './paths.ts'
import type { SearchItem } from './recent.ts'

/** Times in the details of records. */
const timePattern = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

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
  const { locale } = useIntl()
  const format = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: useZone() })
  const withTimes = (detail: string) => detail.replaceAll(timePattern, time => format.format(new Date(time)))
  const records: SearchItem[] = isSearching
    ? (data?.data ?? []).flatMap(({ type, id, title, detail }) =>
        hasPage(type) ? [{ ...recordLink(type, id), title, detail: withTimes(detail) }] : [],
      )
    : []
  return {
    records,
    isFetching: isSearching && isFetching,
    failure: isSearching && isError ? error : null,
    retry: () => void refetch(),
  }
}
