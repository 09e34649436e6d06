import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { askAhead, listOf } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { outboundFilters } from './filters.ts'

/** Routes `/outbound?type` and `/outbound/<id>`, which opens the side panel. */
export const outboundRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/outbound',
    validateSearch: outboundFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) => askAhead(context.queries, '/v1/outbound-events', listOf(outboundFilters(deps))),
    component: lazyPage(() => import('./Outbound.tsx'), 'Outbound'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./OutboundPanel.tsx'), 'OutboundPanel'),
  })
  return [list.addChildren([panel])]
}
