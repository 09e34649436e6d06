import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { inboxSearch } from './filters.ts'

/** `/inbox?filter&phone`, and `/inbox/<id>` for one conversation beside the list. */
export const inboxRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/inbox',
    validateSearch: inboxSearch,
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
