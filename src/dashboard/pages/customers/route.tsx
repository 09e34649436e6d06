import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { type NewForm, parseNewForm } from '../../shell/paths.ts'
import { type CustomerFilters, parseCustomerFilters, toQuery } from './filters.ts'

/** Routes `/customers?q&externalId&consent&channelId&range&new`, where `new` opens the form, and `/customers/<id>`. */
export const customerRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/customers',
    validateSearch: (search: Record<string, unknown>): CustomerFilters & NewForm => ({
      ...parseCustomerFilters(search),
      ...parseNewForm(search),
    }),
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(context.queries, '/v1/customers', listParams(toQuery(parseCustomerFilters({ ...deps })))),
    component: lazyPage(() => import('./Customers.tsx'), 'Customers'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/customers/$id',
    component: lazyPage(() => import('./Customer.tsx'), 'Customer'),
  }),
]
