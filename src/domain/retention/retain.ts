/**
 * Removing what is older than its kind is kept, from kind to kind and from workspace to workspace. Each page is a
 * transaction of its own that holds its rows for some milliseconds, passes over those that others hold, and is followed by
 * a rest many times as long: nobody notices. Whoever dies over it has done a page or not.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, transaction } from '../../db/client.ts'
import { deleteOldEntries } from '../audit/index.ts'
import { type Kept, type Kind, kinds } from './kinds.ts'
import { beginning, findWorkspacesAfter, holdMark, moveMark, readWalk, type Walk, writeWalk } from './sql.ts'

export interface RetainDeps {
  sql: Database
  kept: Kept
  /** Whether callers are being served, as far as is known: then it takes a fiftieth of the time of one connection. */
  isBusy?: () => boolean
  /** How many milliseconds others are to wait because work is late. */
  restMs?: () => number
  /** Ends it after the page in hand. */
  stopping?: AbortSignal
}

/** One task works for so long, and then others have their turn. */
const workMs = 20_000
/** Of one kind of one workspace so many pages in a row, so that a large one holds up no other. */
const pagesInARow = 20
/** Rows of the first page, and of the largest; one that takes longer than it should is followed by a smaller one. */
const rows = { first: 250, least: 25, most: 1000 }
const page = { shouldTakeMs: 20, mayTakeMs: 60 }
/** The rest after a page, in times that it took: while it is busy, and else. */
const rests = { busy: 49, idle: 9, leastMs: 5, mostMs: 10_000 }
const workspacesAtATime = 100

/** Goes on with the walk. Answers whether there is more to do by now: then it is to be called again. */
export const retain = async (deps: RetainDeps): Promise<boolean> => {
  const walk = await readWalk(deps.sql)
  const left = await walkOn(new Worker(deps), walk)
  await writeWalk(deps.sql, left ?? { kind: null, afterWorkspace: null, more: false })
  return left !== null
}

/** Answers where to go on; null at the end, with nothing left to do. */
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

/** What works for the time of one task. */
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

  /** Some pages of a kind of a workspace. Answers whether there is more. */
  async clear(kind: Kind, workspaceId: string): Promise<boolean> {
    return this.#inPages(async limit => {
      const looked = await removePage(this.#deps, { kind, workspaceId, limit })
      return { looked, isLast: looked < limit }
    })
  }

  /** The same of the audit log, which is one for all. */
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

/** One page, with the mark that says so. Answers how many rows were looked at: none where somebody else is at work there. */
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
