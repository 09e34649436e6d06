import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { listParams, prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseRecipientFilters } from './status.ts'

/** Routes `/campaigns`, `/campaigns/new`, `/campaigns/<id>` and `/campaigns/<id>/recipients?outcome`. */
export const campaignRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns',
    loader: ({ context }) => prefetchList(context.queries, '/v1/campaigns', listParams({})),
    component: lazyPage(() => import('./Campaigns.tsx'), 'Campaigns'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns/new',
    component: lazyPage(() => import('./CampaignPage.tsx'), 'NewCampaign'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns/$id',
    component: lazyPage(() => import('./CampaignPage.tsx'), 'CampaignPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns/$id/recipients',
    validateSearch: parseRecipientFilters,
    component: lazyPage(() => import('./Recipients.tsx'), 'Recipients'),
  }),
]
