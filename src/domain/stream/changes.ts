/**
 * Records changes of rows that live feeds cannot find by id. Code that changes a row calls `noteChanges` after the
 * commit, which only updates a map. Changes in watched workspaces are written in one batch several times a second.
 * Changes that are not yet written are lost if the process crashes.
 */
import type { Database, Sql } from '../../db/client.ts'
import type { Part } from '../../platform/part.ts'
import type { StreamKind } from './schema.ts'
import { type ChangeRow, findStreamed, writeChanges } from './sql.ts'

/** Kinds whose changes are recorded. New rows of any kind are found by their ids. */
export type ChangedKind = Extract<StreamKind, 'message' | 'conversation' | 'run' | 'delivery' | 'campaign'>

/** Identifies a changed row. */
export interface Changed {
  workspaceId: string
  id: string
}

const noting = new WeakMap<object, Changes>()

/**
 * Records that these rows were changed through this pool. Has no effect inside a transaction, because it may still
 * fail.
 */
export const noteChanges = (pool: Sql, kind: ChangedKind, rows: readonly Changed[]): void => {
  const changes = noting.get(pool)
  if (changes) for (const row of rows) changes.note(kind, row)
}

export interface ChangesOptions {
  /** Pool for reading watched workspaces and writing changes. */
  sql: Database
  /** Pools whose changes are recorded. */
  pools: readonly Database[]
  onFailure: (error: unknown) => void
  flushMs?: number
  askMs?: number
}

/** Maximum number of changes per kind and workspace between two writes. One more than a feed reports per poll. */
const maxEach = 51
/**
 * Size of the ring buffer for changes in workspaces that are not known to be watched. A feed that was just opened may
 * need them.
 */
const maxRecent = 2000
const recentMs = 5000

interface Recent extends ChangeRow {
  at: number
}

export class Changes implements Part {
  readonly name = 'changes for streams'
  readonly #options: ChangesOptions
  #watched = new Set<string>()
  /** Rows by workspace and kind, newest last. */
  readonly #noted = new Map<string, Map<string, Set<string>>>()
  readonly #recent: Recent[] = []
  #place = 0
  #timers: ReturnType<typeof setInterval>[] = []
  #isAsking = false
  #isWriting = false

  constructor(options: ChangesOptions) {
    this.#options = options
    for (const pool of options.pools) noting.set(pool, this)
  }

  start(): Promise<void> {
    const { flushMs = 250, askMs = 1000 } = this.#options
    this.#timers = [setInterval(() => void this.#write(), flushMs), setInterval(() => void this.#ask(), askMs)]
    return Promise.resolve()
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    for (const pool of this.#options.pools) noting.delete(pool)
    await this.#write()
  }

  note(kind: ChangedKind, { workspaceId, id }: Changed): void {
    if (this.#watched.has(workspaceId)) this.#add({ workspaceId, kind, subjectId: id })
    else {
      this.#recent[this.#place] = { workspaceId, kind, subjectId: id, at: performance.now() }
      this.#place = (this.#place + 1) % maxRecent
    }
  }

  #add({ workspaceId, kind, subjectId }: ChangeRow): void {
    let kinds = this.#noted.get(workspaceId)
    if (!kinds) this.#noted.set(workspaceId, (kinds = new Map()))
    let rows = kinds.get(kind)
    if (!rows) kinds.set(kind, (rows = new Set()))
    rows.delete(subjectId)
    rows.add(subjectId)
    if (rows.size > maxEach) rows.delete(rows.values().next().value!)
  }

  async #write(): Promise<void> {
    if (this.#isWriting || this.#noted.size === 0) return
    this.#isWriting = true
    const rows = [...this.#noted].flatMap(([workspaceId, kinds]) =>
      [...kinds].flatMap(([kind, ids]) => [...ids].map(subjectId => ({ workspaceId, kind, subjectId }))),
    )
    this.#noted.clear()
    try {
      for (let from = 0; from < rows.length; from += rowsAtOnce)
        await writeChanges(this.#options.sql, rows.slice(from, from + rowsAtOnce))
    } catch (error) {
      this.#options.onFailure(error)
    } finally {
      this.#isWriting = false
    }
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      const before = this.#watched
      this.#watched = new Set(await findStreamed(this.#options.sql))
      this.#addRecent(workspaceId => this.#watched.has(workspaceId) && !before.has(workspaceId))
    } catch (error) {
      this.#options.onFailure(error)
    } finally {
      this.#isAsking = false
    }
  }

  /** Adds recent changes of workspaces that have become watched since the last check. */
  #addRecent(isNew: (workspaceId: string) => boolean): void {
    const since = performance.now() - recentMs
    for (const one of this.#recent) if (one.at >= since && isNew(one.workspaceId)) this.#add(one)
  }
}

const rowsAtOnce = 2000
