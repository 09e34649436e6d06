/**
 * Runs bulk replays. A step makes a page of failed or waiting deliveries due, waits until they were attempted, and
 * continues with the next page. The page size adapts to what the endpoint accepts in about one second. If other
 * deliveries are late, no page is made, so that new deliveries do not wait behind many old ones.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Sql, transaction } from '../../db/client.ts'
import { findNextDueDelivery, makePageDueAgain, selectStillDue } from '../deliveries/index.ts'
import { wakeEndpoint, wakeRecovery } from '../tasks.ts'
import { endRecovery, findForgotten, holdRecovery, moveRecovery, type RecoveryAtWork } from './sql.ts'

/** Size of the first page, and maximum page size, in deliveries. */
export const firstPage = 16
const longestPage = 500
/**
 * Maximum duration of a page in milliseconds. After a page that took less than half of it, the next page is twice as
 * large.
 */
const pageMs = 1000
/** Milliseconds by which other deliveries must be late for the bulk replay to wait. */
const lateMs = 1000

interface Endpoint {
  workspaceId: string
  webhookId: string
}

/**
 * Milliseconds that one task runs before a new task continues, so that other tasks can run, and the pause between
 * steps.
 */
const workMs = 400
const pauseMs = 25
/**
 * Milliseconds until the next check of a held or disabled endpoint. Releasing or enabling it wakes the bulk replay;
 * this covers a lost wake-up.
 */
const heldMs = 60_000

/** Advances the endpoint's running bulk replay, if there is one. */
export const goOnRecovering = async (sql: Database, endpoint: Endpoint): Promise<void> => {
  const end = performance.now() + workMs
  while (await takeStep(sql, endpoint)) {
    if (performance.now() < end) await sleep(pauseMs)
    else return wakeRecovery(sql, endpoint.workspaceId, endpoint.webhookId)
  }
}

/** Wakes bulk replays whose task was lost. */
export const remindRecoveries = async (sql: Database): Promise<void> => {
  for (const { workspaceId, webhookId } of await findForgotten(sql)) await wakeRecovery(sql, workspaceId, webhookId)
}

/** Runs a step in one transaction, so that a crash leaves no partial step. Returns whether more work is due now. */
const takeStep = (sql: Database, { workspaceId, webhookId }: Endpoint): Promise<boolean> =>
  transaction(sql, async tx => {
    const recovery = await holdRecovery(tx, workspaceId, webhookId)
    if (!recovery) return false
    const { id, page } = recovery
    const due = page.length === 0 ? [] : await selectStillDue(tx, workspaceId, page)
    const done = page.length - due.length
    if (recovery.endpoint === 'gone') {
      await endRecovery(tx, { workspaceId, id, status: 'cancelled', done })
      return false
    }
    if (recovery.endpoint === 'waits') {
      await wakeRecovery(tx, workspaceId, webhookId, heldMs)
      return false
    }
    if (due.length > 0) {
      await moveRecovery(tx, { workspaceId, ...recovery, done, page: due, made: false })
      return true
    }
    return makePage(tx, { workspaceId, webhookId }, recovery)
  })

const makePage = async (tx: Sql, { workspaceId, webhookId }: Endpoint, recovery: RecoveryAtWork): Promise<boolean> => {
  const { id, reached: after, last } = recovery
  const done = recovery.page.length
  const dueInMs = await findNextDueDelivery(tx, workspaceId, webhookId)
  if (dueInMs !== null && dueInMs < -lateMs) {
    await moveRecovery(tx, { workspaceId, ...recovery, done, page: [], made: false })
    return true
  }
  const pageSize = nextSize(recovery)
  const { ids: page, reached } = await makePageDueAgain(tx, { workspaceId, webhookId, after, last }, pageSize)
  if (reached === null) {
    await endRecovery(tx, { workspaceId, id, status: 'completed', done })
    return false
  }
  await moveRecovery(tx, { workspaceId, id, done, page, made: true, pageSize, reached })
  await wakeEndpoint(tx, workspaceId, webhookId)
  return true
}

const nextSize = ({ pageSize, pageForMs, ratePerSecond }: RecoveryAtWork): number =>
  Math.min(sizeByTime(pageSize, pageForMs), ratePerSecond ?? longestPage)

const sizeByTime = (pageSize: number, pageForMs: number | null): number => {
  if (pageForMs === null) return pageSize
  if (pageForMs > pageMs) return Math.max(1, pageSize >> 1)
  return pageForMs < pageMs / 2 ? Math.min(longestPage, pageSize * 2) : pageSize
}
