import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { filterQueries, parseInboxSearch } from './filters.ts'

/** Routes `/inbox?filter&phone` and `/inbox/<id>`, which opens a conversation next to the list. */
export const inboxRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/inbox',
    validateSearch: parseInboxSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(
        context.queries,
        '/v1/conversations',
        listParams(filterQueries[parseInboxSearch(deps).filter ?? 'waiting']),
      ),
    component: lazyPage(() => import('./Inbox.tsx'), 'Inbox'),
  })
  const index = createRoute({
    getParentRoute: () => list,
    path: '/',
    component: lazyPage(() => import('./NoConversation.tsx'), 'NoConversation'),
  })
  const thread = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./Thread.tsx'), 'Thread'),
  })
  return [list.addChildren([index, thread])]
}
