import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** `/team`, `/team/<id>` for one of them, and `/team/workspace` for what holds for all. */
export const teamRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/team',
    component: lazyRouteComponent(() => import('./Team.tsx'), 'Team'),
  })
  const member = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyRouteComponent(() => import('./MemberPanel.tsx'), 'MemberPanel'),
  })
  const workspace = createRoute({
    getParentRoute: () => list,
    path: 'workspace',
    component: lazyRouteComponent(() => import('./WorkspacePanel.tsx'), 'WorkspacePanel'),
  })
  return [list.addChildren([member, workspace])]
}
