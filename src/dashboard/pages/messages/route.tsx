import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseMessageFilters, toMessageQuery } from './filters.ts'

/** Routes `/messages?customerId&range&since&until&sort`, and `/messages/<id>`, which opens the side panel. */
export const messageRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/messages',
    validateSearch: parseMessageFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(context.queries, '/v1/messages', listParams(toMessageQuery(parseMessageFilters(deps)))),
    component: lazyPage(() => import('./Messages.tsx'), 'Messages'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./Message.tsx'), 'Message'),
  })
  return [list.addChildren([panel])]
}
