import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** `/not-accepted`, `/not-accepted/<id>` for the panel beside the list, `/not-accepted/check?of=<id>` to check a body. */
export const notAcceptedRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/not-accepted',
    component: lazyRouteComponent(() => import('./NotAccepted.tsx'), 'NotAccepted'),
  })
  const check = createRoute({
    getParentRoute: () => list,
    path: 'check',
    validateSearch: (search: Record<string, unknown>): { of?: string } =>
      typeof search.of === 'string' ? { of: search.of } : {},
    component: lazyRouteComponent(() => import('./CheckPanel.tsx'), 'CheckPanel'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyRouteComponent(() => import('./ProblemPanel.tsx'), 'ProblemPanel'),
  })
  return [list.addChildren([check, panel])]
}
