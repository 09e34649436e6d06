import { type AnyRoute, createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'

/**
 * Routes `/settings/workspace`, `/settings/plan`, `/settings/security`, `/settings/opt-out-words` and
 * `/settings/notifications`. `/settings` redirects to the first.
 */
export const settingsRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const settings = createRoute({
    getParentRoute: () => parent,
    path: '/settings',
    component: lazyPage(() => import('./Settings.tsx'), 'Settings'),
  })
  const first = createRoute({
    getParentRoute: () => settings,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/settings/workspace', replace: true })
    },
  })
  const plan = createRoute({
    getParentRoute: () => settings,
    path: 'plan',
    component: lazyPage(() => import('../plan/Plan.tsx'), 'Plan'),
  })
  const workspace = createRoute({
    getParentRoute: () => settings,
    path: 'workspace',
    component: lazyPage(() => import('./WorkspaceSettings.tsx'), 'WorkspaceSettings'),
  })
  const security = createRoute({
    getParentRoute: () => settings,
    path: 'security',
    component: lazyPage(() => import('./SecuritySettings.tsx'), 'SecuritySettings'),
  })
  const optOutWords = createRoute({
    getParentRoute: () => settings,
    path: 'opt-out-words',
    component: lazyPage(() => import('./OptOutWords.tsx'), 'OptOutWords'),
  })
  const notifications = createRoute({
    getParentRoute: () => settings,
    path: 'notifications',
    component: lazyPage(() => import('./Notifications.tsx'), 'Notifications'),
  })
  return [settings.addChildren([first, workspace, plan, security, optOutWords, notifications])]
}
