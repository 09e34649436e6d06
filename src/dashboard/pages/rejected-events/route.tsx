import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'

/**
 * Routes `/not-accepted`, `/not-accepted/<id>`, which opens the side panel, and `/not-accepted/check?of=<id>` to check
 * a body.
 */
export const rejectedEventRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/not-accepted',
    loader: ({ context }) => prefetchList(context.queries, '/v1/activity/not-accepted', listParams({})),
    component: lazyPage(() => import('./RejectedEvents.tsx'), 'RejectedEvents'),
  })
  const check = createRoute({
    getParentRoute: () => list,
    path: 'check',
    validateSearch: (search: Record<string, unknown>): { of?: string } =>
      typeof search.of === 'string' ? { of: search.of } : {},
    component: lazyPage(() => import('./CheckPanel.tsx'), 'CheckPanel'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./RejectedEventPanel.tsx'), 'RejectedEventPanel'),
  })
  return [list.addChildren([check, panel])]
}
