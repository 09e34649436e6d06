import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseNewForm } from '../../shell/paths.ts'

/** Routes `/team?new`, which opens the invitation, `/team/<id>` for a member, and `/team/workspace` for the workspace settings. */
export const teamRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/team',
    validateSearch: parseNewForm,
    component: lazyPage(() => import('./Team.tsx'), 'Team'),
  })
  const member = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./MemberPanel.tsx'), 'MemberPanel'),
  })
  const workspace = createRoute({
    getParentRoute: () => list,
    path: 'workspace',
    component: lazyPage(() => import('./WorkspacePanel.tsx'), 'WorkspacePanel'),
  })
  return [list.addChildren([member, workspace])]
}
