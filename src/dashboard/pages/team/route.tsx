import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** `/team`, and `/team/workspace` for what holds for all of them. */
export const teamRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/team',
    component: lazyRouteComponent(() => import('./Team.tsx'), 'Team'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: 'workspace',
    component: lazyRouteComponent(() => import('./WorkspacePanel.tsx'), 'WorkspacePanel'),
  })
  return [list.addChildren([panel])]
}
