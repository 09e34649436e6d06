/**
 * Runs bulk replays. A step makes a page of deliveries due: failed or waiting ones, or new ones of events that the
 * endpoint has missed. It waits until they were attempted, and
 * continues with the next page. The page size adapts to what the endpoint accepts in about one second. If other
 * deliveries are late, no page is made, so that new deliveries do not wait behind many old ones.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { minIdAt } from '../../core/ids.ts'
import { type Database, type Sql, transaction } from '../../platform/postgres/client.ts'
import { wakeBulkReplay, wakeEndpoint } from '../../queue/tasks.ts'
import { findNextDueDelivery, insertMissing, requestPageRetries, selectStillDue } from '../deliveries/index.ts'
import { acceptMissing, selectMissing } from './missing-sql.ts'
import { endRecovery, findStalledRecoveries, lockRunningRecovery, type RunningRecovery, saveProgress } from './sql.ts'

/** Size of the first page, and maximum page size, in deliveries. */
export const firstPageSize = 16
const maxPageSize = 500
/**
 * Maximum duration of a page in milliseconds. After a page that took less than half of it, the next page is twice as
 * large.
 */
const pageMs = 1000
/** Age of a page in milliseconds after which it is checked each second only, because its deliveries may be paused. */
const stuckMs = 10_000
/** Milliseconds by which other deliveries must be late for the bulk replay to wait, and until it checks again. */
const lateMs = 1000

interface Endpoint {
  workspaceId: string
  webhookId: string
}

/**
 * Milliseconds that one task runs before a new task continues, so that other tasks can run, and the pause between
 * steps.
 */
const maxTaskMs = 400
const pauseMs = 25
/**
 * Milliseconds until the next check of a held or disabled endpoint. Releasing or enabling it wakes the bulk replay;
 * this covers a lost wake-up.
 */
const recheckMs = 60_000

/** Advances the endpoint's running bulk replay, if there is one. */
export const advanceRecovery = async (sql: Database, endpoint: Endpoint): Promise<void> => {
  const end = performance.now() + maxTaskMs
  while (await runStep(sql, endpoint)) {
    if (performance.now() < end) await sleep(pauseMs)
    else return wakeBulkReplay(sql, endpoint.workspaceId, endpoint.webhookId)
  }
}

/** Wakes bulk replays whose task was lost. */
export const wakeStalledRecoveries = async (sql: Database): Promise<void> => {
  for (const { workspaceId, webhookId } of await findStalledRecoveries(sql))
    await wakeBulkReplay(sql, workspaceId, webhookId)
}

/** Runs a step in one transaction, so that a crash leaves no partial step. Returns whether more work is due now. */
const runStep = (sql: Database, { workspaceId, webhookId }: Endpoint): Promise<boolean> =>
  transaction(sql, async tx => {
    const recovery = await lockRunningRecovery(tx, workspaceId, webhookId)
    if (!recovery) return false
    const { id, page } = recovery
    const due = page.length === 0 ? [] : await selectStillDue(tx, workspaceId, page)
    const done = page.length - due.length
    if (recovery.endpoint === 'gone') {
      await endRecovery(tx, { workspaceId, id, status: 'cancelled', done })
      return false
    }
    if (recovery.endpoint === 'waits') {
      await wakeBulkReplay(tx, workspaceId, webhookId, recheckMs)
      return false
    }
    if (due.length > 0) {
      if (done > 0) await saveProgress(tx, { workspaceId, ...recovery, done, page: due, isNewPage: false })
      if (done > 0 || Number(recovery.pageAgeMs) < stuckMs) return true
      await wakeBulkReplay(tx, workspaceId, webhookId, pageMs)
      return false
    }
    return startPage(tx, { workspaceId, webhookId }, recovery)
  })

const startPage = async (
  tx: Sql,
  { workspaceId, webhookId }: Endpoint,
  recovery: RunningRecovery,
): Promise<boolean> => {
  const { id, of, phase, since } = recovery
  const done = recovery.page.length
  const dueInMs = await findNextDueDelivery(tx, workspaceId, webhookId)
  if (dueInMs !== null && dueInMs < -lateMs) {
    if (done > 0) await saveProgress(tx, { workspaceId, ...recovery, done, page: [], isNewPage: false })
    await wakeBulkReplay(tx, workspaceId, webhookId, lateMs)
    return false
  }
  const pageSize = nextPageSize(recovery)
  const makePage = phase === 'failed' ? retryFailed : createMissing
  const { ids: page, cursor } = await makePage(tx, { workspaceId, webhookId }, recovery, pageSize)
  if (cursor === null && of === 'all' && phase === 'failed') {
    const start = { phase: 'missing', cursor: minIdAt(since) } as const
    await saveProgress(tx, { workspaceId, ...recovery, ...start, done, page: [], isNewPage: false })
    return true
  }
  if (cursor === null) {
    await endRecovery(tx, { workspaceId, id, status: 'completed', done })
    return false
  }
  await saveProgress(tx, { workspaceId, id, done, page, isNewPage: true, pageSize, phase, cursor })
  await wakeEndpoint(tx, workspaceId, webhookId)
  return true
}

/** The deliveries made due, and the cursor. Null at the end of the range. */
interface DuePage {
  ids: string[]
  cursor: string | null
}

const retryFailed = (
  tx: Sql,
  endpoint: Endpoint,
  { cursor: after, last, types }: RunningRecovery,
  pageSize: number,
): Promise<DuePage> => requestPageRetries(tx, { ...endpoint, after, last }, pageSize, types)

/** Creates deliveries of missed events. A page with a filter reads more events, because it can reject most of them. */
const createMissing = async (
  tx: Sql,
  endpoint: Endpoint,
  { cursor: after, last, missingTypes: types, filter }: RunningRecovery,
  pageSize: number,
): Promise<DuePage> => {
  const range = { ...endpoint, after, last, types, filter }
  const { events, cursor } = await selectMissing(tx, range, filter === null ? pageSize : maxPageSize)
  const page = (await acceptMissing(events, range)).slice(0, pageSize)
  const ids = await insertMissing(tx, { ...endpoint, eventIds: page.map(({ id }) => id) })
  return { ids, cursor: page.length === pageSize ? page.at(-1)!.id : cursor }
}

const nextPageSize = ({ pageSize, pageAgeMs, ratePerSecond }: RunningRecovery): number =>
  Math.min(adaptPageSize(pageSize, pageAgeMs), ratePerSecond ?? maxPageSize)

const adaptPageSize = (pageSize: number, pageAgeMs: number | null): number => {
  if (pageAgeMs === null) return pageSize
  if (pageAgeMs > pageMs) return Math.max(1, pageSize >> 1)
  return pageAgeMs < pageMs / 2 ? Math.min(maxPageSize, pageSize * 2) : pageSize
}
