/**
 * Removes records past their retention period, kind by kind and workspace by workspace. Each page is a separate
 * transaction that holds row locks for a few milliseconds and skips locked rows. After each page, the worker pauses for
 * a multiple of the page's duration. A crash leaves no partial page.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { deleteOldEntries } from '../../accounts/audit/index.ts'
import { type Database, transaction } from '../../platform/postgres/client.ts'
import { kinds, type RetentionKind, type RetentionPeriods } from './kinds.ts'
import {
  findWorkspacesAfter,
  firstId,
  lockWatermark,
  moveWatermark,
  type RetentionCursor,
  readCursor,
  writeCursor,
} from './sql.ts'

export interface RetainDeps {
  sql: Database
  periods: RetentionPeriods
  /**
   * Returns whether the service is handling requests. If so, retention uses at most a fiftieth of one connection's
   * time.
   */
  isBusy?: () => boolean
  /** Returns the backpressure delay in milliseconds because other work is late. */
  backpressureMs?: () => number
  /** Stops retention after the current page. */
  stopping?: AbortSignal
}

/** Milliseconds that one task runs before it yields to other tasks. */
const maxTaskMs = 20_000
/**
 * Maximum number of consecutive pages for one kind of one workspace, so that a large workspace does not delay the
 * others.
 */
const maxPagesInARow = 20
/** Page sizes in rows: the first, the minimum and the maximum. After a slow page, the next one is smaller. */
const pageRows = { first: 250, min: 25, max: 1000 }
const pageTime = { targetMs: 20, maxMs: 60 }
/** Pause after a page as a multiple of its duration, if the service is busy or idle, within bounds in milliseconds. */
const pauses = { busy: 49, idle: 9, minMs: 5, maxMs: 10_000 }
const workspacesPerPage = 100

/** Continues the pass over all workspaces. Returns whether more work is due now; then the caller must call again. */
export const retain = async (deps: RetainDeps): Promise<boolean> => {
  const cursor = await readCursor(deps.sql)
  const left = await continuePass(new Worker(deps), cursor)
  await writeCursor(deps.sql, left ?? { kind: null, afterWorkspace: null, more: false })
  return left !== null
}

/** Returns the position at which to continue; null if the pass ended and nothing is left. */
const continuePass = async (worker: Worker, cursor: RetentionCursor): Promise<RetentionCursor | null> => {
  const all = worker.activeKinds
  const position = all.findIndex(({ name }) => name === cursor.kind)
  let { more } = cursor
  let after = (position < 0 ? null : cursor.afterWorkspace) ?? firstId
  if (position < 0) more = (await worker.removeOldEntries()) || more
  for (const kind of all.slice(Math.max(position, 0))) {
    for (let ids = await worker.workspacesAfter(after); ids.length > 0; ids = await worker.workspacesAfter(after))
      for (const workspaceId of ids) {
        if (worker.mustStop) return { kind: kind.name, afterWorkspace: after, more }
        more = (await worker.removePages(kind, workspaceId)) || more
        after = workspaceId
      }
    after = firstId
  }
  return more ? { kind: null, afterWorkspace: null, more: false } : null
}

/** State of one task: its time limit and the current page size. */
class Worker {
  readonly #deps: RetainDeps
  readonly #end = performance.now() + maxTaskMs
  #rows = pageRows.first

  constructor(deps: RetainDeps) {
    this.#deps = deps
  }

  get activeKinds(): RetentionKind[] {
    return kinds.filter(({ period }) => this.#deps.periods[period] !== null)
  }

  get mustStop(): boolean {
    return this.#deps.stopping?.aborted === true || performance.now() > this.#end
  }

  workspacesAfter(after: string): Promise<string[]> {
    return findWorkspacesAfter(this.#deps.sql, after, workspacesPerPage)
  }

  /** Removes a few pages of one kind in one workspace. Returns whether more may remain. */
  async removePages(kind: RetentionKind, workspaceId: string): Promise<boolean> {
    return this.#runPages(async limit => {
      const scanned = await removePage(this.#deps, { kind, workspaceId, limit })
      return { scanned, isLast: scanned < limit }
    })
  }

  /** Removes old entries of the audit log, which all workspaces share. Returns whether more may remain. */
  async removeOldEntries(): Promise<boolean> {
    const { sql, periods } = this.#deps
    if (periods.audit === null) return false
    const olderThanSeconds = periods.audit / 1000
    return this.#runPages(async limit => {
      const scanned = await deleteOldEntries(sql, { olderThanSeconds, limit })
      return { scanned, isLast: scanned < limit }
    })
  }

  async #runPages(work: (limit: number) => Promise<{ scanned: number; isLast: boolean }>): Promise<boolean> {
    for (let pages = 0; pages < maxPagesInARow; pages++) {
      if (this.mustStop) return true
      const startedAt = performance.now()
      const { scanned, isLast } = await work(this.#rows)
      const tookMs = performance.now() - startedAt
      if (scanned > 0) await this.#pause(tookMs)
      if (isLast) return false
      this.#rows = nextPageRows(this.#rows, tookMs)
    }
    return true
  }

  async #pause(tookMs: number): Promise<void> {
    const { isBusy = () => false, backpressureMs = () => 0, stopping } = this.#deps
    const ms = Math.max(tookMs * (isBusy() ? pauses.busy : pauses.idle), backpressureMs(), pauses.minMs)
    await sleep(Math.min(ms, pauses.maxMs), undefined, { signal: stopping, ref: false }).catch(() => {})
  }
}

const nextPageRows = (now: number, tookMs: number): number => {
  if (tookMs > pageTime.maxMs) return Math.max(pageRows.min, now >> 1)
  return tookMs < pageTime.targetMs ? Math.min(pageRows.max, now * 2) : now
}

/**
 * Removes one page and moves the watermark. Returns the number of rows checked; 0 if another process holds the
 * watermark.
 */
const removePage = (
  { sql, periods }: RetainDeps,
  { kind, workspaceId, limit }: { kind: RetentionKind; workspaceId: string; limit: number },
): Promise<number> =>
  transaction(sql, async tx => {
    const watermark = await lockWatermark(tx, workspaceId, kind.name)
    if (!watermark) return 0
    const olderThan = new Date(watermark.now.getTime() - periods[kind.period]!)
    const { last, scanned, removed } = await kind.removePage(tx, {
      workspaceId,
      after: watermark.cursor,
      olderThan,
      limit,
    })
    if (kind.rescan !== 'whole') {
      const isReset = kind.rescan === 'again' && scanned < limit
      const cursor = last ?? watermark.cursor
      await moveWatermark(tx, { workspaceId, kind: kind.name, cursor, isReset, hasRemoved: removed > 0 })
    }
    return scanned
  })
