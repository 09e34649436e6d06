/** Counting what happened before anybody counted: from the newest row of each table to the oldest, page by page. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/client.ts'
import { wakeHistory } from '../tasks.ts'
import {
  countDeliveriesOfOld,
  countEventsOfOld,
  countMessagesOfOld,
  countRefusalsOfOld,
  countRunsOfOld,
  findHistory,
  type History,
} from './backfill-sql.ts'

const rowsPerPage = 500

/** One task: for a moment page after page, each followed by a rest, and then others have their turn. */
const workMs = 400
const restMs = 5
const againInMs = 200

/** Goes on with what is still to be counted, if there is anything. */
export const countHistory = async (sql: Database): Promise<void> => {
  const end = performance.now() + workMs
  for (let next = await findHistory(sql); next !== null; next = await findHistory(sql)) {
    await countPage(sql, next)
    if (performance.now() > end) return wakeHistory(sql, againInMs)
    await sleep(restMs)
  }
}

/** Sees to it that it goes on, where a task was lost or the first is still to come. */
export const remindHistory = async (sql: Database): Promise<void> => {
  if (await findHistory(sql)) await wakeHistory(sql)
}

const countPage = (sql: Database, { workspaceId, source }: History): PromiseLike<unknown> => {
  const page = { workspaceId, limit: rowsPerPage }
  if (source === 'events') return countEventsOfOld(sql, page)
  if (source === 'runs') return countRunsOfOld(sql, page)
  if (source === 'messages') return countMessagesOfOld(sql, page)
  if (source === 'deliveries') return countDeliveriesOfOld(sql, page)
  return countRefusalsOfOld(sql, page)
}
