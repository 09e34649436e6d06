/**
 * `cells list`: lists the databases that have workspaces, with their state. `cells create`, `move` and `drain` are for Citus.
 */
import { selectWorkspaces } from '../../accounts/workspaces/index.ts'
import { type Config, cellNames, isCellName, mainCell } from '../../config.ts'
import { formatNode } from '../../platform/postgres/citus.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { isMigrated } from '../../platform/postgres/migrate.ts'
import { findHold } from '../../queue/hold/index.ts'
import { type PausableKind, pausableKinds, readPauses } from '../../queue/pauses/index.ts'
import { listCells } from '../cells/citus.ts'
import { type OpenDatabase, openCell, openDatabase } from '../database.ts'
import { createCell } from './create-cell.ts'
import { drainNode, type MovedCell, moveCell } from './move-cell.ts'
import { formatTable } from './table.ts'
import { type Command, findAction, parseArguments, UsageError } from './usage.ts'
import { problemOf } from './with-database.ts'

const usages = {
  list: 'cells list [--json], for example cells list --json',
  create: 'cells create NAME [--json], for example cells create eu_1',
  move: 'cells move NAME --to HOST:PORT [--json], for example cells move eu_1 --to worker-2:5432',
  drain: 'cells drain HOST:PORT [--json], for example cells drain worker-1:5432',
} as const

/** All usages. */
export const cellsUsages = Object.values(usages)

/** State of a cell. A value is null if it cannot be read. */
interface CellState {
  cell: string
  /** Node that holds a cell of Citus. Missing for a whole database. */
  node?: string
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
  const { values, positionals } = parseArguments(
    { args, allowPositionals: true, options: { json: { type: 'boolean' }, to: { type: 'string' } } },
    cellsUsages,
  )
  const [name = '', ...names] = positionals
  const isJson = values.json ?? false
  const action = findAction('cells', usages, { values, positionals: name === 'list' ? positionals : [name] })
  if (action === 'create') return create(names, isJson)
  if (action === 'move') return move(names, values.to, isJson)
  return action === 'drain' ? drain(names, isJson) : config => list(config, isJson)
}

/** Exits with 1 if a cell does not respond. */
const list = async (config: Config, isJson: boolean): Promise<number> => {
  const states = await readStates(config)
  process.stdout.write(isJson ? states.map(state => `${JSON.stringify(state)}\n`).join('') : format(states))
  return Number(states.some(({ responds }) => !responds))
}

/** Returns the only argument of an action. */
const requireOne = ([argument, extra]: string[], reason: string, usage: string): string => {
  if (argument === undefined || extra !== undefined) throw new UsageError(reason, [usage])
  return argument
}

const move = (names: string[], to: string | undefined, isJson: boolean) => {
  const name = requireOne(names, 'Name one cell.', usages.move)
  if (to === undefined) throw new UsageError('The option --to is missing.', [usages.move])
  const node = requireAddress(to, usages.move)
  return async (config: Config): Promise<number> => {
    printMoved(await moveCell(config, name, node), isJson)
    return 0
  }
}

const drain = (names: string[], isJson: boolean) => {
  const node = requireAddress(requireOne(names, 'Name one node.', usages.drain), usages.drain)
  return async (config: Config): Promise<number> => {
    let count = 0
    await drainNode(config, node, cell => {
      count++
      printMoved(cell, isJson)
    })
    if (count === 0 && !isJson) process.stdout.write(`The node ${node} has no cells.\n`)
    return 0
  }
}

const requireAddress = (text: string, usage: string): string => {
  if (!/^\S+:\d{1,5}$/.test(text)) throw new UsageError(`A node is HOST:PORT, not "${text}".`, [usage])
  return text
}

const printMoved = (moved: MovedCell, isJson: boolean): void => {
  const { cell, from, to } = moved
  const text = from === to ? `The cell "${cell}" is at ${to}.` : `Moved the cell "${cell}" from ${from} to ${to}.`
  process.stdout.write(`${isJson ? JSON.stringify(moved) : text}\n`)
}

const create = (names: string[], isJson: boolean) => {
  const name = requireOne(names, 'Name one cell.', usages.create)
  if (!isCellName(name)) throw new UsageError(cellNames, [usages.create])
  return async (config: Config): Promise<number> => {
    const node = formatNode(await createCell(config, name))
    const text = `Created the cell "${name}" at ${node}. Create a workspace in it with workspace create --cell ${name}.`
    process.stdout.write(`${isJson ? JSON.stringify({ cell: name, node }) : text}\n`)
    return 0
  }
}

const readStates = async (config: Config): Promise<CellState[]> => {
  const main = await stateOf(mainCell, () => openDatabase(config))
  // The cells of Citus are not known while `main` is away.
  const further = main.responds ? await listCells(config) : config.cells
  const states = further.map(async cell => ({
    ...(cell.citus && { node: cell.citus.node }),
    ...(await stateOf(cell.name, () => openCell(cell))),
  }))
  return [main, ...(await Promise.all(states))]
}

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

const headings = ['WORKSPACES', 'MIGRATIONS', 'HELD', 'PAUSED', 'STATE']

const format = (states: readonly CellState[]): string => {
  const nodeColumn = (text: string) => (states.some(({ node }) => node !== undefined) ? [text] : [])
  return formatTable([
    ['CELL', ...nodeColumn('NODE'), ...headings],
    ...states.map(({ cell, node = '-', problem, migrationsPending, workspaces, held, paused }) => [
      cell,
      ...nodeColumn(node),
      workspaces === null ? '-' : String(workspaces),
      migrationsPending === null ? '-' : migrationsPending ? 'pending' : 'applied',
      held === null ? '-' : held ? 'yes' : 'no',
      paused?.join(', ') || '-',
      problem ?? 'responds',
    ]),
  ])
}
