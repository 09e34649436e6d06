import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazyPage.ts'

/** Route `/messages/<id>`. Message links of a trace open this page. */
export const messageRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({
    getParentRoute: () => parent,
    path: '/messages/$id',
    component: lazyPage(() => import('./Message.tsx'), 'Message'),
  }),
]
