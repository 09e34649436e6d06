/**
 * Deletes a workspace in pages that are paced like retention. The first transaction closes it: access ends and work
 * stops. A crash leaves a closed workspace, and the next run continues.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { writeOperatorEntry } from '../../accounts/audit/index.ts'
import { deleteServiceAccounts } from '../../accounts/members/index.ts'
import { isServing } from '../../accounts/rate-limits/index.ts'
import { deleteTokensIn } from '../../accounts/tokens/index.ts'
import { closeWorkspace, deleteWorkspace } from '../../accounts/workspaces/index.ts'
import { Pacer } from '../../core/pacer.ts'
import { removeOld } from '../../core/retention.ts'
import { type Database, type Sql, transaction } from '../../platform/postgres/client.ts'
import { notifyPauses } from '../../queue/pauses/index.ts'
import { readLateMs } from './backpressure.ts'
import { withTransferLock } from './lock.ts'
import { countRows, deleteRows, type RowKey, readShapes, type TableShape } from './sql.ts'
import { exportedTables, keptTables, temporaryTables } from './tables.ts'
import { unknownWorkspace } from './transfer-error.ts'

/** Kinds of rows that a person is told about before a deletion. */
export const countedTables = [
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
 * requests, it takes at least `graceMs` (default 60 seconds). Throws TransferError for an unknown workspace.
 */
export const removeWorkspace = (
  sql: Database,
  workspaceId: string,
  { graceMs = requestMs }: { graceMs?: number } = {},
): Promise<DeletedWorkspace> =>
  withTransferLock(sql, workspaceId, async () => {
    const name = await transaction(sql, tx => close(tx, workspaceId))
    const closedAt = performance.now()
    await removeOld(limit => deleteTokensIn(sql, workspaceId, limit))
    const rows = await removeRemains(sql, workspaceId, { skipLocked: true })
    if (await isServing(sql)) await sleep(Math.max(0, closedAt + graceMs - performance.now()))
    // Requests and attempts that were in progress can have written rows meanwhile.
    addTo(rows, await removeRemains(sql, workspaceId))
    await transaction(sql, tx => deleteWorkspace(tx, workspaceId))
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
 * Deletes all rows of a closed workspace but those of the audit log. Rows are deleted before those that they refer to.
 * Ends when it has found none in a whole pass. Returns the number by table. By default it waits for locked rows.
 */
export const removeRemains = async (
  sql: Database,
  workspaceId: string,
  { skipLocked = false }: { skipLocked?: boolean } = {},
): Promise<Record<string, number>> => {
  const names = [...Object.keys(temporaryTables), ...exportedTables.map(({ name }) => name).reverse()]
  const deleted = names.filter(name => !(name in keptTables))
  const shapes = await readShapes(sql, deleted)
  const pacer = new Pacer({ backpressureMs: () => readLateMs(sql) })
  const rows: Record<string, number> = {}
  for (let found = 1; found > 0; ) {
    found = 0
    await deleteServiceAccounts(sql, workspaceId)
    for (const name of deleted) {
      const shape = shapes.find(one => one.name === name)!
      const count = await removeFrom(sql, { workspaceId, shape, skipLocked }, pacer)
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
const removeFrom = async (
  sql: Database,
  rows: { workspaceId: string; shape: TableShape; skipLocked: boolean },
  pacer: Pacer,
): Promise<number> => {
  let total = 0
  for (let after: RowKey | null = null; ; ) {
    const startedAt = performance.now()
    const limit = pacer.rows
    const page: { count: number; last: RowKey | null } = await deleteRows(sql, { ...rows, after, limit })
    total += page.count
    if (page.count > 0) await pacer.pace(performance.now() - startedAt)
    if (page.count < limit || rows.shape.key.length === 0) return total
    after = page.last
  }
}
