import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { Home } from './Home.tsx'

/** Not loaded by itself: most people come here first. */
export const homeRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({ getParentRoute: () => parent, path: '/', component: Home }),
]
