import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { toLocalPath } from './local-path.ts'
// The form loads without the styles of other pages.
import './sign-in.module.css'

export const signInRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/sign-in',
    validateSearch: (search: Record<string, unknown>): { to?: string } => {
      const to = toLocalPath(search.to)
      return to === undefined ? {} : { to }
    },
    component: lazyRouteComponent(() => import('./SignIn.tsx'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/sign-in/sso',
    component: lazyPage(() => import('./SingleSignOn.tsx'), 'SingleSignOn'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/link-identity',
    component: lazyPage(() => import('./LinkIdentity.tsx'), 'LinkIdentity'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/forgot-password',
    component: lazyPage(() => import('./ForgotPassword.tsx'), 'ForgotPassword'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/accept-invitation',
    component: lazyPage(() => import('./AcceptInvitation.tsx'), 'AcceptInvitation'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/reset-password',
    component: lazyPage(() => import('./ResetPassword.tsx'), 'ResetPassword'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/confirm-email',
    component: lazyPage(() => import('./ConfirmEmail.tsx'), 'ConfirmEmail'),
  }),
]
