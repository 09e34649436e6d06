/**
 * Removes records past their retention period, kind by kind and workspace by workspace. Each page is a separate
 * transaction that holds row locks for a few milliseconds and skips locked rows. After each page, the worker pauses for
 * a multiple of the page's duration. A crash leaves no partial page.
 */
import { deleteOldEntries } from '../../accounts/audit/index.ts'
import { Pacer, type PacerOptions } from '../../core/pacer.ts'
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

/** `stopping` also ends retention after the current page. */
export interface RetainDeps extends PacerOptions {
  sql: Database
  periods: RetentionPeriods
}

/** Milliseconds that one task runs before it yields to other tasks. */
const maxTaskMs = 20_000
/**
 * Maximum number of consecutive pages for one kind of one workspace, so that a large workspace does not delay the
 * others.
 */
const maxPagesInARow = 20
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

/** State of one task: its time limit and its pace. */
class Worker {
  readonly #deps: RetainDeps
  readonly #end = performance.now() + maxTaskMs
  readonly #pacer: Pacer

  constructor(deps: RetainDeps) {
    this.#deps = deps
    this.#pacer = new Pacer(deps)
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
      const { scanned, isLast } = await work(this.#pacer.rows)
      if (scanned > 0) await this.#pacer.pace(performance.now() - startedAt)
      if (isLast) return false
    }
    return true
  }
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
