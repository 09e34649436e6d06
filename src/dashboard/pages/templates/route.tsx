import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseTemplateFilters } from './filters.ts'

/** Routes `/templates?q&order`, `/templates/new` and `/templates/<id>`. */
export const templateRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/templates',
    validateSearch: parseTemplateFilters,
    loader: ({ context }) => prefetchList(context.queries, '/v1/templates', listParams({})),
    component: lazyPage(() => import('./Templates.tsx'), 'Templates'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/templates/new',
    component: lazyPage(() => import('./TemplatePage.tsx'), 'NewTemplate'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/templates/$id',
    component: lazyPage(() => import('./TemplatePage.tsx'), 'TemplatePage'),
  }),
]
