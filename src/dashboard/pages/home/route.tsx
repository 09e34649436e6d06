import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { Home } from './Home.tsx'
import { parsePeriod } from './period.ts'

/** Route `/?range`. Not loaded lazily, because most visits start on this page. */
export const homeRoutes = <Parent extends AnyRoute>(parent: Parent) => [
  createRoute({ getParentRoute: () => parent, path: '/', validateSearch: parsePeriod, component: Home }),
]
