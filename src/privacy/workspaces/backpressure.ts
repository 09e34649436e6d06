import type { Sql } from '../../platform/postgres/client.ts'
import { isWorking } from '../../platform/postgres/lease.ts'
import { readBacklogLag } from '../../queue/lag.ts'
import { readPauses } from '../../queue/pauses/index.ts'

/**
 * Returns for how many milliseconds other work is late. It is 0 without a worker, because due rows of the workspace
 * itself would then count. A worker sets aside those that are paused.
 */
export const readLateMs = async (sql: Sql): Promise<number> =>
  (await isWorking(sql)) ? readBacklogLag(sql, await readPauses(sql)) : 0
