/** Lists that go on by cursor, as one growing list. */
import type { QueryClient, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { PathsWithMethod } from 'openapi-typescript-helpers'
import { api } from './client.ts'
import type { paths } from './generated.ts'

export interface PageOf<Row> {
  data: Row[]
  nextCursor?: string | null
}

/** Rows of one page of any list. */
export const pageSize = 50

/** What a list is asked for, by the page that shows it and ahead of it. */
export const listOf = <Filters extends object>(filters: Filters) => ({
  params: { query: { limit: pageSize, ...filters } },
})

/** For `hooks.useInfiniteQuery` on any list of the interface. */
export const byCursor = {
  pageParamName: 'cursor',
  // null, and not undefined: for that one the hooks have a cursor of their own.
  initialPageParam: null as string | null,
  getNextPageParam: (last: PageOf<unknown>) => last.nextCursor,
}

/** What a list shows; the shape that `List` takes. */
export interface Rows<Row> {
  rows: Row[] | undefined
  failure: unknown
  retry: () => void
  more: (() => void) | null
  loadingMore: boolean
}

/** The pages fetched so far, one after the other. */
export const rowsOf = <Row>(
  query: Pick<
    UseInfiniteQueryResult<{ pages: PageOf<Row>[] }, unknown>,
    'data' | 'error' | 'refetch' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'
  >,
): Rows<Row> => ({
  rows: query.data?.pages.flatMap(page => page.data),
  failure: query.error,
  retry: () => void query.refetch(),
  more: query.hasNextPage ? () => void query.fetchNextPage() : null,
  loadingMore: query.isFetchingNextPage,
})

/**
 * Asks for the first rows of a list while its page is still being loaded: `hooks.useInfiniteQuery` finds them, or waits for
 * them, under the same path and parameters. Not before it is known who is signed in.
 */
export const askAhead = (
  queries: QueryClient,
  path: PathsWithMethod<paths, 'get'>,
  init: ReturnType<typeof listOf>,
): void => {
  if (queries.getQueryData(['get', '/v1/auth/session', {}]) === undefined) return
  void queries.prefetchInfiniteQuery({
    queryKey: ['get', path, init],
    queryFn: async ({ signal, pageParam: cursor }) => {
      const { data } = await api.GET(
        path as never,
        { params: { query: { ...init.params.query, cursor } }, signal } as never,
      )
      return data as unknown as PageOf<unknown>
    },
    ...byCursor,
  })
}
