/** Opens the databases of all cells for a command, and closes them afterwards. */
import { type CellConfig, type Config, hasCells, mainCell } from '../../config.ts'
import { isId } from '../../core/ids.ts'
import { CellUnavailable, cellOf, SeveralCells } from '../../platform/postgres/cells.ts'
import { connect, type Database, isServerFailure } from '../../platform/postgres/client.ts'
import { isMigrated, MigrationError } from '../../platform/postgres/migrate.ts'
import { isHeld } from '../../queue/hold/index.ts'
import { findCells } from '../cells/citus.ts'
import { LinkedCells } from '../cells/link.ts'
import {
  migrateDatabase,
  type NamedDatabase,
  type OpenDatabase,
  openCell,
  openDatabase,
  requireOtherDatabase,
} from '../database.ts'
import { StartError } from '../start-error.ts'

/** The name of a cell in an output. Everything is empty with one cell. */
export interface CellLabel {
  /** Column of a table. */
  column: string[]
  /** Field of an object. */
  field: { cell?: string }
  /** Line before a text. */
  heading: string
}

/** Returns the label of a cell. */
export const labelOf = (config: Pick<Config, 'cells' | 'citus'>, name: string): CellLabel =>
  hasCells(config)
    ? { column: [name], field: { cell: name }, heading: `Cell ${name}:\n` }
    : { column: [], field: {}, heading: '' }

/** Returns the name of a cell. Throws StartError if there is no such cell. The cells of Citus are not known yet. */
export const requireCellName = ({ cells, citus }: Pick<Config, 'cells' | 'citus'>, name: string): string => {
  const names = [mainCell, ...cells.map(cell => cell.name)]
  if (citus || names.includes(name)) return name
  throw unknownCell(name, names)
}

/** Error for a name that no cell has. */
export const unknownCell = (name: string, names: readonly string[]): StartError =>
  new StartError(`There is no cell "${name}". The cells are ${names.join(', ')}.`)

/** A cell whose database is open. */
export interface OpenCell {
  name: string
  sql: Database
  label: CellLabel
}

/** A further cell, or the problem because of which it cannot be used. */
type FurtherCell = { name: string; database: OpenDatabase } | { name: string; problem: string }

const openOf = (further: readonly FurtherCell[]): NamedDatabase[] =>
  further.flatMap(cell => ('database' in cell ? [{ name: cell.name, sql: cell.database.sql }] : []))

/** The cells of a command. */
export class OpenCells {
  /** Cells that can be used. The first is `main`. */
  readonly cells: readonly OpenCell[]
  readonly #away: readonly { name: string; problem: string }[]
  readonly #skipped = new Set<string>()

  constructor(
    config: Config,
    private readonly main: OpenDatabase,
    further: readonly FurtherCell[],
  ) {
    const open = openOf(further)
    this.#away = further.flatMap(cell => ('problem' in cell ? [cell] : []))
    this.cells = [{ name: mainCell, sql: main.sql }, ...open].map(cell => ({
      ...cell,
      label: labelOf(config, cell.name),
    }))
  }

  /** Connections of `main`, which has the directory. */
  get sql(): Database {
    return this.main.sql
  }

  get embedded(): boolean {
    return this.main.embedded
  }

  /** Names of the cells that cannot be used. */
  get away(): string[] {
    return this.#away.map(({ name }) => name)
  }

  /** Throws StartError if a cell cannot be used. `reason` is the sentence that says why that is necessary. */
  requireAll(reason: string): void {
    const [first] = this.#away
    if (first) throw new StartError(`${first.problem} ${reason}`)
  }

  /** Exit status of the command: 1 if a cell was skipped. */
  get status(): number {
    return Number(this.#skipped.size > 0)
  }

  /**
   * Runs `work` for one cell after the other. Reports a cell that cannot be used on standard error, and skips it. Rejects
   * with the failures of `main`.
   */
  async each<T>(work: (cell: OpenCell) => Promise<T>): Promise<T[]> {
    for (const { name, problem } of this.#away) this.#skip(name, problem)
    const results: T[] = []
    for (const cell of this.cells)
      try {
        results.push(await work(cell))
      } catch (error) {
        if (cell.name === mainCell || !isServerFailure(error)) throw error
        this.#skip(cell.name, problemOf(cell.name, error))
      }
    return results
  }

  #skip(name: string, problem: string): void {
    if (this.#skipped.has(name)) return
    this.#skipped.add(name)
    process.stderr.write(`The cell "${name}" is skipped. ${problem}\n`)
  }

  /**
   * Returns the connections of the cell that has a workspace, or those of `main` if no cell has it. Throws StartError if
   * a cell that cannot be used may have it.
   */
  async ofWorkspace(id: string): Promise<Database> {
    if (!isId(id)) return this.sql
    try {
      return (await cellOf(this.sql, id.toLowerCase())) as Database
    } catch (error) {
      if (!(error instanceof CellUnavailable) || error instanceof SeveralCells) throw error
      const problems = this.#away.map(({ problem }) => ` ${problem}`).join('')
      throw new StartError(`No cell that responds has the workspace "${id}".${problems}`, { cause: error })
    }
  }

  /** Returns the connections of a cell. Throws StartError if it cannot be used. */
  named(name: string): Database {
    const cell = this.cells.find(one => one.name === name)
    if (cell) return cell.sql
    const away = this.#away.find(one => one.name === name)
    if (away) throw new StartError(away.problem)
    throw unknownCell(
      name,
      [...this.cells, ...this.#away].map(one => one.name),
    )
  }
}

/** Options of a command that opens the databases. */
interface OpenOptions {
  /** Opens the database of `main`. */
  open?: (config: Config, options: { applicationName?: string }) => Promise<OpenDatabase>
  /** Name of the connections in `pg_stat_activity`. Defaults to the name of all commands. */
  applicationName?: string
}

/** Migrates all cells, and runs `work` with them. */
export const withMigration = (
  config: Config,
  work: (cells: OpenCells) => Promise<number>,
  options: OpenOptions = {},
): Promise<number> => withCells(config, work, migrateDatabase, options)

/** Runs `work` without a change of the schema. Throws StartError if migrations are pending in a cell. */
export const withMigratedDatabase = (config: Config, work: (cells: OpenCells) => Promise<number>): Promise<number> =>
  withCells(config, async open => {
    for (const { name, sql } of open.cells) {
      const owner = name === mainCell ? '' : ` of the cell "${name}"`
      if (!(await isMigrated(sql))) throw new StartError(`The database${owner} lacks migrations. Run "migrate".`)
    }
    return work(open)
  })

/** Number of cells that are opened or prepared at the same time. */
const maxConcurrent = 8

/**
 * Opens, prepares and links all cells, and runs `work` with them. A further cell that cannot be opened or prepared is kept
 * with its problem. Throws WrongCell before a further cell is prepared.
 */
export const withCells = async (
  config: Config,
  work: (cells: OpenCells) => Promise<number>,
  prepare: (database: OpenDatabase, name: string) => Promise<unknown> = () => Promise.resolve(),
  { open = openDatabase, ...options }: OpenOptions = {},
): Promise<number> => {
  const main = await open(config, options)
  const further: FurtherCell[] = []
  try {
    await prepare(main, mainCell)
    const cells = await findCells(config, main)
    for (let from = 0; from < cells.length; from += maxConcurrent) {
      const some = cells.slice(from, from + maxConcurrent)
      further.push(...(await Promise.all(some.map(cell => openFurther(cell, options)))))
    }
    if (!config.citus) await requireDistinct(main, further)
    // Cells of one cluster are migrated with one lock.
    const together = config.citus ? 1 : maxConcurrent
    for (let from = 0; from < further.length; from += together) {
      const some = further.slice(from, from + together)
      const prepared = await Promise.all(some.map(cell => prepareFurther(cell, prepare)))
      further.splice(from, prepared.length, ...prepared)
    }
    if (further.length > 0) await link(main, further)
    return await work(new OpenCells(config, main, further))
  } finally {
    await Promise.all(
      [main, ...further.flatMap(cell => ('database' in cell ? [cell.database] : []))].map(one => one.close()),
    )
  }
}

const openFurther = async (cell: CellConfig, options: { applicationName?: string }): Promise<FurtherCell> => {
  const { name } = cell
  try {
    return { name, database: await openCell(cell, options) }
  } catch (error) {
    return { name, problem: problemOf(name, error) }
  }
}

const prepareFurther = async (
  cell: FurtherCell,
  prepare: (database: OpenDatabase, name: string) => Promise<unknown>,
): Promise<FurtherCell> => {
  if ('problem' in cell) return cell
  const { name, database } = cell
  try {
    await prepare(database, name)
    return cell
  } catch (error) {
    await database.close()
    return { name, problem: problemOf(name, error) }
  }
}

/** Throws StartError if two cells are the same database. */
const requireDistinct = async (main: OpenDatabase, further: readonly FurtherCell[]): Promise<void> => {
  const open = openOf(further)
  for (const [index, cell] of open.entries()) await requireOtherDatabase(cell, main.sql, open.slice(index + 1))
}

/** Links the connections, so that each statement finds its database. */
const link = async (main: OpenDatabase, further: readonly FurtherCell[]): Promise<void> => {
  // Rejects each statement, so that a workspace is unknown only if every cell has answered.
  const ended = connect({ url: 'postgres://localhost', applicationName: 'customer-engagement', max: 1 })
  await ended.end()
  const linked = new LinkedCells()
  for (const { name, sql } of [{ name: mainCell, sql: main.sql }, ...openOf(further)])
    linked.addConnection(name, sql, (await isMigrated(sql)) && (await isHeld(sql)))
  for (const cell of further) if ('problem' in cell) linked.addConnection(cell.name, ended, false)
}

/** Returns a sentence for the operator. */
export const problemOf = (cell: string, error: unknown): string =>
  error instanceof StartError || error instanceof MigrationError
    ? error.message
    : `The database of the cell "${cell}" cannot be used: ${error instanceof Error ? error.message : error}.`
