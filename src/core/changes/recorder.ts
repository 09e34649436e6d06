/**
 * Records changes of rows that live feeds cannot find by id. Code that changes a row calls `recordChanges` after the
 * commit, which only updates a map. Changes in watched workspaces are written in one batch several times a second.
 * Changes that are not yet written are lost if the process crashes.
 */
import type { Database, Sql } from '../../platform/postgres/client.ts'
import type { Service } from '../../platform/service.ts'
import { type ChangeRow, findWatched, writeChanges } from './sql.ts'

/** Kinds whose changes are recorded. New rows of any kind are found by their ids. */
export type ChangeKind = 'message' | 'conversation' | 'run' | 'delivery' | 'campaign'

/** Identifies a changed row. */
export interface ChangedRow {
  workspaceId: string
  id: string
}

const recorders = new WeakMap<object, ChangeRecorder>()

/**
 * Records that these rows were changed through this pool. Has no effect inside a transaction, because it may still
 * fail.
 */
export const recordChanges = (pool: Sql, kind: ChangeKind, rows: readonly ChangedRow[]): void => {
  const recorder = recorders.get(pool)
  if (recorder) for (const row of rows) recorder.record(kind, row)
}

export interface ChangesOptions {
  /** Pool for reading watched workspaces and writing changes. */
  sql: Database
  /** Pools whose changes are recorded. */
  pools: readonly Database[]
  onFailure: (error: unknown) => void
}

/** Milliseconds between two writes, and between two reads of the watched workspaces. */
const [flushMs, refreshMs] = [250, 1000]
/** Maximum number of changes per kind and workspace between two writes. One more than a feed reports per poll. */
const maxPerKind = 51
/**
 * Size of the ring buffer for changes in workspaces that are not known to be watched. A feed that was just opened may
 * need them.
 */
const maxRecent = 2000
const recentMs = 5000

interface RecentChange extends ChangeRow {
  at: number
}

export class ChangeRecorder implements Service {
  readonly name = 'changes for streams'
  readonly #options: ChangesOptions
  #watched = new Set<string>()
  /** Rows by workspace and kind, newest last. */
  readonly #pending = new Map<string, Map<string, Set<string>>>()
  readonly #recent: RecentChange[] = []
  #nextRecent = 0
  #timers: ReturnType<typeof setInterval>[] = []
  #isRefreshing = false
  #isWriting = false

  constructor(options: ChangesOptions) {
    this.#options = options
    for (const pool of options.pools) recorders.set(pool, this)
  }

  start(): Promise<void> {
    this.#timers = [
      setInterval(() => void this.#write(), flushMs),
      setInterval(() => void this.#refreshWatched(), refreshMs),
    ]
    return Promise.resolve()
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    for (const pool of this.#options.pools) recorders.delete(pool)
    await this.#write()
  }

  record(kind: ChangeKind, { workspaceId, id }: ChangedRow): void {
    if (this.#watched.has(workspaceId)) this.#add({ workspaceId, kind, subjectId: id })
    else {
      this.#recent[this.#nextRecent] = { workspaceId, kind, subjectId: id, at: performance.now() }
      this.#nextRecent = (this.#nextRecent + 1) % maxRecent
    }
  }

  #add({ workspaceId, kind, subjectId }: ChangeRow): void {
    let kinds = this.#pending.get(workspaceId)
    if (!kinds) this.#pending.set(workspaceId, (kinds = new Map()))
    let rows = kinds.get(kind)
    if (!rows) kinds.set(kind, (rows = new Set()))
    rows.delete(subjectId)
    rows.add(subjectId)
    if (rows.size > maxPerKind) rows.delete(rows.values().next().value!)
  }

  async #write(): Promise<void> {
    if (this.#isWriting || this.#pending.size === 0) return
    this.#isWriting = true
    const rows = [...this.#pending].flatMap(([workspaceId, kinds]) =>
      [...kinds].flatMap(([kind, ids]) => [...ids].map(subjectId => ({ workspaceId, kind, subjectId }))),
    )
    this.#pending.clear()
    try {
      for (let from = 0; from < rows.length; from += maxBatchRows)
        await writeChanges(this.#options.sql, rows.slice(from, from + maxBatchRows))
    } catch (error) {
      this.#options.onFailure(error)
    } finally {
      this.#isWriting = false
    }
  }

  async #refreshWatched(): Promise<void> {
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    try {
      const previous = this.#watched
      this.#watched = new Set(await findWatched(this.#options.sql))
      this.#addRecent(workspaceId => this.#watched.has(workspaceId) && !previous.has(workspaceId))
    } catch (error) {
      this.#options.onFailure(error)
    } finally {
      this.#isRefreshing = false
    }
  }

  /** Adds recent changes of workspaces that have become watched since the last check. */
  #addRecent(isNew: (workspaceId: string) => boolean): void {
    const since = performance.now() - recentMs
    for (const one of this.#recent) if (one.at >= since && isNew(one.workspaceId)) this.#add(one)
  }
}

const maxBatchRows = 2000
