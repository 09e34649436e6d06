import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inboxSearch } from './filters.ts'

/** `/inbox?filter`, and `/inbox/<id>` for one conversation beside the list. */
export const inboxRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/inbox',
    validateSearch: inboxSearch,
    component: lazyRouteComponent(() => import('./Inbox.tsx'), 'Inbox'),
  })
  const nobody = createRoute({
    getParentRoute: () => list,
    path: '/',
    component: lazyRouteComponent(() => import('./Nobody.tsx'), 'Nobody'),
  })
  const thread = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyRouteComponent(() => import('./Thread.tsx'), 'Thread'),
  })
  return [list.addChildren([nobody, thread])]
}
