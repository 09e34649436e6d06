import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const planRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/plan',
    component: lazyRouteComponent(() => import('./Plan.tsx'), 'Plan'),
  }),
]
