import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** `/messages/<id>`: what a message of the line from event to delivery leads to. */
export const messageRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/messages/$id',
    component: lazyRouteComponent(() => import('./Message.tsx'), 'Message'),
  }),
]
