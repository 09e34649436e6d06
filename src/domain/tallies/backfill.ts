/**
 * Backfills hourly stats for rows written before the stats existed, from the newest row of each table to the oldest, in
 * pages.
 */
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

/** Milliseconds that one task works, pause after each page, and delay of the next task, so that other tasks can run. */
const workMs = 400
const restMs = 5
const againInMs = 200

/** Continues the backfill, if rows are left. */
export const countHistory = async (sql: Database): Promise<void> => {
  const end = performance.now() + workMs
  for (let next = await findHistory(sql); next !== null; next = await findHistory(sql)) {
    await countPage(sql, next)
    if (performance.now() > end) return wakeHistory(sql, againInMs)
    await sleep(restMs)
  }
}

/** Enqueues the backfill task if rows are left, for the first start and after a lost task. */
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
