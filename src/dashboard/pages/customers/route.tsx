import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { customerFilters } from './filters.ts'

/** `/customers?q&externalId`, and `/customers/<id>` for one of them. */
export const customerRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/customers',
    validateSearch: customerFilters,
    component: lazyPage(() => import('./Customers.tsx'), 'Customers'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/customers/$id',
    component: lazyPage(() => import('./Customer.tsx'), 'Customer'),
  }),
]
