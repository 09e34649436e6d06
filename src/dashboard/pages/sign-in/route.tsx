import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
// The form loads without the styles of other pages.
import './sign-in.module.css'

/** Returns a redirect target within the dashboard, or undefined for other addresses. This prevents open redirects. */
const toLocalPath = (to: unknown): string | undefined =>
  typeof to === 'string' && /^\/(?![/\\])/.test(to) && !to.startsWith('/sign-in') ? to : undefined

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
