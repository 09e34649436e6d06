import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** `/runs/<id>`: one run of a workflow. */
export const runRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/runs/$id',
    component: lazyRouteComponent(() => import('./Run.tsx'), 'RunPage'),
  }),
]
