import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { prefetchChannelKinds } from '../../api/channel-kinds.ts'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseTimeRange } from '../../ui/time-range/time-range.ts'
import { parseConnectSearch } from './kinds.ts'

/** Routes `/channels?range&since&until`, `/channels/new?kind` to connect a channel, and `/channels/<id>`, which opens the side panel. */
export const channelRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const list = createRoute({
    getParentRoute: () => parent,
    path: '/channels',
    validateSearch: parseTimeRange,
    loader: ({ context }) => {
      prefetchList(context.queries, '/v1/channels', listParams({}))
      prefetchChannelKinds(context.queries)
    },
    component: lazyPage(() => import('./Channels.tsx'), 'Channels'),
  })
  const connect = createRoute({
    getParentRoute: () => list,
    path: 'new',
    validateSearch: parseConnectSearch,
    component: lazyPage(() => import('./Connect.tsx'), 'Connect'),
  })
  const panel = createRoute({
    getParentRoute: () => list,
    path: '$id',
    component: lazyPage(() => import('./ChannelPanel.tsx'), 'ChannelPanel'),
  })
  return [list.addChildren([connect, panel])]
}
