import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

const reasons = ['no_listener', 'switched_off', 'never_published', 'not_run_for_customer'] as const

export type EventFilters = { type?: string; reason?: (typeof reasons)[number] }

/** `/events?type&reason`, and `/events/<id>` for the panel beside the list. */
export const eventRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/events',
    validateSearch: (search: Record<string, unknown>): EventFilters => ({
      ...(typeof search.type === 'string' && search.type && { type: search.type }),
      ...(reasons.find(reason => reason === search.reason) && { reason: search.reason as EventFilters['reason'] }),
    }),
    component: lazyRouteComponent(() => import('./Events.tsx'), 'Events'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyRouteComponent(() => import('./EventPanel.tsx'), 'EventPanel'),
  })
  return [list.addChildren([panel])]
}
