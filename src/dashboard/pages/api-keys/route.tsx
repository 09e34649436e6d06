import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** `/api-keys`. */
export const apiKeyRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/api-keys',
    component: lazyRouteComponent(() => import('./ApiKeys.tsx'), 'ApiKeys'),
  }),
]
