import type { ActorKind } from '../actor.ts'
import type { PausableKind } from './kinds.ts'
import type { PausedWork } from './paused-work.ts'

/**
 * Returns actors that start no rows while their work is paused. Rows that have started run to completion. The others
 * stay due, and the next poll after the pause finds them.
 */
export const pausable = <Job extends { id: string }>(
  actors: ActorKind<Job>,
  kind: PausableKind,
  paused: () => PausedWork,
): ActorKind<Job> => {
  const isPaused = (workspaceId: string) => paused().isPaused(kind, workspaceId)
  return {
    ...actors,
    read: async (actor, limit, except) => (isPaused(actor.workspaceId) ? [] : actors.read(actor, limit, except)),
    handle: async (actor, job, deadline, onResponse) =>
      isPaused(actor.workspaceId) ? 'none' : actors.handle(actor, job, deadline, onResponse),
    dueInMs: async actor => (isPaused(actor.workspaceId) ? null : actors.dueInMs(actor)),
    isInactive: actor => isPaused(actor.workspaceId) || (actors.isInactive?.(actor) ?? false),
    findDue: async (after, limit) => {
      if (paused().isPausedEverywhere(kind)) return { due: [], next: null }
      const page = await actors.findDue(after, limit)
      return { ...page, due: page.due.filter(({ workspaceId }) => !isPaused(workspaceId)) }
    },
  }
}
