import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { eventFilters } from './filters.ts'

/** `/events?type&reason`, and `/events/<id>` for the panel beside the list. */
export const eventRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/events',
    validateSearch: eventFilters,
    component: lazyRouteComponent(() => import('./Events.tsx'), 'Events'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyRouteComponent(() => import('./EventPanel.tsx'), 'EventPanel'),
  })
  return [list.addChildren([panel])]
}
