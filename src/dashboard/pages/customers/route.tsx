import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { customerFilters } from './filters.ts'

/** `/customers?q&externalId`, and `/customers/<id>` for one of them. */
export const customerRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/customers',
    validateSearch: customerFilters,
    component: lazyRouteComponent(() => import('./Customers.tsx'), 'Customers'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/customers/$id',
    component: lazyRouteComponent(() => import('./Customer.tsx'), 'Customer'),
  }),
]
