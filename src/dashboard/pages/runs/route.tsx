import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'

/** Route `/runs/<id>`: one run of a workflow. */
export const runRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/runs/$id',
    component: lazyPage(() => import('./Run.tsx'), 'RunPage'),
  }),
]
