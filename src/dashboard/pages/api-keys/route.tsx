import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'

/** Route `/api-keys`. */
export const apiKeyRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/api-keys',
    loader: ({ context }) => prefetchList(context.queries, '/v1/api-keys', listParams({})),
    component: lazyPage(() => import('./ApiKeys.tsx'), 'ApiKeys'),
  }),
]
