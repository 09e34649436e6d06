import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseNewForm } from '../../shell/paths.ts'

/** Route `/api-keys?new`, which opens the form. */
export const apiKeyRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/api-keys',
    validateSearch: parseNewForm,
    loader: ({ context }) => prefetchList(context.queries, '/v1/api-keys', listParams({})),
    component: lazyPage(() => import('./ApiKeys.tsx'), 'ApiKeys'),
  }),
]
