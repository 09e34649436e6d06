/** Creates and drops the triggers of a move. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Sql, sqlState, transaction } from '../../platform/postgres/client.ts'
import type { TransferLock } from './lock.ts'
import { movedTables, type Parts } from './move-copy.ts'
import { hasVacuum, isWatched, limitTimes, unwatchTable, watchTable } from './move-sql.ts'
import { switchedTables } from './tables.ts'
import { TransferError } from './transfer-error.ts'

/** Milliseconds between two attempts to lock a table, and maximum number of attempts. */
const [retryMs, maxAttempts] = [2000, 150]
/** Maximum milliseconds of an attempt. Reads wait behind the drop of a trigger, and writes behind the creation. */
const [dropMs, firstMs, createMs] = [100, 100, 500]
/** Autovacuum ends for a lock that waits longer than `deadlock_timeout` (1 s). Maximum number of such attempts. */
const [vacuumMs, maxVacuumAttempts] = [1100, 2]

/** Tables with triggers during a move. */
const watchedTables = ['workspaces', ...movedTables.map(({ name }) => name)]

export interface WatchOptions {
  workspaceId: string
  lock: TransferLock
  onProgress: (text: string) => void
}

/** Creates the triggers, except those that exist. Throws TransferError if a table stays locked. */
export const watchTables = async (sql: Database, parts: Parts, options: WatchOptions): Promise<void> => {
  const { workspaceId } = options
  for (const name of watchedTables) {
    const isNoted = name !== 'workspaces' && !switchedTables.includes(name)
    const shape = parts.copied.find(({ table }) => table.name === name)?.shape
    const key = isNoted ? shape!.key.map(column => column.name) : null
    let vacuumAttempts = 0
    const waitMs = async (attempt: number) => {
      if (attempt === 0) return firstMs
      return vacuumAttempts < maxVacuumAttempts && (await hasVacuum(sql, name)) && ++vacuumAttempts
        ? vacuumMs
        : createMs
    }
    await withTableLock(sql, name, { ...options, waitMs, run: tx => watchTable(tx, name, workspaceId, key) })
  }
}

/** Drops the triggers. Throws TransferError if a table stays locked, for example during an export. */
export const unwatchTables = async (sql: Database, options: WatchOptions): Promise<void> => {
  const { workspaceId } = options
  for (const name of watchedTables)
    if (await isWatched(sql, name, workspaceId))
      await withTableLock(sql, name, {
        ...options,
        waitMs: async () => dropMs,
        run: tx => unwatchTable(tx, name, workspaceId),
      })
}

interface LockedChange extends WatchOptions {
  /** Returns for how many milliseconds an attempt waits for the lock. */
  waitMs: (attempt: number) => Promise<number>
  run: (tx: Sql) => PromiseLike<unknown>
}

/**
 * Runs a change of a table that needs a lock. All other statements wait behind one that waits for a lock, so each attempt
 * waits only shortly, and the table is used between two.
 */
const withTableLock = async (
  sql: Database,
  name: string,
  { lock, onProgress, waitMs, run }: LockedChange,
): Promise<void> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++)
    try {
      await lock.require()
      const lockMs = await waitMs(attempt)
      await transaction(sql, async tx => {
        await limitTimes(tx, { statementMs: 5000, lockMs })
        await run(tx)
      })
      return
    } catch (error) {
      if (sqlState(error) === '42501')
        throw new TransferError('The role must own the tables. Run the command with the role that runs "migrate".')
      if (sqlState(error) !== '55P03') throw error
      if (attempt === 0) onProgress(`Waiting for a lock on the table ${name}.`)
      await sleep(retryMs)
    }
  throw new TransferError(
    `The table ${name} is locked. Repeat the command when no backup, export or long transaction uses it.`,
  )
}
