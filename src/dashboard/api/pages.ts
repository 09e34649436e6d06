/** Lists that go on by cursor, as one growing list. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

export interface PageOf<Row> {
  data: Row[]
  nextCursor?: string | null
}

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
