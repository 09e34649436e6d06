import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseTimeRange } from '../../ui/time-range/time-range.ts'
import { parseInboxSearch, toQuery } from './filters.ts'

/**
 * Routes `/inbox?filter&phone`, `/inbox/statistics?range` and `/inbox/<id>`, which open next to the list of
 * conversations.
 */
export const inboxRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/inbox',
    validateSearch: parseInboxSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(context.queries, '/v1/conversations', listParams(toQuery(parseInboxSearch(deps)))),
    component: lazyPage(() => import('./Inbox.tsx'), 'Inbox'),
  })
  const index = createRoute({
    getParentRoute: () => list,
    path: '/',
    component: lazyPage(() => import('./NoConversation.tsx'), 'NoConversation'),
  })
  const statistics = createRoute({
    getParentRoute: () => list,
    path: 'statistics',
    validateSearch: parseTimeRange,
    component: lazyPage(() => import('./statistics/Statistics.tsx'), 'Statistics'),
  })
  const thread = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./Thread.tsx'), 'Thread'),
  })
  return [list.addChildren([index, statistics, thread])]
}
