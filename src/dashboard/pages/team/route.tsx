import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseNewForm } from '../../shell/paths.ts'

/** Routes `/team?new`, which opens the invitation, and `/team/<id>` for a member. */
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
  return [list.addChildren([member])]
}
