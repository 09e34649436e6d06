import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { outboundFilters } from './filters.ts'

/** `/outbound?type`, and `/outbound/<id>` for the panel beside the list. */
export const outboundRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/outbound',
    validateSearch: outboundFilters,
    component: lazyRouteComponent(() => import('./Outbound.tsx'), 'Outbound'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyRouteComponent(() => import('./OutboundPanel.tsx'), 'OutboundPanel'),
  })
  return [list.addChildren([panel])]
}
