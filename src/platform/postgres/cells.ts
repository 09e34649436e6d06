/**
 * Finds the database of a statement when workspaces are in several databases, the cells. The first cell, `main`, also has
 * the directory: people, their memberships and credentials. With one cell no pool is linked, and each function returns
 * its argument.
 */
import type postgres from 'postgres'

/** As in client.ts, which imports this file. */
type Database = postgres.Sql
type Sql = postgres.Sql | postgres.TransactionSql

/** The other databases for the statements of a linked pool and of its transactions. */
export interface CellLinks {
  /** Name of the cell of the pool. */
  cell: string
  /** Pool of the directory. Null for a pool of the directory itself. */
  directory: Database | null
  /**
   * Returns the cell of a workspace with its pool. Returns null if no cell has the workspace. Rejects with
   * CellUnavailable if that is not known.
   */
  locate(workspaceId: string): Promise<{ cell: string; sql: Database } | null>
  /** Makes the next search for a record ask the cells again. */
  forget(named: Named, id: string): void
}

/** A record that a request names, which determines the workspace. A key is named by its hash. */
export type Named = 'workspace' | 'key' | 'channel'

/** Code of CellUnavailable. It counts as a connection error. */
export const cellUnavailable = 'CELL_UNAVAILABLE'

/** Error for a call whose cell does not respond. Nothing was done. */
export class CellUnavailable extends Error {
  override readonly name: string = 'CellUnavailable'
  readonly code = cellUnavailable

  constructor(message = 'the database of a cell does not respond') {
    super(message)
  }
}

/** Error for a call of a workspace that is being moved to another cell. Nothing was done. */
export class WorkspaceMoving extends CellUnavailable {
  override readonly name = 'WorkspaceMoving'

  constructor() {
    super('The workspace is being moved to another database.')
  }
}

/**
 * Error for a call of a workspace that several cells have, because they were restored to before a move. Nothing was done.
 */
export class SeveralCells extends CellUnavailable {
  override readonly name = 'SeveralCells'

  constructor(named: Named, cells: readonly string[]) {
    const names = cells.map(cell => `"${cell}"`).join(', ')
    super(`Several cells have the same ${named}: ${names}. See "Restore a cell after a move" in docs/scaling.md.`)
  }
}

/**
 * Milliseconds after which a cell that has not answered a call of another cell counts as away, and for which it is not
 * asked again. Otherwise each call would wait for a server that is silent.
 */
const [maxAnswerMs, awayMs] = [1000, 3000]

/** Pools of cells that are away, with the end of that time. */
const awayUntil = new WeakMap<Sql, number>()

/** Makes `askCell` reject immediately, until the cell of a pool is no longer away. */
export const setAway = (sql: Sql, isAway: boolean): void => {
  if (isAway) awayUntil.set(sql, Number.POSITIVE_INFINITY)
  else awayUntil.delete(sql)
}

/** Asks another cell. Rejects with CellUnavailable if its answer takes too long, or if it is away. */
export const askCell = async <T>(sql: Sql, ask: () => PromiseLike<T>): Promise<T> => {
  if (performance.now() < (awayUntil.get(sql) ?? 0)) throw new CellUnavailable()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    awayUntil.set(sql, Math.max(performance.now() + awayMs, awayUntil.get(sql) ?? 0))
    reject(new CellUnavailable())
  }, maxAnswerMs)
  try {
    return await Promise.race([ask(), promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Default schema of Graphile Worker. */
const defaultTasksSchema = 'graphile_worker'

/** Schemas of Graphile Worker that differ from the default. */
const tasksSchemas = new WeakMap<Sql, string>()

/** Sets the schema in which the tasks of a database are. */
export const setTasksSchema = (sql: Sql, schema: string): void => {
  if (schema !== defaultTasksSchema) tasksSchemas.set(sql, schema)
}

/** Returns the schema in which the tasks of a database are. Cells on one node of Citus have one each. */
export const tasksSchema = (sql: Sql): string => tasksSchemas.get(sql) ?? defaultTasksSchema

const linksOf = new WeakMap<Sql, CellLinks>()

/** Links a pool of a cell with the other cells. */
export const linkPool = (sql: Database, links: CellLinks): void => {
  linksOf.set(sql, links)
}

/** Gives a transaction the links and the schema of its pool. Returns the transaction. */
export const withLinksOf = <T extends Sql>(sql: Sql, tx: T): T => {
  const links = linksOf.get(sql)
  if (links) linksOf.set(tx, links)
  setTasksSchema(tx, tasksSchema(sql))
  return tx
}

/**
 * Returns the connections of the directory: people, memberships, sessions and access tokens. In another cell than `main`,
 * their statements do not belong to the transaction of the caller.
 */
export const directoryOf = (sql: Sql): Sql => linksOf.get(sql)?.directory ?? sql

/** Forgets where a record is, because its workspace has been moved, or is about to be. */
export const forgetPlace = (sql: Sql, named: Named, id: string): void => linksOf.get(sql)?.forget(named, id)

/** Returns whether there are other cells than the one of these connections. */
export const hasOtherCells = (sql: Sql): boolean => linksOf.has(sql)

/**
 * Returns the connections of the cell in which a workspace is: the argument if it is in the same cell or in none. In
 * another cell, their statements do not belong to the transaction of the caller. Rejects with CellUnavailable.
 */
export const cellOf = async (sql: Sql, workspaceId: string): Promise<Sql> => {
  const links = linksOf.get(sql)
  if (!links) return sql
  const found = await links.locate(workspaceId)
  return found === null || found.cell === links.cell ? sql : found.sql
}

/**
 * Runs a statement in the cell of a workspace, like `cellOf`. Rejects with CellUnavailable if another cell does not answer
 * in time.
 */
export const inCellOf = async <T>(sql: Sql, workspaceId: string, run: (cell: Sql) => PromiseLike<T>): Promise<T> => {
  const cell = await cellOf(sql, workspaceId)
  return cell === sql ? run(cell) : askCell(cell, () => run(cell))
}

/** Workspaces of one cell. `sql` is null if the cell does not respond. */
export interface WorkspacesInCell {
  sql: Sql | null
  ids: string[]
}

/** Groups workspaces by their cells. Workspaces that no cell has are in the group of the argument. */
export const groupByCell = async (sql: Sql, ids: readonly string[]): Promise<WorkspacesInCell[]> => {
  if (!linksOf.has(sql)) return [{ sql, ids: [...ids] }]
  const groups = new Map<Sql | null, string[]>()
  await Promise.all(
    ids.map(async id => {
      const found = await cellOf(sql, id).catch((error: unknown) => {
        if (error instanceof CellUnavailable) return null
        throw error
      })
      groups.set(found, [...(groups.get(found) ?? []), id])
    }),
  )
  return [...groups].map(([found, members]) => ({ sql: found, ids: members }))
}
