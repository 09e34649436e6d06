/**
 * Removes records past their retention period, kind by kind and workspace by workspace. Each page is a separate
 * transaction that holds row locks for a few milliseconds and skips locked rows. After each page, the worker pauses for
 * a multiple of the page's duration. A crash leaves no partial page.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, transaction } from '../../db/client.ts'
import { deleteOldEntries } from '../audit/index.ts'
import { type Kept, type Kind, kinds } from './kinds.ts'
import { beginning, findWorkspacesAfter, holdMark, moveMark, readWalk, type Walk, writeWalk } from './sql.ts'

export interface RetainDeps {
  sql: Database
  kept: Kept
  /**
   * Returns whether the service is handling requests. If so, retention uses at most a fiftieth of one connection's
   * time.
   */
  isBusy?: () => boolean
  /** Returns the backpressure delay in milliseconds because other work is late. */
  restMs?: () => number
  /** Stops retention after the current page. */
  stopping?: AbortSignal
}

/** Milliseconds that one task runs before it yields to other tasks. */
const workMs = 20_000
/**
 * Maximum number of consecutive pages for one kind of one workspace, so that a large workspace does not delay the
 * others.
 */
const pagesInARow = 20
/** Page sizes in rows: the first, the minimum and the maximum. After a slow page, the next one is smaller. */
const rows = { first: 250, least: 25, most: 1000 }
const page = { shouldTakeMs: 20, mayTakeMs: 60 }
/** Pause after a page as a multiple of its duration, if the service is busy or idle, within bounds in milliseconds. */
const rests = { busy: 49, idle: 9, leastMs: 5, mostMs: 10_000 }
const workspacesAtATime = 100

/** Continues the pass over all workspaces. Returns whether more work is due now; then the caller must call again. */
export const retain = async (deps: RetainDeps): Promise<boolean> => {
  const walk = await readWalk(deps.sql)
  const left = await walkOn(new Worker(deps), walk)
  await writeWalk(deps.sql, left ?? { kind: null, afterWorkspace: null, more: false })
  return left !== null
}

/** Returns the position at which to continue; null if the pass ended and nothing is left. */
const walkOn = async (worker: Worker, walk: Walk): Promise<Walk | null> => {
  const all = worker.kindsToGoThrough
  const place = all.findIndex(({ name }) => name === walk.kind)
  let { more } = walk
  let after = (place < 0 ? null : walk.afterWorkspace) ?? beginning
  if (place < 0) more = (await worker.removeOldEntries()) || more
  for (const kind of all.slice(Math.max(place, 0))) {
    for (let ids = await worker.workspacesAfter(after); ids.length > 0; ids = await worker.workspacesAfter(after))
      for (const workspaceId of ids) {
        if (worker.isOver) return { kind: kind.name, afterWorkspace: after, more }
        more = (await worker.clear(kind, workspaceId)) || more
        after = workspaceId
      }
    after = beginning
  }
  return more ? { kind: null, afterWorkspace: null, more: false } : null
}

/** State of one task: its time limit and the current page size. */
class Worker {
  readonly #deps: RetainDeps
  readonly #end = performance.now() + workMs
  #rows = rows.first

  constructor(deps: RetainDeps) {
    this.#deps = deps
  }

  get kindsToGoThrough(): Kind[] {
    return kinds.filter(({ keptFor }) => this.#deps.kept[keptFor] !== null)
  }

  get isOver(): boolean {
    return this.#deps.stopping?.aborted === true || performance.now() > this.#end
  }

  workspacesAfter(after: string): Promise<string[]> {
    return findWorkspacesAfter(this.#deps.sql, after, workspacesAtATime)
  }

  /** Removes a few pages of one kind in one workspace. Returns whether more may remain. */
  async clear(kind: Kind, workspaceId: string): Promise<boolean> {
    return this.#inPages(async limit => {
      const looked = await removePage(this.#deps, { kind, workspaceId, limit })
      return { looked, isLast: looked < limit }
    })
  }

  /** Removes old entries of the audit log, which all workspaces share. Returns whether more may remain. */
  async removeOldEntries(): Promise<boolean> {
    const { sql, kept } = this.#deps
    if (kept.audit === null) return false
    const olderThanSeconds = kept.audit / 1000
    return this.#inPages(async limit => {
      const looked = await deleteOldEntries(sql, { olderThanSeconds, limit })
      return { looked, isLast: looked < limit }
    })
  }

  async #inPages(work: (limit: number) => Promise<{ looked: number; isLast: boolean }>): Promise<boolean> {
    for (let pages = 0; pages < pagesInARow; pages++) {
      if (this.isOver) return true
      const begun = performance.now()
      const { looked, isLast } = await work(this.#rows)
      const tookMs = performance.now() - begun
      if (looked > 0) await this.#rest(tookMs)
      if (isLast) return false
      this.#rows = nextRows(this.#rows, tookMs)
    }
    return true
  }

  async #rest(tookMs: number): Promise<void> {
    const { isBusy = () => false, restMs = () => 0, stopping } = this.#deps
    const ms = Math.max(tookMs * (isBusy() ? rests.busy : rests.idle), restMs(), rests.leastMs)
    await sleep(Math.min(ms, rests.mostMs), undefined, { signal: stopping, ref: false }).catch(() => {})
  }
}

const nextRows = (now: number, tookMs: number): number => {
  if (tookMs > page.mayTakeMs) return Math.max(rows.least, now >> 1)
  return tookMs < page.shouldTakeMs ? Math.min(rows.most, now * 2) : now
}

/**
 * Removes one page and moves the watermark. Returns the number of rows checked; 0 if another process holds the
 * watermark.
 */
const removePage = (
  { sql, kept }: RetainDeps,
  { kind, workspaceId, limit }: { kind: Kind; workspaceId: string; limit: number },
): Promise<number> =>
  transaction(sql, async tx => {
    const mark = await holdMark(tx, workspaceId, kind.name)
    if (!mark) return 0
    const olderThan = new Date(mark.now.getTime() - kept[kind.keptFor]!)
    const { last, looked } = await kind.removePage(tx, { workspaceId, after: mark.reached, olderThan, limit })
    if (kind.looks !== 'whole') {
      const beginsAnew = kind.looks === 'again' && looked < limit
      await moveMark(tx, { workspaceId, kind: kind.name, reached: last ?? mark.reached, beginsAnew })
    }
    return looked
  })
