import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseRejectedEventFilters, toRejectedEventQuery } from './filters.ts'

/**
 * Routes `/not-accepted?range&since&until&sender&apiKeyId&message`, `/not-accepted/<id>`, which opens the side panel, and
 * `/not-accepted/check?of=<id>&apply` to check a body, with the suggested names applied.
 */
export const rejectedEventRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/not-accepted',
    validateSearch: parseRejectedEventFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(
        context.queries,
        '/v1/activity/not-accepted',
        listParams(toRejectedEventQuery(parseRejectedEventFilters(deps))),
      ),
    component: lazyPage(() => import('./RejectedEvents.tsx'), 'RejectedEvents'),
  })
  const check = createRoute({
    getParentRoute: () => list,
    path: 'check',
    validateSearch: (search: Record<string, unknown>): { of?: string; apply?: true } => ({
      ...(typeof search.of === 'string' && { of: search.of }),
      ...(String(search.apply) === 'true' && { apply: true as const }),
    }),
    component: lazyPage(() => import('./CheckPanel.tsx'), 'CheckPanel'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./RejectedEventPanel.tsx'), 'RejectedEventPanel'),
  })
  return [list.addChildren([check, panel])]
}
