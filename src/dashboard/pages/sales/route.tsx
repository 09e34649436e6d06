import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseSaleFilters, saleParams } from './filters.ts'

/** Routes `/sales?customerId&markedBy&voided&range&since&until&sort`, and `/sales/<id>`, which opens the side panel. */
export const saleRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/sales',
    validateSearch: parseSaleFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) => prefetchList(context.queries, '/v1/sales', saleParams(parseSaleFilters(deps))),
    component: lazyPage(() => import('./Sales.tsx'), 'Sales'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./SalePanel.tsx'), 'SalePanel'),
  })
  return [list.addChildren([panel])]
}
