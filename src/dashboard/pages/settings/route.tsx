import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'

/** Routes `/settings/workspace`, `/settings/security`, `/settings/opt-out-words` and `/settings/notifications`. */
export const settingsRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const settings = createRoute({
    getParentRoute: () => parent,
    path: '/settings',
    component: lazyPage(() => import('./Settings.tsx'), 'Settings'),
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
  return [settings.addChildren([workspace, security, optOutWords, notifications])]
}
