import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { isId } from '../customers/filters.ts'
import { parseEventFilters, toEventQuery } from './filters.ts'

/**
 * Routes `/events?type&started&reason&sender&customerId&range&since&until&sort`, `/events/<id>`, which opens the side panel,
 * and `/events/send?again&as` to send an event, again with another type.
 */
export const eventRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/events',
    validateSearch: parseEventFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(context.queries, '/v1/activity/events', listParams(toEventQuery(parseEventFilters(deps)))),
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
    validateSearch: (search: Record<string, unknown>): { again?: string; as?: string } => ({
      ...(isId(search.again) && { again: search.again }),
      ...(typeof search.as === 'string' && { as: search.as }),
    }),
    component: lazyPage(() => import('./SendPanel.tsx'), 'SendPanel'),
  })
  return [list.addChildren([send, panel])]
}
