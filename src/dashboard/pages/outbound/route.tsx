import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { outboundFilters } from './filters.ts'

/** `/outbound?type`, and `/outbound/<id>` for the panel beside the list. */
export const outboundRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/outbound',
    validateSearch: outboundFilters,
    component: lazyPage(() => import('./Outbound.tsx'), 'Outbound'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./OutboundPanel.tsx'), 'OutboundPanel'),
  })
  return [list.addChildren([panel])]
}
