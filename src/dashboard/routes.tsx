/** All addresses. Each page brings its own in `pages/<noun>/route.tsx`; what it draws is loaded when it is opened. */
import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router'
import { campaignRoutes } from './pages/campaigns/route.tsx'
import { channelRoutes } from './pages/channels/route.tsx'
import { eventRoutes } from './pages/events/route.tsx'
import { signInRoutes } from './pages/sign-in/route.tsx'
import { templateRoutes } from './pages/templates/route.tsx'
import { Shell } from './shell/Shell.tsx'

const root = createRootRoute({ component: Outlet })

/** Around everything that is for somebody who is signed in. */
const signed = createRoute({ getParentRoute: () => root, id: 'signed', component: Shell })

export const routeTree = root.addChildren([
  ...signInRoutes(root),
  signed.addChildren([
    ...eventRoutes(signed),
    ...channelRoutes(signed),
    ...templateRoutes(signed),
    ...campaignRoutes(signed),
  ]),
])
