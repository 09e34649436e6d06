import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'

/** Routes `/api-keys` and `/api-keys/new`, which opens the form of a new key. */
export const apiKeyRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/api-keys',
    loader: ({ context }) => prefetchList(context.queries, '/v1/api-keys', listParams({})),
    component: lazyPage(() => import('./ApiKeys.tsx'), 'ApiKeys'),
  })
  const newKey = createRoute({
    getParentRoute: () => list,
    path: 'new',
    component: lazyPage(() => import('./NewApiKey.tsx'), 'NewApiKey'),
  })
  return [list.addChildren([newKey])]
}
