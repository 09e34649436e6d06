/**
 * What a recovery does: it makes a page of deliveries due that failed or wait, waits until those were attempted, and goes on. A page is
 * as long as the endpoint takes about a second for, and while other deliveries are late none is made: whatever is new does
 * not stand behind many that are old.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Sql, transaction } from '../../db/client.ts'
import { findNextDueDelivery, makePageDueAgain, selectStillDue } from '../deliveries/index.ts'
import { wakeEndpoint, wakeRecovery } from '../tasks.ts'
import { endRecovery, findForgotten, holdRecovery, moveRecovery, type RecoveryAtWork } from './sql.ts'

/** Deliveries of the first page, and of the longest. */
export const firstPage = 16
const longestPage = 500
/** A page that is done in half of the time that one may take is followed by one twice as long. */
const pageMs = 1000
/** Others are late by so much: what is recovered waits. */
const lateMs = 1000

interface Endpoint {
  workspaceId: string
  webhookId: string
}

/** One task: for a moment step after step, and then others have their turn. */
const workMs = 400
const pauseMs = 25
/** Whoever releases the endpoint, or switches it on, says so; this is for a wake-up that was lost. */
const heldMs = 60_000

/** Goes on with the endpoint's recovery, if there is one. */
export const goOnRecovering = async (sql: Database, endpoint: Endpoint): Promise<void> => {
  const end = performance.now() + workMs
  while (await takeStep(sql, endpoint)) {
    if (performance.now() < end) await sleep(pauseMs)
    else return wakeRecovery(sql, endpoint.workspaceId, endpoint.webhookId)
  }
}

/** Those whose task was lost. */
export const remindRecoveries = async (sql: Database): Promise<void> => {
  for (const { workspaceId, webhookId } of await findForgotten(sql)) await wakeRecovery(sql, workspaceId, webhookId)
}

/** In one transaction, so that whoever dies over it has done it or not. Answers whether there is more to do by now. */
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
