/** Helpers that show a list with cursor pagination as one growing list. */
import { type QueryClient, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import type { PathsWithMethod } from 'openapi-typescript-helpers'
import { api } from './client.ts'
import type { paths } from './generated.ts'

export interface CursorPage<Row> {
  data: Row[]
  nextCursor?: string | null
}

/** Page size of every list, in rows. */
export const pageSize = 50

type ListInit = { params: { query: object; path?: object } }

/** Reads a page of a list outside of its query. Without a cursor, it reads the first page. */
const readPage = async (
  path: PathsWithMethod<paths, 'get'>,
  { params }: ListInit,
  { cursor, limit, signal }: { cursor: string | null; limit: number; signal: AbortSignal },
): Promise<CursorPage<unknown>> => {
  const { data } = await api.GET(
    path as never,
    { params: { ...params, query: { ...params.query, limit, cursor } }, signal } as never,
  )
  return data as unknown as CursorPage<unknown>
}

/** Maximum number of rows of a page, the limit of the API. */
const maxPageSize = 100

/** Returns a function that reads the pages of a list for an export. */
export const pageReader =
  <Row>(path: PathsWithMethod<paths, 'get'>, init: ListInit) =>
  (cursor: string | null, signal: AbortSignal) =>
    readPage(path, init, { cursor, limit: maxPageSize, signal }) as Promise<CursorPage<Row>>

/** Query parameters of a list, shared by its page and by the prefetch. */
export const listParams = <Filters extends object>(filters: Filters) => ({
  params: { query: { limit: pageSize, ...filters } },
})

/** Options for `hooks.useInfiniteQuery` on any list of the API. */
export const cursorPagination = {
  pageParamName: 'cursor',
  // null and not undefined: the hooks replace undefined with their own default cursor.
  initialPageParam: null as string | null,
  getNextPageParam: (last: CursorPage<unknown>) => last.nextCursor,
}

/** Data of a list, in the shape that `List` takes. */
export interface Rows<Row> {
  rows: Row[] | undefined
  failure: unknown
  retry: () => void
  loadMore: (() => void) | null
  loadingMore: boolean
}

/** Returns the rows of all pages fetched so far, in order. */
export const toRows = <Row>(
  query: Pick<
    UseInfiniteQueryResult<{ pages: CursorPage<Row>[] }, unknown>,
    'data' | 'error' | 'refetch' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'
  >,
): Rows<Row> => ({
  rows: query.data?.pages.flatMap(page => page.data),
  failure: query.error,
  // Another click does not cancel the running request.
  retry: () => void query.refetch({ cancelRefetch: false }),
  loadMore: query.hasNextPage ? () => void query.fetchNextPage() : null,
  loadingMore: query.isFetchingNextPage,
})

/**
 * Returns whether a list has no records: its first page is empty, and the address has no filter. A list with a default
 * time range needs `useIsUnused`.
 */
export const isUnused = (
  query: { data: { pages: CursorPage<unknown>[] } | undefined; isPlaceholderData: boolean },
  isFiltered: boolean,
): boolean => !isFiltered && !query.isPlaceholderData && query.data?.pages[0]?.data.length === 0

/**
 * Returns whether a list with a default time range has no records, even older ones. Reads one record of all times once
 * the range is empty. Null until it is known.
 */
export const useIsUnused = (
  path: PathsWithMethod<paths, 'get'>,
  query: Parameters<typeof isUnused>[0],
  isFiltered: boolean,
  pathParams?: object,
): boolean | null => {
  const hasNoRecent = isUnused(query, isFiltered)
  const init = { params: { ...(pathParams && { path: pathParams }), query: { limit: 1 } } }
  const { data, error } = useQuery({
    queryKey: ['get', path, init],
    queryFn: ({ signal }) => readPage(path, init, { cursor: null, limit: 1, signal }),
    enabled: hasNoRecent,
  })
  if (!hasNoRecent) return false
  if (data) return data.data.length === 0
  return error ? false : null
}

/**
 * Prefetches the first rows of a list while the code of its page loads. `hooks.useInfiniteQuery` finds them under the
 * same path and parameters. Does nothing until the session is known.
 */
export const prefetchList = (
  queries: QueryClient,
  path: PathsWithMethod<paths, 'get'>,
  init: ReturnType<typeof listParams>,
): void => {
  if (queries.getQueryData(['get', '/v1/auth/session', {}]) === undefined) return
  void queries.prefetchInfiniteQuery({
    queryKey: ['get', path, init],
    queryFn: ({ signal, pageParam: cursor }) => readPage(path, init, { cursor, limit: pageSize, signal }),
    ...cursorPagination,
  })
}
