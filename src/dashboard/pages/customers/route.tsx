import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { askAhead, listOf } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { customerFilters, queryOf } from './filters.ts'

/** Routes `/customers?q&externalId` and `/customers/<id>`. */
export const customerRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/customers',
    validateSearch: customerFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) => askAhead(context.queries, '/v1/customers', listOf(queryOf(deps))),
    component: lazyPage(() => import('./Customers.tsx'), 'Customers'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/customers/$id',
    component: lazyPage(() => import('./Customer.tsx'), 'Customer'),
  }),
]
