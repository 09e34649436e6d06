/**
 * Moves a workspace to another database while the service runs.
 *
 * Triggers in the source note the keys of changed rows. All rows are copied from a snapshot and compared, then the changed
 * ones, until few are left. The workspace is then closed for less than two seconds: calls get 503, and the last changes
 * and the tasks are copied in the transaction that opens the workspace in the target. Rows are deleted in the source later.
 *
 * The states of the workspace in both databases show how far a move is, so a repetition continues it:
 *
 * | source | target | |
 * |---|---|---|
 * | open | `copy` | rows are being copied |
 * | `move` | `copy` | closed; a repetition opens the source again |
 * | `move` | open | switched; a repetition marks the source as a copy |
 * | `copy` | open | the rows of the source are being deleted |
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { writeOperatorEntry } from '../../accounts/audit/index.ts'
import { isServing } from '../../accounts/rate-limits/index.ts'
import {
  changeMoveState,
  deleteWorkspace,
  findPortableWorkspace,
  insertClosedWorkspace,
  openCopiedWorkspace,
  type PortableWorkspace,
  requireOpen,
  unknownWorkspace,
} from '../../accounts/workspaces/index.ts'
import { Pacer } from '../../core/pacer.ts'
import { withLinksOf } from '../../platform/postgres/cells.ts'
import { type Database, isServerFailure, type Sql, sqlState, transaction } from '../../platform/postgres/client.ts'
import { isWorking } from '../../platform/postgres/lease.ts'
import { readSchemaVersion } from '../../platform/postgres/migrate.ts'
import { notifyPauses } from '../../queue/pauses/index.ts'
import { enqueue, enqueueMoved, removeTasksOf, selectTasksOf } from '../../queue/tasks.ts'
import { rollUpStats } from '../../webhooks/statistics/index.ts'
import { readLateMs } from './backpressure.ts'
import { closingMs } from './grace.ts'
import { type TransferLock, withTransferLock } from './lock.ts'
import { copyChanges, forgetChanges, type Parts, readParts, syncPart } from './move-copy.ts'
import {
  awaitWriters,
  deleteMove,
  findMove,
  hasLeases,
  insertMove,
  limitTimes,
  type MoveRow,
  readCollation,
  selectErasedSince,
  summarize,
  updateDraining,
} from './move-sql.ts'
import { removeCopy } from './remove.ts'
import { TransferError } from './transfer-error.ts'
import { unwatchTables, type WatchOptions, watchTables } from './watch.ts'

/** Maximum milliseconds for which the workspace is closed. After that it is opened again, and the switch is repeated. */
const maxClosedMs = 1500
/** Maximum milliseconds that the closing waits for a lock. */
const closingLockMs = 700
/** Maximum number of attempts to switch, and milliseconds between two. */
const [maxAttempts, openMs] = [10, 3000]
/** Number of rows of a table above which the workspace is not closed. */
const maxSwitched = 1000
/** Number of changes below which the workspace is closed. */
const fewChanges = 200
/** Maximum milliseconds of a snapshot, which keeps vacuum from removing dead rows, and of copying changes. */
const maxPassMs = 3_600_000
const maxCatchUpMs = 600_000
/** Maximum milliseconds that the switch waits for work in progress. */
const maxDrainMs = 20_000
/** Milliseconds after which every process has forgotten where the workspace was, and all reads in progress have ended. */
const forgottenMs = 15_000

/** A cell whose database is open. */
export interface MoveCell {
  name: string
  sql: Database
}

export interface MoveOptions {
  cells: readonly MoveCell[]
  workspaceId: string
  /** Called with a sentence about the progress. */
  onProgress: (text: string) => void
}

export interface MovedWorkspace {
  from: string
  to: string
  /** Number of rows by table, at the last comparison. Null if an earlier command has moved them. */
  rows: Record<string, number> | null
  /** Milliseconds for which calls of the workspace got 503. Null if an earlier command has switched it. */
  closedMs: number | null
}

/** A cell that has rows of the workspace. */
interface Place extends MoveCell {
  workspace: PortableWorkspace
  /** The move from this cell. */
  move: MoveRow | null
}

/**
 * Moves a workspace to the cell `to`, or continues an interrupted move. Throws WorkspaceError for an unknown or closed
 * workspace, and TransferError if it cannot be moved or if the rows differ.
 */
export const moveWorkspace = async (to: string, options: MoveOptions): Promise<MovedWorkspace> => {
  const { workspaceId, cells } = options
  const target = cells.find(({ name }) => name === to)!
  const places = await findPlaces(options)
  const holder = findHolder(places, workspaceId)
  const earlier = places.find(place => place !== holder && place.move !== null)
  if (holder.name === to) {
    if (!earlier) throw new TransferError(`The workspace ${workspaceId} is in the cell "${to}" already.`)
    return complete(earlier, holder, options)
  }
  const { closedFor } = holder.workspace
  if (closedFor !== null && closedFor !== 'move') await requireOpen(holder.sql, workspaceId)
  if (earlier) await complete(earlier, holder, options)
  return withTransferLock(holder.sql, workspaceId, lock => new Move(holder, target, options, lock).run())
}

/** Ends a move before its switch: the workspace stays, and what was copied is deleted. Returns the name of the target. */
export const cancelMove = async (options: MoveOptions): Promise<{ from: string; to: string }> => {
  const { workspaceId, cells, onProgress } = options
  const places = await findPlaces(options)
  const holder = findHolder(places, workspaceId)
  return withTransferLock(holder.sql, workspaceId, async lock => {
    const move = await findMove(holder.sql, workspaceId)
    if (move === null) {
      const from = places.find(place => place !== holder && place.move !== null)
      throw new TransferError(
        from
          ? `The workspace ${workspaceId} is in the cell "${holder.name}" already. Run "workspace move" again to delete its rows in "${from.name}".`
          : `The workspace ${workspaceId} is not being moved.`,
      )
    }
    const target = cells.find(({ name }) => name === move.cell)
    if (!target) throw unavailable(move.cell)
    if (!(await reopen(holder.sql, target.sql, workspaceId)))
      throw new TransferError(`The workspace ${workspaceId} is in the cell "${move.cell}" already.`)
    await stopMove(holder.sql, { workspaceId, lock, onProgress })
    if ((await findPortableWorkspace(target.sql, workspaceId)) !== null) {
      await removeCopy(target.sql, workspaceId, lock)
      await deleteWorkspace(target.sql, workspaceId)
    }
    await deleteMove(holder.sql, workspaceId)
    return { from: holder.name, to: move.cell }
  })
}

const unavailable = (cell: string): TransferError =>
  new TransferError(`The cell "${cell}" of the move cannot be used. Repeat the command when it responds.`)

const findPlaces = async ({ cells, workspaceId }: MoveOptions): Promise<Place[]> => {
  const places = await Promise.all(
    cells.map(async cell => ({
      ...cell,
      workspace: await findPortableWorkspace(cell.sql, workspaceId),
      move: await findMove(cell.sql, workspaceId),
    })),
  )
  return places.flatMap(({ workspace, ...place }) => (workspace === null ? [] : [{ ...place, workspace }]))
}

/** Returns the cell that has the workspace, which is not a copy there. It can be open in one and closing in another. */
const findHolder = (places: readonly Place[], workspaceId: string): Place => {
  const holder =
    places.find(({ workspace }) => workspace.closedFor === null) ??
    places.find(({ workspace }) => workspace.closedFor !== 'copy')
  if (holder) return holder
  // A copy without the workspace: the cell that has it is not among the cells that respond.
  const copy = places.find(({ move }) => move !== null)
  throw copy ? unavailable(copy.move!.cell) : unknownWorkspace(workspaceId)
}

/** Completes a move that an earlier command has switched. */
const complete = (source: Place, target: MoveCell, options: MoveOptions): Promise<MovedWorkspace> =>
  withTransferLock(source.sql, options.workspaceId, async lock => {
    await markMoved(source.sql, options.workspaceId)
    await clear(source, options, lock)
    return { from: source.name, to: target.name, rows: null, closedMs: null }
  })

/** Marks the rows of the source as a copy. The tasks are in the target. */
const markMoved = (source: Database, workspaceId: string): Promise<void> =>
  transaction(source, async tx => {
    await changeMoveState(tx, workspaceId, 'move', 'copy')
    await removeTasksOf(tx, workspaceId)
    await notifyPauses(tx)
  })

/** Deletes the rows of the source, when no process looks for the workspace there. Until then, the triggers reject writes. */
const clear = async (
  { sql, name }: MoveCell,
  { workspaceId, onProgress }: MoveOptions,
  lock: TransferLock,
): Promise<void> => {
  onProgress(`Deleting the rows in "${name}".`)
  if ((await isServing(sql)) || (await isWorking(sql))) await sleep(forgottenMs)
  await removeCopy(sql, workspaceId, lock)
  await stopMove(sql, { workspaceId, lock, onProgress })
  // Not all tables refer to the workspace, so a worker can have written rows until now.
  await removeCopy(sql, workspaceId, lock)
  await transaction(sql, async tx => {
    await removeTasksOf(tx, workspaceId)
    await deleteMove(tx, workspaceId)
    await deleteWorkspace(tx, workspaceId)
  })
}

/** Drops the triggers, and resumes the work of the workspace. */
const stopMove = async (sql: Database, options: WatchOptions): Promise<void> => {
  const { workspaceId } = options
  await transaction(sql, async tx => {
    await updateDraining(tx, workspaceId, false)
    await notifyPauses(tx)
  })
  await unwatchTables(sql, options)
  await removeChanges(sql, workspaceId)
}

const removeChanges = async (sql: Database, workspaceId: string): Promise<void> => {
  const parts = { copied: [], switched: [] }
  // Without parts nothing is copied.
  await copyChanges(sql, sql, { workspaceId, parts, onCopied: forgetChanges(sql, workspaceId) })
}

/**
 * Opens the source again if the target was not opened. Returns false if it was. Waits for the transaction that opens it,
 * which can outlast its connection.
 */
const reopen = async (source: Database, target: Database, workspaceId: string): Promise<boolean> => {
  const found = await findPortableWorkspace(target, workspaceId)
  if (found !== null && !(await changeMoveState(target, workspaceId, 'copy', 'copy'))) return false
  await transaction(source, async tx => {
    await changeMoveState(tx, workspaceId, 'move', null)
    await notifyPauses(tx)
  })
  return true
}

/** An attempt to switch took too long. The workspace is open again. */
class SwitchTooSlow extends Error {}

class Move {
  readonly #source: Database
  readonly #target: Database
  readonly #id: string
  #parts: Parts = { copied: [], switched: [] }

  constructor(
    private readonly from: Place,
    private readonly to: MoveCell,
    private readonly options: MoveOptions,
    private readonly lock: TransferLock,
  ) {
    this.#source = from.sql
    this.#target = to.sql
    this.#id = options.workspaceId
  }

  async run(): Promise<MovedWorkspace> {
    const { onProgress } = this.options
    const { startedAt } = await this.#prepare()
    onProgress(`Copying the workspace from "${this.from.name}" to "${this.to.name}".`)
    await this.#copyAll()
    onProgress('Comparing all rows.')
    const rows = await this.#copyAll()
    onProgress('Waiting for work in progress.')
    const closedMs = await this.#switch(startedAt)
    onProgress(
      `The workspace is in "${this.to.name}". Its calls were answered with 503 for ${Math.round(closedMs)} ms.`,
    )
    await clear(this.from, this.options, this.lock)
    return { from: this.from.name, to: this.to.name, rows, closedMs }
  }

  /** Checks both databases, creates the closed copy and the triggers. */
  async #prepare(): Promise<MoveRow> {
    const [source, target, id] = [this.#source, this.#target, this.#id]
    const move = await findMove(source, id)
    if (move !== null && move.cell !== this.to.name)
      throw new TransferError(
        `The workspace ${id} is being moved to the cell "${move.cell}". Complete that move, or end it with --cancel.`,
      )
    await this.#requireSame('migrations', async sql => (await readSchemaVersion(sql)).schema)
    await this.#requireSame('collation', readCollation)
    const copy = await findPortableWorkspace(target, id)
    if (copy !== null && copy.closedFor !== 'copy')
      throw new TransferError(`The workspace ${id} exists in the cell "${this.to.name}", closed for ${copy.closedFor}.`)
    await insertMove(source, id, this.to.name)
    // A killed command can have closed the workspace.
    await reopen(source, target, id)
    if (copy === null) await this.#insertCopy()
    this.#parts = await readParts(source, id)
    await watchTables(source, this.#parts, { ...this.options, lock: this.lock })
    return (await findMove(source, id))!
  }

  async #requireSame(what: string, read: (sql: Sql) => Promise<string>): Promise<void> {
    if ((await read(this.#source)) !== (await read(this.#target)))
      throw new TransferError(
        `The databases of the cells "${this.from.name}" and "${this.to.name}" have different ${what}. Use "workspace export" and "workspace import".`,
      )
  }

  async #insertCopy(): Promise<void> {
    const { row } = (await findPortableWorkspace(this.#source, this.#id))!
    await transaction(this.#target, async tx => {
      await insertClosedWorkspace(tx, this.#id, row, 'copy')
      await notifyPauses(tx)
    }).catch(error => {
      if (sqlState(error) !== '23503') throw error
      throw new TransferError(`The database of the cell "${this.to.name}" does not have the plan of the workspace.`)
    })
    if (await isWorking(this.#target)) await sleep(closingMs)
  }

  /** Copies and compares all rows. Returns their numbers. */
  async #copyAll(): Promise<Record<string, number>> {
    for (;;) {
      await this.#catchUp()
      const rows = await this.#pass(performance.now() + maxPassMs)
      if (rows !== null) return rows
    }
  }

  /** Copies and compares all rows of one snapshot. Returns null if that takes too long. */
  #pass(end: number): Promise<Record<string, number> | null> {
    const pacer = new Pacer({ idleFactor: 1, backpressureMs: () => readLateMs(this.#source) })
    return this.#inSnapshot(async snapshot => {
      await this.#copyChanges(snapshot)
      const rows: Record<string, number> = {}
      for (const part of this.#parts.copied) {
        if (performance.now() > end) return null
        await this.lock.require()
        rows[part.table.name] = (await syncPart(snapshot, this.#target, part, pacer)).rows
      }
      return rows
    })
  }

  #inSnapshot<T>(work: (snapshot: Sql) => Promise<T>): Promise<T> {
    const source = this.#source
    return source.begin('isolation level repeatable read read only', tx => work(withLinksOf(source, tx))) as Promise<T>
  }

  #copyChanges(snapshot: Sql): Promise<number> {
    const onCopied = forgetChanges(this.#source, this.#id)
    return copyChanges(snapshot, this.#target, { workspaceId: this.#id, parts: this.#parts, onCopied })
  }

  /** Copies changes until few are left. */
  async #catchUp(): Promise<void> {
    const end = performance.now() + maxCatchUpMs
    for (;;) {
      await this.lock.require()
      const count = await this.#inSnapshot(snapshot => this.#copyChanges(snapshot))
      if (count < fewChanges) return
      if (performance.now() > end)
        throw new TransferError(
          'The workspace changes faster than it can be copied. Repeat the command at another time.',
        )
    }
  }

  /** Switches the workspace to the target. Returns for how many milliseconds it was closed. */
  async #switch(startedAt: Date): Promise<number> {
    try {
      await this.#drain()
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const closedMs = await this.#trySwitch(startedAt)
        if (closedMs !== null) return closedMs
        // Calls that were refused succeed meanwhile.
        await sleep(openMs)
      }
      throw new TransferError(
        `The last changes could not be copied within ${maxClosedMs} ms. The workspace is open. Repeat the command when it has less load.`,
      )
    } catch (error) {
      // If the server fails, a repetition resumes the work.
      await transaction(this.#source, async tx => {
        await updateDraining(tx, this.#id, false)
        await notifyPauses(tx)
      }).catch(() => {})
      throw error
    }
  }

  /** Pauses the work of the workspace, and waits until attempts in progress have ended, because their results would be lost. */
  async #drain(): Promise<void> {
    await transaction(this.#source, async tx => {
      await updateDraining(tx, this.#id, true)
      await notifyPauses(tx)
    })
    if (!(await isWorking(this.#source))) return
    await sleep(closingMs)
    const end = performance.now() + maxDrainMs
    while (performance.now() < end && (await hasLeases(this.#source, this.#id))) await this.#catchUp()
  }

  /** Returns null if there is too much to copy. The workspace is then open. */
  async #trySwitch(startedAt: Date): Promise<number | null> {
    await rollUpStats(this.#source)
    await this.#catchUp()
    if (await this.#hasManySwitched()) return null
    try {
      return await this.#closeAndOpen(startedAt)
    } catch (error) {
      if (error instanceof SwitchTooSlow || ['55P03', '57014'].includes(sqlState(error) ?? '')) return null
      throw error
    }
  }

  /** Returns whether the closed workspace would have many rows to copy. */
  async #hasManySwitched(): Promise<boolean> {
    for (const part of this.#parts.switched) {
      const { count } = await summarize(this.#source, { ...part, after: null, until: null }, maxSwitched)
      if (count === maxSwitched) return true
    }
    return false
  }

  async #closeAndOpen(startedAt: Date): Promise<number> {
    const [source, id] = [this.#source, this.#id]
    await this.lock.require()
    const closedAt = performance.now()
    await transaction(source, async tx => {
      await limitTimes(tx, { statementMs: maxClosedMs, lockMs: closingLockMs })
      await changeMoveState(tx, id, null, 'move')
      await notifyPauses(tx)
    })
    try {
      await transaction(source, async tx => {
        await limitTimes(tx, { statementMs: maxClosedMs, lockMs: closingLockMs })
        await awaitWriters(tx, id)
      })
      await this.#open(startedAt, closedAt)
    } catch (error) {
      if (await reopen(source, this.#target, id)) throw error
      if (!isServerFailure(error) && !isUncertain(error)) throw error
    }
    const closedMs = performance.now() - closedAt
    await markMoved(source, id)
    return closedMs
  }

  /** Copies the last changes and opens the workspace, in one transaction of the target. */
  #open(startedAt: Date, closedAt: number): Promise<void> {
    const id = this.#id
    const { onProgress } = this.options
    return this.#inSnapshot(snapshot =>
      transaction(this.#target, async tx => {
        for (const one of [snapshot, tx]) await limitTimes(one, { statementMs: maxClosedMs, lockMs: closingLockMs })
        await copyChanges(snapshot, tx, { workspaceId: id, parts: this.#parts, mustCheck: true })
        for (const part of this.#parts.switched) await syncPart(snapshot, tx, part, withoutPauses)
        await enqueueMoved(tx, await selectTasksOf(snapshot, id))
        // The second pass of an erasure may have run before its rows were copied.
        for (const customerId of await selectErasedSince(snapshot, id, startedAt))
          await enqueue(tx, 'erase_traces', { workspaceId: id, customerId }, `erase:${customerId}`)
        const { row } = (await findPortableWorkspace(snapshot, id))!
        if (!(await openCopiedWorkspace(tx, id, row)))
          throw new TransferError(`The copy in the cell "${this.to.name}" was changed. Repeat the command.`)
        await writeOperatorEntry(tx, id, {
          action: 'moveWorkspace',
          target: { type: 'workspace', id },
          detail: { from: this.from.name, to: this.to.name },
        })
        await notifyPauses(tx)
        await this.lock.require()
        if (performance.now() - closedAt > maxClosedMs) throw new SwitchTooSlow()
        onProgress('Switching.')
      }),
    )
  }
}

/** Pages of the switch follow each other immediately. */
const withoutPauses = { rows: 1000, pace: () => Promise.resolve() }

/** Returns whether a transaction can have been committed. */
const isUncertain = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'NOT_COMMITTED'
