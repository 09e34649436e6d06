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
import { type Database, type Sql, transaction } from '../../platform/postgres/client.ts'
import { isWorking } from '../../platform/postgres/lease.ts'
import { notifyPauses } from '../../queue/pauses/index.ts'
import { readLateMs } from './backpressure.ts'
import { type TransferLock, withTransferLock } from './lock.ts'
import { countRows, deleteRows, type RowKey, readShapes, type TableShape } from './sql.ts'
import { exportedTables, keptTables, temporaryTables } from './tables.ts'

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

/** Maximum number of rows of a table that `countWorkspace` counts. */
export const maxCounted = 10_000

/** Counts what a deletion would remove, up to `maxCounted` rows of each table. */
export const countWorkspace = async (sql: Sql, workspaceId: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of countedTables) counts[table] = await countRows(sql, { workspaceId, table, max: maxCounted })
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
 * Deletes a workspace with all rows except its audit log. Can be repeated after an interruption. While processes answer
 * requests, it takes at least `graceMs` (default 60 seconds). Throws WorkspaceError for an unknown workspace.
 */
export const removeWorkspace = (
  sql: Database,
  workspaceId: string,
  { graceMs = requestMs }: { graceMs?: number } = {},
): Promise<DeletedWorkspace> =>
  withTransferLock(sql, workspaceId, async lock => {
    const name = await transaction(sql, tx => close(tx, workspaceId))
    const closedAt = performance.now()
    await removeOld(limit => deleteTokensIn(sql, workspaceId, limit))
    const rows = await deleteRowsOf(sql, workspaceId, lock, { skipLocked: true })
    if ((await isServing(sql)) || (await isWorking(sql)))
      await sleep(Math.max(0, closedAt + graceMs - performance.now()))
    // Requests and attempts that were in progress can have written rows meanwhile.
    addTo(rows, await deleteRowsOf(sql, workspaceId, lock))
    await deleteWorkspace(sql, workspaceId)
    // Not all tables refer to the workspace, so a transaction that lasted longer can have written rows until now.
    addTo(rows, await deleteRowsOf(sql, workspaceId, lock))
    return { name, rows }
  })

const close = async (tx: Sql, workspaceId: string): Promise<string> => {
  const closed = await closeWorkspace(tx, workspaceId)
  if (closed === null) throw unknownWorkspace(workspaceId)
  await notifyPauses(tx)
  if (closed.closedFor !== 'deletion')
    await writeOperatorEntry(tx, workspaceId, {
      action: 'deleteWorkspace',
      target: { type: 'workspace', id: workspaceId },
      detail: { name: closed.name },
    })
  return closed.name
}

/**
 * Deletes the rows that a closed or deleted workspace has in all tables but `keptTables`. Rows are deleted before those
 * that they refer to. Ends when it has found none in a whole pass. Returns the number by table. By default it waits for
 * locked rows. `importedSince` is the start of an incomplete import, whose accounts are deleted too. Throws TransferError
 * if the lock is lost.
 */
export const deleteRowsOf = async (
  sql: Database,
  workspaceId: string,
  lock: TransferLock,
  { skipLocked = false, importedSince = null }: { skipLocked?: boolean; importedSince?: Date | null } = {},
): Promise<Record<string, number>> => {
  const names = [...Object.keys(temporaryTables), ...exportedTables.map(({ name }) => name).reverse()]
  const deleted = names.filter(name => !(name in keptTables))
  const shapes = await readShapes(sql, deleted)
  const pacer = new Pacer({ backpressureMs: () => readLateMs(sql) })
  const rows: Record<string, number> = {}
  for (let found = 1; found > 0; ) {
    found = 0
    await deleteOwnedAccounts(sql, workspaceId, importedSince)
    for (const name of deleted) {
      const shape = shapes.find(one => one.name === name)!
      const count = await deleteFrom(sql, { workspaceId, shape, skipLocked }, { pacer, lock })
      addTo(rows, { [name]: count })
      found += count
    }
  }
  return rows
}

const addTo = (sum: Record<string, number>, more: Record<string, number>): void => {
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count
}

/** Deletes the rows of a table, page by page. */
const deleteFrom = async (
  sql: Database,
  rows: { workspaceId: string; shape: TableShape; skipLocked: boolean },
  { pacer, lock }: { pacer: Pacer; lock: TransferLock },
): Promise<number> => {
  let total = 0
  for (let after: RowKey | null = null; ; ) {
    await lock.require()
    const startedAt = performance.now()
    const limit = pacer.rows
    const page: { count: number; last: RowKey | null } = await deleteRows(sql, { ...rows, after, limit })
    total += page.count
    if (page.count > 0) await pacer.pace(performance.now() - startedAt)
    if (page.count < limit || rows.shape.key.length === 0) return total
    after = page.last
  }
}
