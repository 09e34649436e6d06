import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { auditFilters } from './filters.ts'

/** `/audit?actorId&action&targetId`, and `/audit/<id>` for the panel beside the list. */
export const auditRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/audit',
    validateSearch: auditFilters,
    component: lazyRouteComponent(() => import('./Audit.tsx'), 'Audit'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyRouteComponent(() => import('./AuditPanel.tsx'), 'AuditPanel'),
  })
  return [list.addChildren([panel])]
}
