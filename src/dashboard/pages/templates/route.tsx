import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** `/templates`, `/templates/new`, and `/templates/<id>` for one of them. */
export const templateRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/templates',
    component: lazyRouteComponent(() => import('./Templates.tsx'), 'Templates'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/templates/new',
    component: lazyRouteComponent(() => import('./TemplatePage.tsx'), 'NewTemplate'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/templates/$id',
    component: lazyRouteComponent(() => import('./TemplatePage.tsx'), 'TemplatePage'),
  }),
]
