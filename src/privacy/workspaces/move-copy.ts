/** Copies the rows of a moving workspace, and compares them with those of the target. */
import type { Database, Sql } from '../../platform/postgres/client.ts'
import { transaction, violatedIndex } from '../../platform/postgres/client.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import {
  type Change,
  countByKeys,
  deleteChanges,
  deleteMissing,
  deleteOthers,
  deleteSameValues,
  type Part,
  type PartRange,
  readByKeys,
  readKeys,
  readRange,
  selectChanges,
  summarize,
  upsertRows,
} from './move-sql.ts'
import { type RowKey, readShapes } from './sql.ts'
import { exportedTables, keptTables, splitTables, switchedTables, type WorkspaceTable } from './tables.ts'
import { TransferError } from './transfer-error.ts'

/** Maximum rows and bytes that are read together. */
const readLimits = { limit: 500, maxBytes: 4 * 1024 * 1024 }

/** Maximum number of changed rows that are read together, and of noted changes that are read together. */
const maxKeys = 200
const maxChanges = 2000

/** Parts that are copied while the workspace is open, and those that are copied when it is switched, in that order. */
export interface Parts {
  copied: readonly Part[]
  switched: readonly Part[]
}

/** All tables of a move. Members and their saved views stay in the directory. */
export const movedTables: readonly WorkspaceTable[] = [
  ...exportedTables.filter(({ inDirectory }) => !inDirectory),
  { name: 'workspace_pauses', accounts: [], omitted: [], inDirectory: false },
]

/** Reads the shapes of the tables, and returns their parts. */
export const readParts = async (sql: Sql, workspaceId: string): Promise<Parts> => {
  const shapes = await readShapes(
    sql,
    movedTables.map(({ name }) => name),
  )
  const parts = movedTables.map((table): Part => {
    const shape = shapes.find(({ name }) => name === table.name)!
    return { workspaceId, table, shape, pending: splitTables.includes(table.name) ? false : null }
  })
  const isSwitched = ({ table }: Part) => switchedTables.includes(table.name)
  return {
    copied: parts.filter(part => !isSwitched(part)),
    switched: parts.flatMap(part => {
      if (part.pending !== null) return [{ ...part, pending: true }]
      return isSwitched(part) ? [part] : []
    }),
  }
}

/** Called before each page that is written. Throws if copying must end. */
export type Require = () => Promise<void>

/** Paces the pages, and returns the size of the next one. */
export interface Pace {
  readonly rows: number
  pace(tookMs: number): Promise<void>
  require: Require
}

/** Number of compared rows, and whether the target lacked some. */
export interface Copied {
  rows: number
  differed: boolean
}

/**
 * Makes a part of the target equal to the source, page by page. Equal pages are only compared. Throws TransferError if a
 * page differs after it was copied. `source` is a snapshot.
 */
export const syncPart = async (source: Sql, target: Sql, part: Part, pace: Pace): Promise<Copied> => {
  let after: RowKey | null = null
  const copied: Copied = { rows: 0, differed: false }
  for (;;) {
    await pace.require()
    const startedAt = performance.now()
    const limit = pace.rows
    const expected = await summarize(source, { ...part, after, until: null }, limit)
    const isEnd = expected.count < limit || part.shape.key.length === 0
    const range: PartRange = { ...part, after, until: isEnd ? null : expected.last }
    // Entries of the audit log never change, and the target can have others from an earlier stay.
    const keys = part.table.name in keptTables ? await readKeys(source, range, expected.count) : null
    const compare = async () => {
      if (keys !== null)
        return { isEqual: (await countByKeys(target, part, keys)) === expected.count, hasOthers: false }
      const { count, sum } = await summarize(target, range, limit + 1)
      return { isEqual: count === expected.count && sum === expected.sum, hasOthers: count > 0 }
    }
    const { isEqual, hasOthers } = await compare()
    if (!isEqual) {
      copied.differed = true
      const mustDelete = hasOthers && !part.pending
      await copyRange(source, target, { ...range, count: expected.count, mustDelete }, pace.require)
      if (!(await compare()).isEqual)
        throw new TransferError(
          `The rows of ${part.table.name} in the target differ from those of the workspace. It was not moved.`,
        )
    }
    copied.rows += expected.count
    await pace.pace(performance.now() - startedAt)
    if (isEnd) return copied
    after = expected.last
  }
}

interface CopiedRange extends PartRange {
  /** Number of rows in the source. */
  count: number
  /** Whether rows of the target that the source does not have are deleted. */
  mustDelete: boolean
}

const copyRange = async (
  source: Sql,
  target: Sql,
  { until, count, mustDelete, ...range }: CopiedRange,
  require: Require,
): Promise<void> => {
  let left = count
  for (let { after } = range; ; ) {
    const rows = await readRange(source, { ...range, after, until }, readLimits)
    left -= rows.length
    const isEnd = left <= 0 || rows.length === 0
    const last = rows.at(-1)?.key ?? null
    const text = `[${rows.map(({ row }) => row).join(',')}]`
    await require()
    const page = { ...range, after, until: isEnd ? until : last }
    await transaction(target, async tx => {
      if (mustDelete) await deleteOthers(tx, page, text)
      if (rows.length > 0) await upsert(tx, range, text)
    })
    if (isEnd) return
    after = last
  }
}

/**
 * Inserts or replaces rows. A row of the target that has a unique value of one of them is outdated, because the source has
 * the value once. It is deleted, and copied with its own change or in a later range: equal ranges have no such row.
 */
const upsert = async (tx: Sql, part: Part, rows: string): Promise<void> => {
  for (const tried = new Set<string>(); ; )
    try {
      return await inSavepoint(tx, savepoint => upsertRows(savepoint, part, rows))
    } catch (error) {
      const index = violatedIndex(error)
      if (index === null || tried.has(index) || part.table.name in keptTables) throw error
      tried.add(index)
      await deleteSameValues(tx, part, index, rows)
    }
}

const inSavepoint = async (tx: Sql, work: (savepoint: Sql) => PromiseLike<unknown>): Promise<void> => {
  if (!('savepoint' in tx)) throw new Error('a savepoint needs a transaction')
  await tx.savepoint(async savepoint => {
    await work(savepoint)
  })
}

/**
 * Copies rows whose changes were noted. `source` is a snapshot, and has all changes that are visible in it. Returns the
 * number of changes. `onCopied` is called with the ids of each page of changes after its commit. With `mustCheck`, reads the
 * rows again, and throws TransferError if they differ.
 */
export const copyChanges = async (
  source: Sql,
  target: Sql,
  { workspaceId, parts, require, mustCheck = false, onCopied = async () => {} }: CopyOptions,
): Promise<number> => {
  let count = 0
  let limit = maxChanges
  for (let after = smallestId; ; ) {
    const changes: Change[] = await selectChanges(source, workspaceId, after, limit)
    if (changes.length === 0) return count
    const changed = await readChanged(source, parts.copied, changes, require)
    if (changed === null) {
      limit = Math.ceil(changes.length / 4)
      continue
    }
    await transaction(target, tx => writeChanged(tx, changed, { require, mustCheck }))
    await onCopied(changes.map(({ id }) => id))
    count += changes.length
    after = changes.at(-1)!.id
    limit = Math.min(limit * 2, maxChanges)
  }
}

export interface CopyOptions {
  workspaceId: string
  parts: Parts
  require: Require
  mustCheck?: boolean
  onCopied?: (ids: readonly string[]) => Promise<void>
}

/** Changed rows of a part: the JSON texts of their keys, and those that exist. */
interface ChangedRows {
  part: Part
  keys: string
  rows: string[]
}

/** Reads the rows of changes. Returns null if they are too large for one page, unless there is only one. */
const readChanged = async (
  source: Sql,
  parts: readonly Part[],
  changes: readonly Change[],
  require: Require,
): Promise<ChangedRows[] | null> => {
  const byTable = Map.groupBy(changes, ({ table }) => table)
  const changed: ChangedRows[] = []
  let bytes = 0
  for (const part of parts) {
    const keys = [...new Set((byTable.get(part.table.name) ?? []).map(({ key }) => key))]
    for (let from = 0; from < keys.length; from += maxKeys) {
      await require()
      const some = `[${keys.slice(from, from + maxKeys).join(',')}]`
      const { rows, isCut } = await readByKeys(source, part, { keys: some, maxBytes: readLimits.maxBytes })
      bytes += rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0)
      if (changes.length > 1 && (isCut || bytes > readLimits.maxBytes)) return null
      changed.push({ part, keys: some, rows })
    }
  }
  return changed
}

const writeChanged = async (
  tx: Sql,
  changed: readonly ChangedRows[],
  { require, mustCheck }: Pick<CopyOptions, 'require' | 'mustCheck'>,
): Promise<void> => {
  const isKept = ({ part }: ChangedRows) => part.table.name in keptTables
  await require()
  // Rows are deleted before those that they refer to, and inserted after them.
  for (const { part, keys, rows } of changed.filter(one => !isKept(one)).toReversed())
    await deleteMissing(tx, part, keys, `[${rows.join(',')}]`)
  for (const { part, rows } of changed) if (rows.length > 0) await upsert(tx, part, `[${rows.join(',')}]`)
  await require()
  if (!mustCheck) return
  for (const { part, keys, rows } of changed) {
    if (isKept({ part, keys, rows })) continue
    const { rows: written } = await readByKeys(tx, part, { keys, maxBytes: Number.MAX_SAFE_INTEGER })
    if (written.join('\n') !== rows.join('\n'))
      throw new TransferError(
        `Changed rows of ${part.table.name} in the target differ from those of the workspace. It was not moved.`,
      )
  }
}

/** Removes noted changes that were copied. */
export const forgetChanges =
  (sql: Database, workspaceId: string) =>
  async (ids: readonly string[]): Promise<void> => {
    await deleteChanges(sql, workspaceId, ids)
  }
