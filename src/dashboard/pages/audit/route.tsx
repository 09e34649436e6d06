import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseAuditFilters } from './filters.ts'

/** Routes `/audit?actorId&action&targetId` and `/audit/<id>`, which opens the side panel. */
export const auditRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/audit',
    validateSearch: parseAuditFilters,
    component: lazyPage(() => import('./Audit.tsx'), 'Audit'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./AuditPanel.tsx'), 'AuditPanel'),
  })
  return [list.addChildren([panel])]
}
