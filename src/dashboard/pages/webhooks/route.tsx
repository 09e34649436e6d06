import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'
import { parseTimeRange } from '../../ui/time-range/time-range.ts'
import { isId } from '../customers/filters.ts'
import { parseDeliveryFilters } from './delivery/filters.ts'

/**
 * Routes `/webhooks?range`, `/webhooks/new` and `/webhooks/doctor`. An endpoint has `/webhooks/<id>?status&eventType&statusCode&range`,
 * `/webhooks/<id>/deliveries/<id>`, which opens the side panel, `/webhooks/<id>/settings` and `/webhooks/<id>/edit`.
 * `/deliveries/<id>` redirects to the panel.
 */
export const webhookRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const cards = createRoute({
    getParentRoute: () => parent,
    path: '/webhooks',
    validateSearch: parseTimeRange,
    component: lazyPage(() => import('./Webhooks.tsx'), 'Webhooks'),
  })
  const newEndpoint = createRoute({
    getParentRoute: () => parent,
    path: '/webhooks/new',
    component: lazyPage(() => import('./form/NewEndpoint.tsx'), 'NewEndpoint'),
  })
  const signatureCheck = createRoute({
    getParentRoute: () => parent,
    path: '/webhooks/doctor',
    validateSearch: (search: Record<string, unknown>): { webhook?: string; delivery?: string } =>
      isId(search.webhook) && isId(search.delivery) ? { webhook: search.webhook, delivery: search.delivery } : {},
    component: lazyPage(() => import('./SignatureCheck.tsx'), 'SignatureCheck'),
  })
  const editEndpoint = createRoute({
    getParentRoute: () => parent,
    path: '/webhooks/$id/edit',
    component: lazyPage(() => import('./form/EditEndpoint.tsx'), 'EditEndpoint'),
  })
  const settings = createRoute({
    getParentRoute: () => parent,
    path: '/webhooks/$id/settings',
    component: lazyPage(() => import('./Endpoint.tsx'), 'EndpointSettings'),
  })
  const endpoint = createRoute({
    getParentRoute: () => parent,
    path: '/webhooks/$id',
    validateSearch: parseDeliveryFilters,
    component: lazyPage(() => import('./Endpoint.tsx'), 'EndpointDeliveries'),
  })
  const delivery = createRoute({
    getParentRoute: () => endpoint,
    path: 'deliveries/$deliveryId',
    component: lazyPage(() => import('./delivery/DeliveryPanel.tsx'), 'DeliveryPanel'),
  })
  const findDelivery = createRoute({
    getParentRoute: () => parent,
    path: '/deliveries/$id',
    component: lazyPage(() => import('./delivery/FindDelivery.tsx'), 'FindDelivery'),
  })
  return [cards, newEndpoint, signatureCheck, editEndpoint, settings, endpoint.addChildren([delivery]), findDelivery]
}
