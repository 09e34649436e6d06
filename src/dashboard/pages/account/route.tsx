import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountPath } from '../../shell/navigation.ts'

export const accountRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: accountPath,
    component: lazyRouteComponent(() => import('./Account.tsx'), 'Account'),
  }),
]
