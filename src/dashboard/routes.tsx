/**
 * Route tree of the dashboard. Each page defines its routes in `pages/<noun>/route.tsx`, and its components are loaded
 * when it is opened.
 */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet } from '@tanstack/react-router'
import { accountRoutes } from './pages/account/route.tsx'
import { apiKeyRoutes } from './pages/api-keys/route.tsx'
import { auditRoutes } from './pages/audit/route.tsx'
import { campaignRoutes } from './pages/campaigns/route.tsx'
import { channelRoutes } from './pages/channels/route.tsx'
import { customerRoutes } from './pages/customers/route.tsx'
import { eventRoutes } from './pages/events/route.tsx'
import { homeRoutes } from './pages/home/route.tsx'
import { inboxRoutes } from './pages/inbox/route.tsx'
import { messageRoutes } from './pages/messages/route.tsx'
import { outboundRoutes } from './pages/outbound/route.tsx'
import { rejectedEventRoutes } from './pages/rejected-events/route.tsx'
import { runRoutes } from './pages/runs/route.tsx'
import { saleRoutes } from './pages/sales/route.tsx'
import { settingsRoutes } from './pages/settings/route.tsx'
import { signInRoutes } from './pages/sign-in/route.tsx'
import { teamRoutes } from './pages/team/route.tsx'
import { templateRoutes } from './pages/templates/route.tsx'
import { webhookRoutes } from './pages/webhooks/route.tsx'
import { workflowRoutes } from './pages/workflows/route.tsx'
import { lazyPage } from './shell/lazyPage.ts'
import { Shell } from './shell/Shell.tsx'

/** Context passed to the loaders. */
export interface RouterContext {
  queries: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet })

/** Layout of all pages for a signed-in person. */
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed', component: Shell })

/**
 * Fallback for unknown addresses, for a signed-in person. It must be a separate constant. Written inside the array
 * below, its path has the type `any`, and the router then accepts every address in every link.
 */
const unknownPath = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: lazyPage(() => import('./shell/NotFound.tsx'), 'NotFound'),
})

export const routeTree = root.addChildren([
  ...signInRoutes(root),
  signedIn.addChildren([
    ...homeRoutes(signedIn),
    ...inboxRoutes(signedIn),
    ...customerRoutes(signedIn),
    ...eventRoutes(signedIn),
    ...workflowRoutes(signedIn),
    ...runRoutes(signedIn),
    ...rejectedEventRoutes(signedIn),
    ...outboundRoutes(signedIn),
    ...messageRoutes(signedIn),
    ...saleRoutes(signedIn),
    ...settingsRoutes(signedIn),
    ...teamRoutes(signedIn),
    ...auditRoutes(signedIn),
    ...accountRoutes(signedIn),
    ...webhookRoutes(signedIn),
    ...apiKeyRoutes(signedIn),
    ...channelRoutes(signedIn),
    ...templateRoutes(signedIn),
    ...campaignRoutes(signedIn),
    unknownPath,
  ]),
])
