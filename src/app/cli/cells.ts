/** `cells list`: lists the databases that have workspaces, with their state. `cells create`: creates a cell of Citus. */
import { selectWorkspaces } from '../../accounts/workspaces/index.ts'
import { type Config, cellNames, isCellName, mainCell } from '../../config.ts'
import { formatNode } from '../../platform/postgres/citus.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { isMigrated } from '../../platform/postgres/migrate.ts'
import { findHold } from '../../queue/hold/index.ts'
import { type PausableKind, pausableKinds, readPauses } from '../../queue/pauses/index.ts'
import { type OpenDatabase, openCell, openDatabase } from '../database.ts'
import { createCell } from './create-cell.ts'
import { formatTable } from './table.ts'
import { type Command, findAction, parseArguments, UsageError } from './usage.ts'
import { problemOf } from './with-database.ts'

const usages = {
  list: 'cells list [--json], for example cells list --json',
  create: 'cells create NAME [--json], for example cells create eu_1',
} as const

/** All usages. */
export const cellsUsages = Object.values(usages)

/** State of a cell. A value is null if it cannot be read. */
interface CellState {
  cell: string
  responds: boolean
  /** Why it does not respond. */
  problem: string | null
  migrationsPending: boolean | null
  workspaces: number | null
  /** Whether sending is held after a restore. */
  held: boolean | null
  /** Work that is paused in all workspaces of the cell. */
  paused: PausableKind[] | null
}

export const cells: Command = args => {
  const parsed = parseArguments({ args, allowPositionals: true, options: { json: { type: 'boolean' } } }, cellsUsages)
  const { values, positionals } = parsed
  const [action = '', ...names] = positionals
  const isJson = values.json ?? false
  const found = findAction('cells', usages, { values, positionals: action === 'create' ? [action] : positionals })
  return found === 'create' ? create(names, isJson) : config => list(config, isJson)
}

/** Exits with 1 if a cell does not respond. */
const list = async (config: Config, isJson: boolean): Promise<number> => {
  const states = await readStates(config)
  process.stdout.write(isJson ? states.map(state => `${JSON.stringify(state)}\n`).join('') : format(states))
  return Number(states.some(({ responds }) => !responds))
}

const create = ([name, extra]: string[], isJson: boolean) => {
  if (name === undefined || extra !== undefined) throw new UsageError('Name one cell.', [usages.create])
  if (!isCellName(name)) throw new UsageError(cellNames, [usages.create])
  return async (config: Config): Promise<number> => {
    const node = formatNode(await createCell(config, name))
    const text = `Created the cell "${name}" at ${node}. Create a workspace in it with workspace create --cell ${name}.`
    process.stdout.write(`${isJson ? JSON.stringify({ cell: name, node }) : text}\n`)
    return 0
  }
}

const readStates = (config: Config): Promise<CellState[]> =>
  Promise.all([
    stateOf(mainCell, () => openDatabase(config)),
    ...config.cells.map(cell => stateOf(cell.name, () => openCell(cell))),
  ])

const unknown = { migrationsPending: null, workspaces: null, held: null, paused: null }

const stateOf = async (cell: string, open: () => Promise<OpenDatabase>): Promise<CellState> => {
  try {
    const database = await open()
    try {
      return { cell, responds: true, problem: null, ...(await readState(database.sql)) }
    } finally {
      await database.close()
    }
  } catch (error) {
    return { cell, responds: false, problem: problemOf(cell, error), ...unknown }
  }
}

/** The tables of a database with pending migrations may be others. */
const readState = async (sql: Database): Promise<Omit<CellState, 'cell' | 'responds' | 'problem'>> => {
  if (!(await isMigrated(sql))) return { ...unknown, migrationsPending: true }
  const pauses = await readPauses(sql)
  return {
    migrationsPending: false,
    workspaces: (await selectWorkspaces(sql)).length,
    held: (await findHold(sql)) !== null,
    paused: pausableKinds.filter(kind => pauses.isPausedEverywhere(kind)),
  }
}

const headings = ['CELL', 'WORKSPACES', 'MIGRATIONS', 'HELD', 'PAUSED', 'STATE']

const format = (states: readonly CellState[]): string =>
  formatTable([
    headings,
    ...states.map(({ cell, problem, migrationsPending, workspaces, held, paused }) => [
      cell,
      workspaces === null ? '-' : String(workspaces),
      migrationsPending === null ? '-' : migrationsPending ? 'pending' : 'applied',
      held === null ? '-' : held ? 'yes' : 'no',
      paused?.join(', ') || '-',
      problem ?? 'responds',
    ]),
  ])
