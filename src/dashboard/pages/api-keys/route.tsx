import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'

/** `/api-keys`. */
export const apiKeyRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/api-keys',
    component: lazyPage(() => import('./ApiKeys.tsx'), 'ApiKeys'),
  }),
]
