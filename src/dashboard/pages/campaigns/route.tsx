import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { askAhead, listOf } from '../../api/pages.ts'
import { lazyPage } from '../../shell/lazyPage.ts'
import { recipientFilters } from './status.ts'

/** Routes `/campaigns`, `/campaigns/new`, `/campaigns/<id>` and `/campaigns/<id>/recipients?outcome`. */
export const campaignRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns',
    loader: ({ context }) => askAhead(context.queries, '/v1/campaigns', listOf({})),
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
    validateSearch: recipientFilters,
    component: lazyPage(() => import('./Recipients.tsx'), 'Recipients'),
  }),
]
