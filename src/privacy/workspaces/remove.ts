/**
 * Deletes a workspace in pages that are paced like retention. The first transaction closes it: access ends and work
 * stops. A crash leaves a closed workspace, and the next run continues.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { writeOperatorEntry } from '../../accounts/audit/index.ts'
import { deleteOwnedAccounts } from '../../accounts/members/index.ts'
import { isServing } from '../../accounts/rate-limits/index.ts'
import { deleteTokensIn } from '../../accounts/tokens/index.ts'
import { closeWorkspace, deleteWorkspace, unknownWorkspace } from '../../accounts/workspaces/index.ts'
import { Pacer } from '../../core/pacer.ts'
import { removeOld } from '../../core/retention.ts'
import { directoryOf } from '../../platform/postgres/cells.ts'
import { type Database, type Sql, sqlState, transaction, withRetry } from '../../platform/postgres/client.ts'
import { isWorking } from '../../platform/postgres/lease.ts'
import { notifyPauses } from '../../queue/pauses/index.ts'
import { readLateMs } from './backpressure.ts'
import { type TransferLock, withTransferLock } from './lock.ts'
import { findMove } from './move-sql.ts'
import { countRows, type DeletedPage, deleteRows, type RowKey, readShapes, type TableShape } from './sql.ts'
import { exportedTables, keptTables, temporaryTables } from './tables.ts'
import { movingError } from './transfer-error.ts'

/** Tables that the preview of a deletion counts. */
const countedTables = [
  'customers',
  'events',
  'messages',
  'deliveries',
  'workflows',
  'channels',
  'webhooks',
  'api_keys',
  'members',
] as const

/** Returns the connections of a table: members and their views are in the directory. */
const tableOf = (sql: Sql, name: string): Sql =>
  exportedTables.find(table => table.name === name)?.inDirectory ? directoryOf(sql) : sql

/** Maximum number of rows of a table that `countWorkspace` counts. */
export const maxPreviewed = 10_000

/** Counts what a deletion would remove, up to `maxPreviewed` rows of each table. */
export const countWorkspace = async (sql: Sql, workspaceId: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of countedTables)
    counts[table] = await countRows(tableOf(sql, table), { workspaceId, table, max: maxPreviewed })
  return counts
}

export interface DeletedWorkspace {
  name: string
  /** Number of deleted rows by table. */
  rows: Record<string, number>
}

/**
 * Milliseconds after which every request and attempt that began before the workspace was closed has ended. It exceeds
 * the statement timeout of 30 s (client.ts), so that the last pass finds what they wrote.
 */
const requestMs = 60_000

/**
 * Milliseconds before each repetition of a statement that has expired. Their sum exceeds the duration of an export, whose
 * snapshot can keep vacuum from removing entries of deleted rows.
 */
const expiryWaits: readonly number[] = Array.from({ length: 90 }, (_, n) => Math.min(1000 * 2 ** n, 60_000))

/** Options of a deletion. */
interface RemovalOptions {
  /** Milliseconds after the closing before the last pass. Defaults to 60 seconds. */
  graceMs?: number
  /** Milliseconds before each repetition of a statement that has expired. Defaults to about 85 minutes in total. */
  waits?: readonly number[]
  /** Called before each repetition. */
  onExpired?: () => void
}

/**
 * Deletes a workspace with all rows except its audit log. Can be repeated after an interruption. While processes answer
 * requests, it takes at least `graceMs`. Throws WorkspaceError for an unknown workspace, and TransferError during a move.
 */
export const removeWorkspace = (
  sql: Database,
  workspaceId: string,
  { graceMs = requestMs, ...expiry }: RemovalOptions = {},
): Promise<DeletedWorkspace> =>
  withTransferLock(sql, workspaceId, async lock => {
    if (await findMove(sql, workspaceId)) throw movingError(workspaceId)
    const { name, importStartedAt } = await transaction(sql, tx => close(tx, workspaceId))
    const closedAt = performance.now()
    await removeOld(limit => deleteTokensIn(sql, workspaceId, limit))
    const remover = new Remover(sql, workspaceId, { lock, importStartedAt, ...expiry })
    await remover.run({ skipLocked: true })
    if ((await isServing(sql)) || (await isWorking(sql)))
      await sleep(Math.max(0, closedAt + graceMs - performance.now()))
    // Requests and attempts that were in progress can have written rows meanwhile.
    await remover.run()
    await deleteWorkspace(sql, workspaceId)
    // Not all tables refer to the workspace, so a transaction that lasted longer can have written rows until now.
    return { name, rows: await remover.run() }
  })

const close = async (tx: Sql, workspaceId: string) => {
  const closed = await closeWorkspace(tx, workspaceId)
  if (closed === null) throw unknownWorkspace(workspaceId)
  await notifyPauses(tx)
  if (closed.closedFor !== 'deletion')
    await writeOperatorEntry(tx, workspaceId, {
      action: 'deleteWorkspace',
      target: { type: 'workspace', id: workspaceId },
      detail: { name: closed.name },
    })
  return closed
}

/**
 * Deletes what an incomplete import has written since its start. Throws TransferError if the lock is lost. Repeats a
 * statement that has expired only if `waits` is not empty.
 */
export const removeImported = async (
  sql: Database,
  workspaceId: string,
  options: { lock: TransferLock; importStartedAt: Date; waits?: readonly number[] },
): Promise<void> => {
  await new Remover(sql, workspaceId, options).run()
  await deleteWorkspace(sql, workspaceId)
}

/**
 * Deletes the rows of a copy that a move has left, except those of the move itself. Members and their accounts stay. Throws
 * TransferError if the lock is lost.
 */
export const removeCopy = async (sql: Database, workspaceId: string, lock: TransferLock): Promise<void> => {
  await new Remover(sql, workspaceId, { lock, importStartedAt: null, isCopy: true }).run()
}

/** Number of deleted rows of a table after which the key is remembered. */
const rowsPerMark = 10_000

/**
 * Deletes the rows that a closed or deleted workspace has in all tables but `keptTables`. Rows are deleted before those
 * that they refer to.
 *
 * The index entries of deleted rows stay until vacuum, and every pass over a table reads them. So the remover remembers
 * keys, and a statement of a later pass reads only from one key to the next.
 */
class Remover {
  readonly #pacer: Pacer
  readonly #rows: Record<string, number> = {}
  /** Keys by table, in ascending order. Between two of them are the entries of about `rowsPerMark` deleted rows. */
  readonly #marks = new Map<string, readonly RowKey[]>()

  /**
   * The accounts that an incomplete import has created since `importStartedAt` are deleted too. Nothing of a copy is in the
   * directory.
   */
  constructor(
    private readonly sql: Database,
    private readonly workspaceId: string,
    private readonly options: Omit<RemovalOptions, 'graceMs'> & {
      lock: TransferLock
      importStartedAt: Date | null
      isCopy?: boolean
    },
  ) {
    // The rows of a copy are deleted at the pace at which they were copied.
    this.#pacer = new Pacer({ ...(options.isCopy && { idleFactor: 1 }), backpressureMs: () => readLateMs(sql) })
  }

  /**
   * Runs passes until one has found nothing. Returns the number of all deleted rows by table. By default it waits for
   * locked rows. Throws TransferError if the lock is lost.
   */
  async run({ skipLocked = false } = {}): Promise<Record<string, number>> {
    const names = [...Object.keys(temporaryTables), ...exportedTables.map(({ name }) => name).reverse()]
    const { isCopy = false, importStartedAt } = this.options
    const ofWorkspace = new Set([
      'workspace_moves',
      'workspace_move_changes',
      ...exportedTables.flatMap(table => (table.inDirectory ? table.name : [])),
    ])
    const deleted = names.filter(name => !(name in keptTables) && !(isCopy && ofWorkspace.has(name)))
    const shapes = await readShapes(this.sql, deleted)
    for (let found = 1; found > 0; ) {
      found = 0
      if (!isCopy) await this.#retry(() => deleteOwnedAccounts(this.sql, this.workspaceId, importStartedAt))
      for (const name of deleted) {
        const shape = shapes.find(one => one.name === name)!
        const count = await this.#deleteFrom(shape, skipLocked)
        this.#rows[name] = (this.#rows[name] ?? 0) + count
        found += count
      }
    }
    return this.#rows
  }

  /** Deletes the rows of a table, from one remembered key to the next. Returns their number. */
  async #deleteFrom(shape: TableShape, skipLocked: boolean): Promise<number> {
    const marks: RowKey[] = []
    let total = 0
    let sinceMark = 0
    let after: RowKey | null = null
    for (const until of [...(this.#marks.get(shape.name) ?? []), null]) {
      for (let isEnd = false; !isEnd; ) {
        const limit = this.#pacer.rows
        const page = await this.#deletePage({ shape, after, until, limit, skipLocked })
        total += page.count
        sinceMark += page.count
        after = page.last ?? after
        isEnd = page.count < limit || shape.key.length === 0
        if (!isEnd && sinceMark < rowsPerMark) continue
        const mark = isEnd ? until : page.last
        if (mark === null) continue
        marks.push((after = mark))
        sinceMark = 0
      }
    }
    this.#marks.set(shape.name, marks)
    return total
  }

  async #deletePage(page: Omit<DeletedPage, 'workspaceId'>): ReturnType<typeof deleteRows> {
    let startedAt = 0
    const sql = tableOf(this.sql, page.shape.name)
    const deleted = await this.#retry(() => {
      startedAt = performance.now()
      return deleteRows(sql, { ...page, workspaceId: this.workspaceId })
    })
    const isEmptyTable = deleted.count === 0 && page.until === null
    if (!isEmptyTable) await this.#pacer.pace(performance.now() - startedAt)
    return deleted
  }

  /**
   * Runs `work` while the lock is held, and repeats it when its statement has expired: a deletion that begins again after
   * an interruption has no keys, and its first statement of a table reads the entries of all deleted rows until vacuum
   * has removed them.
   */
  #retry<T>(work: () => Promise<T>): Promise<T> {
    const { lock, waits = expiryWaits, onExpired = () => {} } = this.options
    const when = (error: unknown) => {
      if (sqlState(error) !== '57014') return false
      onExpired()
      return true
    }
    return withRetry(() => lock.require().then(work), { when, waits })
  }
}
