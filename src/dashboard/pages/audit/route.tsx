import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { auditFilters } from './filters.ts'

/** `/audit?actorId&action&targetId`, and `/audit/<id>` for the panel beside the list. */
export const auditRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/audit',
    validateSearch: auditFilters,
    component: lazyPage(() => import('./Audit.tsx'), 'Audit'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./AuditPanel.tsx'), 'AuditPanel'),
  })
  return [list.addChildren([panel])]
}
