import type { ReadRunner } from '../../core/context.ts'
import type { LimitedPool } from '../../platform/postgres/limited-pool.ts'

/** Acquires a connection of the pool, in the share of the workspace. Waiting ends when the request is aborted. */
export const readRunnerFor =
  (request: Request, reads: LimitedPool): ReadRunner =>
  (workspaceId, work) =>
    reads.run(workspaceId, request.signal, work)
