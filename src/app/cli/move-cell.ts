/** `cells move` and `cells drain`: move cells of the Citus cluster of DATABASE_URL to other nodes, while they are used. */
import { type CellConfig, type Config, mainCell } from '../../config.ts'
import {
  type ClusterNode,
  formatNode,
  isReachable,
  moveSchema,
  type Node,
  readNodeSizes,
  readNodes,
} from '../../platform/postgres/citus.ts'
import { connect, sqlState } from '../../platform/postgres/client.ts'
import { findCells } from '../cells/citus.ts'
import { type OpenDatabase, openDatabase, prepareCell } from '../database.ts'
import { StartError } from '../start-error.ts'
import { unknownCell } from './with-database.ts'

/** A cell that was moved. */
export interface MovedCell {
  cell: string
  from: string
  to: string
}

/**
 * Moves a cell to a node, or completes a move that was interrupted. Throws StartError for an unknown cell or node, and if
 * Citus cannot move the cell.
 */
export const moveCell = (config: Config, name: string, to: string): Promise<MovedCell> =>
  withCluster(config, async main => {
    if (name === mainCell)
      throw new StartError(`The cell "${name}" cannot be moved, because it is the database of DATABASE_URL.`)
    const cells = await findCells(config, main)
    const cell = cells.find(one => one.name === name)
    if (!cell)
      throw unknownCell(
        name,
        cells.map(one => one.name),
      )
    const nodes = (await readNodes(main.sql)).filter(({ isForCells }) => isForCells)
    return move(config, main, cell, requireNode(nodes, to))
  })

/** Moves all cells of a node, each to the other node with the fewest bytes. Calls `onMoved` after each. */
export const drainNode = (config: Config, from: string, onMoved: (cell: MovedCell) => void): Promise<void> =>
  withCluster(config, async main => {
    const nodes = await readNodes(main.sql)
    requireNode(nodes, from)
    const others = nodes.filter(node => node.isForCells && formatNode(node) !== from)
    for (const cell of await findCells(config, main)) {
      if (cell.citus?.node !== from) {
        // An earlier command that was interrupted can have moved it.
        await prepareCell(cell, main.sql, { isMoved: true })
        continue
      }
      if (others.length === 0)
        throw new StartError(`No other node can hold the cells of ${from}. Add one with citus_add_node.`)
      onMoved(await move(config, main, cell, await leastFilled(main, others)))
    }
  })

const withCluster = async <T>(config: Config, work: (main: OpenDatabase) => Promise<T>): Promise<T> => {
  if (!config.citus)
    throw new StartError(
      'CELLS must be citus to move a cell. Use "workspace move" to move a workspace to another database.',
    )
  const main = await openDatabase(config)
  try {
    return await work(main)
  } finally {
    await main.close()
  }
}

const requireNode = (nodes: readonly ClusterNode[], address: string): ClusterNode => {
  const found = nodes.find(node => formatNode(node) === address)
  if (found) return found
  throw new StartError(`There is no node ${address} for cells. The nodes are ${nodes.map(formatNode).join(', ')}.`)
}

const leastFilled = async (main: OpenDatabase, nodes: readonly Node[]): Promise<Node> => {
  const sizes = new Map((await readNodeSizes(main.sql)).map(node => [formatNode(node), node.bytes]))
  const bytesAt = (node: Node) => sizes.get(formatNode(node)) ?? 0
  return nodes.reduce((best, node) => (bytesAt(node) < bytesAt(best) ? node : best))
}

/** Moves the rows, and then what the service does for a cell at its new node, also if a running process has done it. */
const move = async (config: Config, main: OpenDatabase, cell: CellConfig, to: Node): Promise<MovedCell> => {
  const from = cell.citus!.node
  if (from !== formatNode(to)) {
    if (!(await isReachable(main.sql, to)))
      throw new StartError(
        `The cell "${cell.name}" was not moved: the node ${formatNode(to)} does not respond. Start it, and repeat the command.`,
      )
    await moveRows(main.url, cell.name, to)
  }
  const moved = (await findCells(config, main)).find(({ name }) => name === cell.name)!
  await prepareCell(moved, main.sql, { isMoved: true })
  return { cell: cell.name, from, to: formatNode(to) }
}

/** Copying takes as long as the cell is large. Writes wait only for the end. */
const moveRows = async (url: string, name: string, to: Node): Promise<void> => {
  const sql = connect({
    url,
    applicationName: 'customer-engagement move',
    max: 1,
    maxStatementMs: 0,
    silenceSeconds: 0,
  })
  try {
    await moveSchema(sql, { name, ...to })
  } catch (error) {
    if (sqlState(error) === undefined) throw error
    const reason = (error as Error).message.replace(/\.$/, '')
    throw new StartError(`The cell "${name}" was not moved: ${reason}. Repeat the command.`, { cause: error })
  } finally {
    await sql.end({ timeout: 1 })
  }
}
