import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'

/** `/messages/<id>`: what a message of the line from event to delivery leads to. */
export const messageRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/messages/$id',
    component: lazyPage(() => import('./Message.tsx'), 'Message'),
  }),
]
