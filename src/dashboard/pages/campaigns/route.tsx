import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { prefetchList } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { campaignParams, parseCampaignFilters } from './filters.ts'
import { parseRecipientFilters } from './status.ts'

/**
 * Routes `/campaigns?q&status&range&since&until&sort`, `/campaigns/new`, `/campaigns/<id>` and
 * `/campaigns/<id>/recipients?outcome&customerId`.
 */
export const campaignRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns',
    validateSearch: parseCampaignFilters,
    loaderDeps: ({ search }) => search,
    loader: ({ context, deps }) =>
      prefetchList(context.queries, '/v1/campaigns', campaignParams(parseCampaignFilters(deps))),
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
