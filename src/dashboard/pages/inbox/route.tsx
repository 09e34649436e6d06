import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { askAhead, listOf } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { inboxSearch, queryOf } from './filters.ts'

/** Routes `/inbox?filter&phone` and `/inbox/<id>`, which opens a conversation next to the list. */
export const inboxRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/inbox',
    validateSearch: inboxSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      askAhead(context.queries, '/v1/conversations', listOf(queryOf[inboxSearch(deps).filter ?? 'waiting'])),
    component: lazyPage(() => import('./Inbox.tsx'), 'Inbox'),
  })
  const nobody = createRoute({
    getParentRoute: () => list,
    path: '/',
    component: lazyPage(() => import('./Nobody.tsx'), 'Nobody'),
  })
  const thread = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./Thread.tsx'), 'Thread'),
  })
  return [list.addChildren([nobody, thread])]
}
