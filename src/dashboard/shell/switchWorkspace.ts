import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { selectWorkspace } from '../api/workspace.ts'

/** Opens Home of another workspace in this tab. */
export const switchWorkspace = (id: string, queries: QueryClient, router: AnyRouter): void => {
  selectWorkspace(id)
  queries.clear()
  void router.navigate({ to: '/' })
}
