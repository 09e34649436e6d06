import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseEventFilters } from './filters.ts'

/**
 * Routes `/events?type&started&reason&sender&customerId`, `/events/<id>`, which opens the side panel, and
 * `/events/send?again` to send an event.
 */
export const eventRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/events',
    validateSearch: parseEventFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(context.queries, '/v1/activity/events', listParams(parseEventFilters(deps))),
    component: lazyPage(() => import('./Events.tsx'), 'Events'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./EventPanel.tsx'), 'EventPanel'),
  })
  const send = createRoute({
    getParentRoute: () => list,
    path: 'send',
    validateSearch: (search: Record<string, unknown>): { again?: string } =>
      typeof search.again === 'string' ? { again: search.again } : {},
    component: lazyPage(() => import('./SendPanel.tsx'), 'SendPanel'),
  })
  return [list.addChildren([send, panel])]
}
