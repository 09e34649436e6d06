import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { accountPath } from '../../shell/navigation.ts'

export const accountRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: accountPath,
    component: lazyPage(() => import('./Account.tsx'), 'Account'),
  }),
]
