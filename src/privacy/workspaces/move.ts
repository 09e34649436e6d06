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
import { isHeld } from '../../queue/hold/index.ts'
import { notifyPauses, readPauses } from '../../queue/pauses/index.ts'
import { deferTasksOf, enqueue, enqueueMoved, removeTasksOf, resumeTasksOf, selectTasksOf } from '../../queue/tasks.ts'
import { rollUpStats } from '../../webhooks/statistics/index.ts'
import { readLateMs } from './backpressure.ts'
import { closingMs } from './grace.ts'
import { type TransferLock, withTransferLock } from './lock.ts'
import { copyChanges, forgetChanges, type Pace, type Parts, type Require, readParts, syncPart } from './move-copy.ts'
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
import { movingError, TransferError } from './transfer-error.ts'
import { unwatchTables, type WatchOptions, watchTables } from './watch.ts'

/** Maximum milliseconds for which the workspace is closed. After that it is opened again, and the switch is repeated. */
const maxClosedMs = 1500
/** Maximum milliseconds that the closing waits for a lock. */
const closingLockMs = 700
/** Maximum milliseconds in which a failed switch is undone, and milliseconds between two attempts. */
const [maxReopenMs, reopenMs] = [600_000, 500]
/** Maximum number of attempts to switch, and milliseconds between two. */
const [maxAttempts, openMs] = [10, 3000]
/** Number of rows of a table above which the workspace is not closed. */
const maxSwitched = 1000
/** Number of changes below which the workspace is closed. */
const fewChanges = 200
/** Maximum milliseconds of a snapshot, which keeps vacuum from removing dead rows, and of copying changes. */
const maxSnapshotMs = 3_600_000
/** Maximum number of snapshots in which all rows are copied. */
const maxPasses = 48
const maxCatchUpMs = 600_000
/** A page is compared or copied with about ten statements, so a small one would cost more time for them than for its rows. */
const copiedPage = { maxRows: 4000, targetMs: 100, maxMs: 300 }
/** Maximum milliseconds that the switch waits for work in progress. */
const maxDrainMs = 20_000
/** Default of `graceMs`. */
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
  /**
   * Milliseconds between the switch and the deletion in the source. By default it is 15 seconds: every process has then
   * forgotten where the workspace was, and all reads in progress have ended.
   */
  graceMs?: number
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
  /** Whether the target of that move responds. */
  hasTarget: boolean
}

/**
 * Moves a workspace to the cell `to`, or continues an interrupted move. Throws WorkspaceError for an unknown or closed
 * workspace, and TransferError if it cannot be moved or if the rows differ.
 */
export const moveWorkspace = async (to: string, options: MoveOptions): Promise<MovedWorkspace> => {
  const { workspaceId, cells } = options
  const places = await findPlaces(options)
  const holder = findHolder(places, workspaceId)
  if (findSwitched(places, holder)) {
    const completed = await complete(options)
    if (holder.name === to) return completed
  } else if (holder.name === to) throw new TransferError(`The workspace ${workspaceId} is in the cell "${to}" already.`)
  return inPlaces(options, findHolder, async ({ chosen, lock }) => {
    const { closedFor } = chosen.workspace
    if (closedFor !== null && closedFor !== 'move') await requireOpen(chosen.sql, workspaceId)
    return new Move(chosen, cells.find(({ name }) => name === to)!, options, lock).run()
  })
}

export interface CancelledMove {
  from: string
  to: string
  /** Whether the target has a copy that could not be deleted, because it does not respond. */
  keepsCopy: boolean
}

/**
 * Ends a move before its switch: the workspace stays, and what was copied is deleted. If the target does not respond, the
 * copy remains until a repetition.
 */
export const cancelMove = (options: MoveOptions): Promise<CancelledMove> =>
  inPlaces(options, findHolder, async ({ chosen: holder, places, lock }) => {
    const { workspaceId, cells, onProgress } = options
    const rest = { workspaceId, lock, onProgress }
    if (holder.move === null) {
      const left = places.find(place => place !== holder && place.workspace.closedFor === 'copy')
      if (left && left.move === null) {
        await deleteCopy(left.sql, rest)
        return { from: holder.name, to: left.name, keepsCopy: false }
      }
      throw new TransferError(
        left
          ? `The workspace ${workspaceId} is in the cell "${holder.name}" already. Run "workspace move" again to delete its rows in "${left.name}".`
          : `The workspace ${workspaceId} is not being moved.`,
      )
    }
    const { cell } = holder.move
    const target = cells.find(({ name }) => name === cell)
    // The workspace is open in the source only before its switch, so the target is not needed.
    if (!target && holder.workspace.closedFor !== null) throw unavailable(cell)
    if (target && !(await reopen(holder.sql, target.sql, rest)))
      throw new TransferError(`The workspace ${workspaceId} is in the cell "${cell}" already.`)
    await stopMove(holder.sql, rest)
    if (target) await deleteCopy(target.sql, rest)
    await deleteMove(holder.sql, workspaceId)
    return { from: holder.name, to: cell, keepsCopy: !target }
  })

/**
 * Returns the copies of a workspace that was deleted before its move was complete, or before its source responded again.
 * Throws TransferError while another cell has the workspace, so that its deletion leaves no copy.
 */
export const findAbandonedCopies = async (options: Pick<MoveOptions, 'cells' | 'workspaceId'>): Promise<Place[]> => {
  const places = await findPlaces(options)
  if (places.every(({ workspace }) => workspace.closedFor === 'copy')) return places
  if (places.length === 1) return []
  throw movingError(options.workspaceId)
}

/** Deletes such a copy, and what the move has created beside it. */
export const deleteAbandonedCopy = (
  { sql }: MoveCell,
  { workspaceId, onProgress }: Omit<MoveOptions, 'cells'>,
): Promise<void> =>
  withTransferLock(sql, workspaceId, async lock => {
    const rest = { workspaceId, lock, onProgress }
    await requireCopy(sql, workspaceId)
    // The triggers would reject the deletion.
    await stopMove(sql, rest)
    await transaction(sql, async tx => {
      await removeTasksOf(tx, workspaceId)
      await deleteMove(tx, workspaceId)
    })
    await deleteCopy(sql, rest)
  })

/** Deletes the copy in the target of a move that is cancelled. */
const deleteCopy = async (sql: Database, { workspaceId, lock }: WatchOptions): Promise<void> => {
  if ((await findPortableWorkspace(sql, workspaceId)) === null) return
  await requireCopy(sql, workspaceId)
  await removeCopy(sql, workspaceId, lock)
  await deleteWorkspace(sql, workspaceId)
}

/** Throws TransferError if the rows of a workspace are not a copy, so that they are not deleted. */
const requireCopy = async (sql: Sql, workspaceId: string): Promise<void> => {
  if ((await findPortableWorkspace(sql, workspaceId))?.closedFor !== 'copy')
    throw new TransferError(`The workspace ${workspaceId} is not a copy where its rows would be deleted. ${seeRestore}`)
}

const seeRestore = 'See "Restore a cell after a move" in docs/scaling.md.'

const unavailable = (cell: string): TransferError =>
  new TransferError(`The cell "${cell}" of the move cannot be used. Repeat the command when it responds.`)

const findPlaces = async ({ cells, workspaceId }: Pick<MoveOptions, 'cells' | 'workspaceId'>): Promise<Place[]> => {
  const places = await Promise.all(
    cells.map(async cell => {
      const move = await findMove(cell.sql, workspaceId)
      const hasTarget = move !== null && cells.some(({ name }) => name === move.cell)
      return { ...cell, workspace: await findPortableWorkspace(cell.sql, workspaceId), move, hasTarget }
    }),
  )
  return places.flatMap(({ workspace, ...place }) => (workspace === null ? [] : [{ ...place, workspace }]))
}

/**
 * Returns the cell that has the workspace, which is not a copy there. It can be open in one and closing in another. Throws
 * TransferError if two cells have it, for example because one was restored.
 */
const findHolder = (places: readonly Place[], workspaceId: string): Place => {
  const open = places.filter(({ workspace }) => workspace.closedFor === null)
  const holders = open.length > 0 ? open : places.filter(({ workspace }) => workspace.closedFor !== 'copy')
  if (holders.length > 1)
    throw new TransferError(
      `Several cells have the workspace ${workspaceId}: ${holders.map(({ name }) => `"${name}"`).join(', ')}. Nothing was changed. ${seeRestore}`,
    )
  if (holders[0]) return holders[0]
  const [copy] = places
  if (!copy) throw unknownWorkspace(workspaceId)
  const waiting = places.find(({ move, hasTarget }) => move !== null && !hasTarget)
  if (waiting) throw unavailable(waiting.move!.cell)
  throw new TransferError(
    `No cell that responds has the workspace ${workspaceId}, except for a copy in "${copy.name}". If the workspace was deleted, delete its copy with "workspace delete".`,
  )
}

/** Returns the source of a move that was switched and is not complete. */
const findSwitched = (places: readonly Place[], holder: Place): Place | undefined =>
  places.find(place => place !== holder && place.move !== null)

interface LockedPlaces {
  chosen: Place
  places: readonly Place[]
  lock: TransferLock
}

/** Runs `work` with the lock in the chosen cell. The places are read again, because another command can have ended. */
const inPlaces = async <T>(
  options: MoveOptions,
  choose: (places: readonly Place[], workspaceId: string) => Place,
  work: (locked: LockedPlaces) => Promise<T>,
): Promise<T> => {
  const { workspaceId } = options
  const { name, sql } = choose(await findPlaces(options), workspaceId)
  return withTransferLock(sql, workspaceId, async lock => {
    const places = await findPlaces(options)
    const chosen = choose(places, workspaceId)
    if (chosen.name !== name) throw changedMeanwhile(workspaceId)
    return work({ chosen, places, lock })
  })
}

const changedMeanwhile = (workspaceId: string): TransferError =>
  new TransferError(`Another command has changed the workspace ${workspaceId}. Repeat the command.`)

/** Completes a move that an earlier command has switched. */
const complete = (options: MoveOptions): Promise<MovedWorkspace> => {
  const choose = (places: readonly Place[], workspaceId: string) => {
    const switched = findSwitched(places, findHolder(places, workspaceId))
    if (!switched) throw changedMeanwhile(workspaceId)
    return switched
  }
  return inPlaces(options, choose, async ({ chosen: source, places, lock }) => {
    await markMoved(source.sql, options.workspaceId)
    await clear(source, options, lock)
    return { from: source.name, to: findHolder(places, options.workspaceId).name, rows: null, closedMs: null }
  })
}

/** Marks the rows of the source as a copy. The tasks are in the target. */
const markMoved = (source: Database, workspaceId: string): Promise<void> =>
  transaction(source, async tx => {
    await changeMoveState(tx, workspaceId, 'move', 'copy')
    await requireCopy(tx, workspaceId)
    await removeTasksOf(tx, workspaceId)
    await notifyPauses(tx)
  })

/** Deletes the rows of the source, when no process looks for the workspace there. Until then, the triggers reject writes. */
const clear = async (
  { sql, name }: MoveCell,
  { workspaceId, onProgress, graceMs = forgottenMs }: MoveOptions,
  lock: TransferLock,
): Promise<void> => {
  onProgress(`Deleting the rows in "${name}".`)
  if ((await isServing(sql)) || (await isWorking(sql))) await sleep(graceMs)
  await requireCopy(sql, workspaceId)
  await removeCopy(sql, workspaceId, lock)
  await stopMove(sql, { workspaceId, lock, onProgress })
  await requireCopy(sql, workspaceId)
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
  // Without parts nothing is copied.
  const parts = { copied: [], switched: [] }
  await copyChanges(sql, sql, {
    workspaceId,
    parts,
    require: options.lock.require,
    onCopied: forgetChanges(sql, workspaceId),
  })
}

/**
 * Opens the source again if the target was not opened. Returns false if it was. Repeats that for about ten minutes while
 * a database does not respond, because the workspace stays closed.
 */
const reopen = async (source: Database, target: Database, options: WatchOptions): Promise<boolean> => {
  const { workspaceId, lock, onProgress } = options
  const open = () => openSource(source, target, workspaceId)
  let isReported = false
  for (const end = performance.now() + maxReopenMs; ; ) {
    try {
      // Without the lock, another command could open the workspace in the target.
      return await ((await lock.isHeld()) ? open() : withTransferLock(source, workspaceId, open))
    } catch (error) {
      const isTemporary = isServerFailure(error) || isUncertain(error) || error instanceof TransferError
      if (!isTemporary || performance.now() > end) throw error
      if (!isReported) onProgress('The workspace is closed. It is opened again when the databases respond.')
      isReported = true
      await sleep(reopenMs)
    }
  }
}

/** Opens the source again. Waits for the transaction that opens the target, which can outlast its connection. */
const openSource = async (source: Database, target: Database, workspaceId: string): Promise<boolean> => {
  const limits = { statementMs: 5000, lockMs: 2000 }
  const isCopy = await transaction(target, async tx => {
    await limitTimes(tx, limits)
    const found = await findPortableWorkspace(tx, workspaceId)
    return found === null || changeMoveState(tx, workspaceId, 'copy', 'copy')
  })
  if (!isCopy) return false
  await transaction(source, async tx => {
    await limitTimes(tx, limits)
    await changeMoveState(tx, workspaceId, 'move', null)
    await resumeTasksOf(tx, workspaceId)
    await notifyPauses(tx)
  })
  return true
}

/** An attempt to switch took too long. The workspace is open again. */
class SwitchTooSlow extends Error {}

/** A snapshot was used for too long. */
class SnapshotTooLong extends Error {}

/** Limits how long an attempt closes the workspace. */
class Deadline {
  readonly #startedAt = performance.now()

  get elapsedMs(): number {
    return performance.now() - this.#startedAt
  }

  /** Throws SwitchTooSlow at the end. */
  require(): void {
    if (this.elapsedMs > maxClosedMs) throw new SwitchTooSlow()
  }

  /** Makes the server end a transaction at the end. */
  async limit(tx: Sql): Promise<void> {
    this.require()
    const leftMs = Math.max(1, Math.ceil(maxClosedMs - this.elapsedMs))
    const lockMs = Math.min(closingLockMs, leftMs)
    await limitTimes(tx, { statementMs: leftMs, lockMs, transactionMs: leftMs })
  }
}

class Move {
  readonly #source: Database
  readonly #target: Database
  readonly #id: string
  readonly #rest: WatchOptions
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
    this.#rest = { workspaceId: this.#id, lock, onProgress: options.onProgress }
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
    await this.#requireSameDatabases()
    await this.#requireSameWork()
    const copy = await findPortableWorkspace(target, id)
    if (copy !== null && copy.closedFor !== 'copy')
      throw new TransferError(`The workspace ${id} exists in the cell "${this.to.name}", closed for ${copy.closedFor}.`)
    await insertMove(source, id, this.to.name)
    // A killed command can have closed the workspace.
    if (!(await reopen(source, target, this.#rest))) throw changedMeanwhile(id)
    if (copy === null) await this.#insertCopy()
    this.#parts = await readParts(source, id)
    await watchTables(source, this.#parts, this.#rest)
    return (await findMove(source, id))!
  }

  async #requireSameDatabases(): Promise<void> {
    await this.#requireSame('migrations', async sql => (await readSchemaVersion(sql)).schema)
    await this.#requireSame('collation', readCollation)
  }

  async #requireSame(what: string, read: (sql: Sql) => Promise<string>): Promise<void> {
    if ((await read(this.#source)) !== (await read(this.#target)))
      throw new TransferError(
        `The databases of the cells "${this.from.name}" and "${this.to.name}" have different ${what}. Use "workspace export" and "workspace import".`,
      )
  }

  /** Throws TransferError if the move would start or stop the work of the workspace. */
  async #requireSameWork(): Promise<void> {
    for (const { name, sql } of [this.from, this.to])
      if (await isHeld(sql))
        throw new TransferError(
          `Sending is held in the cell "${name}" after a restore. Run "restore release" before the move.`,
        )
    const [paused, pausedThere] = [await readPauses(this.#source), await readPauses(this.#target)]
    if (paused.everywhere.join() !== pausedThere.everywhere.join())
      throw new TransferError(
        `The cells "${this.from.name}" and "${this.to.name}" have different pauses. Pause or resume the same work in both before the move.`,
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
    for (let pass = 0; pass < maxPasses; pass++) {
      await this.#catchUp()
      const rows = await this.#pass()
      if (rows !== null) return rows
    }
    throw new TransferError('The workspace could not be copied within two days. Repeat the command to continue.')
  }

  /** Copies and compares all rows of one snapshot. Returns null if that takes too long. */
  #pass(): Promise<Record<string, number> | null> {
    const pacer = new Pacer({ idleFactor: 1, page: copiedPage, backpressureMs: () => readLateMs(this.#source) })
    return this.#inSnapshot(async (snapshot, require) => {
      await this.#copyChanges(snapshot, require)
      const rows: Record<string, number> = {}
      const pace: Pace = {
        get rows() {
          return pacer.rows
        },
        pace: tookMs => pacer.pace(tookMs),
        require,
      }
      for (const part of this.#parts.copied)
        rows[part.table.name] = (await syncPart(snapshot, this.#target, part, pace)).rows
      return rows
    })
  }

  /** Runs `work` in a snapshot. Before each page, it calls `require`. Returns null if the snapshot lasts too long. */
  async #inSnapshot<T>(work: (snapshot: Sql, require: Require) => Promise<T>): Promise<T | null> {
    const source = this.#source
    const end = performance.now() + maxSnapshotMs
    const require = async () => {
      if (performance.now() > end) throw new SnapshotTooLong()
      await this.lock.require()
    }
    try {
      return (await source.begin('isolation level repeatable read read only', tx =>
        work(withLinksOf(source, tx), require),
      )) as T
    } catch (error) {
      if (error instanceof SnapshotTooLong) return null
      throw error
    }
  }

  #copyChanges(snapshot: Sql, require: Require): Promise<number> {
    const onCopied = forgetChanges(this.#source, this.#id)
    return copyChanges(snapshot, this.#target, { workspaceId: this.#id, parts: this.#parts, require, onCopied })
  }

  /** Copies changes until few are left. */
  async #catchUp(): Promise<void> {
    const end = performance.now() + maxCatchUpMs
    for (;;) {
      const count = await this.#inSnapshot((snapshot, require) => this.#copyChanges(snapshot, require))
      if (count !== null && count < fewChanges) return
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
    // Processes of another release can have migrated one of the databases meanwhile.
    await this.#requireSameDatabases()
    await this.#requireSameWork()
    try {
      return await this.#closeAndOpen(startedAt)
    } catch (error) {
      if (error instanceof SwitchTooSlow || ['55P03', '57014', '25P04'].includes(sqlState(error) ?? '')) return null
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
    const deadline = new Deadline()
    try {
      await transaction(source, async tx => {
        await deadline.limit(tx)
        if (!(await changeMoveState(tx, id, null, 'move'))) throw changedMeanwhile(id)
        // Otherwise processes would start them here after the switch too.
        await deferTasksOf(tx, id)
        await notifyPauses(tx)
      })
      await transaction(source, async tx => {
        await deadline.limit(tx)
        await awaitWriters(tx, id)
      })
      await this.#open(startedAt, deadline)
    } catch (error) {
      const isLate = deadline.elapsedMs > maxClosedMs && isServerFailure(error)
      if (await reopen(source, this.#target, this.#rest)) throw isLate ? new SwitchTooSlow() : error
      if (!isServerFailure(error) && !isUncertain(error)) throw error
    }
    const closedMs = deadline.elapsedMs
    await markMoved(source, id)
    return closedMs
  }

  /** Copies the last changes and opens the workspace, in one transaction of the target. */
  async #open(startedAt: Date, deadline: Deadline): Promise<void> {
    const id = this.#id
    const { onProgress } = this.options
    const require = async () => {
      deadline.require()
      await this.lock.require()
    }
    const pace: Pace = { rows: 1000, pace: () => Promise.resolve(), require }
    await this.#inSnapshot(snapshot =>
      transaction(this.#target, async tx => {
        for (const one of [snapshot, tx]) await deadline.limit(one)
        await copyChanges(snapshot, tx, { workspaceId: id, parts: this.#parts, mustCheck: true, require })
        for (const part of this.#parts.switched) await syncPart(snapshot, tx, part, pace)
        await enqueueMoved(tx, await selectTasksOf(snapshot, id))
        await require()
        // The second pass of an erasure may have run before its rows were copied.
        for (const customerId of await selectErasedSince(snapshot, id, startedAt)) {
          deadline.require()
          await enqueue(tx, 'erase_traces', { workspaceId: id, customerId }, `erase:${customerId}`)
        }
        const { row } = (await findPortableWorkspace(snapshot, id))!
        if (!(await openCopiedWorkspace(tx, id, row)))
          throw new TransferError(`The copy in the cell "${this.to.name}" was changed. Repeat the command.`)
        await writeOperatorEntry(tx, id, {
          action: 'moveWorkspace',
          target: { type: 'workspace', id },
          detail: { from: this.from.name, to: this.to.name },
        })
        await notifyPauses(tx)
        await require()
        onProgress('Switching.')
      }),
    )
  }
}

/** Returns whether a transaction can have been committed. */
const isUncertain = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'NOT_COMMITTED'
