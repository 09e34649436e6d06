import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { outcomes, type RecipientFilters } from './status.ts'

const recipientFilters = (search: Record<string, unknown>): RecipientFilters => {
  const outcome = outcomes.find(one => one === search.outcome)
  return outcome ? { outcome } : {}
}

/** `/campaigns`, `/campaigns/new`, `/campaigns/<id>`, and `/campaigns/<id>/recipients?outcome`. */
export const campaignRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns',
    component: lazyRouteComponent(() => import('./Campaigns.tsx'), 'Campaigns'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns/new',
    component: lazyRouteComponent(() => import('./CampaignPage.tsx'), 'NewCampaign'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns/$id',
    component: lazyRouteComponent(() => import('./CampaignPage.tsx'), 'CampaignPage'),
  }),
  createRoute({
    getParentRoute: () => parent,
    path: '/campaigns/$id/recipients',
    validateSearch: recipientFilters,
    component: lazyRouteComponent(() => import('./Recipients.tsx'), 'Recipients'),
  }),
]
