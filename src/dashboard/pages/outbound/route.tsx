import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { outboundParams, parseOutboundFilters } from './filters.ts'

/** Routes `/outbound?type&webhookId&range` and `/outbound/<id>`, which opens the side panel. */
export const outboundRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/outbound',
    validateSearch: parseOutboundFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(context.queries, '/v1/outbound-events', outboundParams(parseOutboundFilters(deps))),
    component: lazyPage(() => import('./Outbound.tsx'), 'Outbound'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./OutboundPanel.tsx'), 'OutboundPanel'),
  })
  return [list.addChildren([panel])]
}
