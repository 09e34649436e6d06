/** Completes the move of a cell by Citus, which moves the rows but not the tasks and the positions of streams. */

import type { CitusCell } from '../../config.ts'
import { withLinksOf } from '../../platform/postgres/cells.ts'
import {
  dropHere,
  formatNode,
  lockCompletion,
  type Node,
  placedUrl,
  readNodes,
  readPlacements,
  readTransactionId,
  unlockCompletion,
} from '../../platform/postgres/citus.ts'
import { makeHere } from '../../platform/postgres/citus-cell.ts'
import {
  connect,
  type Database,
  isServerFailure,
  type Sql,
  sqlState,
  transaction,
} from '../../platform/postgres/client.ts'
import { findOtherIdentity, hasIdentity, type Identities, storeMovedIdentity } from '../../queue/hold/index.ts'
import { dropTasks, enqueueMoved, hasTasks, lockTasks, readTasksVersion, selectOpenTasks } from '../../queue/tasks.ts'
import { StartError } from '../start-error.ts'
import { migrateTasks } from '../tasks/index.ts'

/** Number of tasks that are copied together. */
const pageSize = 500

/**
 * Copies the tasks from the former node, and stores that the cell is here now. A cell that was never at another node of the
 * cluster is left alone: it was restored, and its sending is held. Every step can be repeated after an interruption.
 * Throws StartError if a node that can be the former one does not respond. `isMoved` copies tasks even if the identity of
 * the servers cannot be read. Returns a function that drops the views at the former node, for which the cell need not wait.
 */
export const completeMove = async (
  { sql, url }: { sql: Database; url: string },
  cell: CitusCell,
  { isMoved = false, main }: { isMoved?: boolean; main?: Database } = {},
): Promise<() => Promise<void>> => {
  const migrate = async (session: Sql) => {
    if (main && (await readTasksVersion(session)) !== (await versionOf(main))) await migrateTasks(url)
  }
  const formerNodes = await takeOver(sql, cell, isMoved, migrate)
  // New events get the positions of the stream that the completion has raised, here or in another process.
  await makeHere(sql, cell.name)
  return async () => {
    for (const node of formerNodes) await dropViews(node, cell)
  }
}

const versions = new WeakMap<Database, Promise<number | null>>()

/** Returns the version of the tables of tasks in `main`, which migrates them at the start. Read once. */
const versionOf = (main: Database): Promise<number | null> => {
  const known = versions.get(main)
  if (known) return known
  const version = readTasksVersion(main)
  versions.set(main, version)
  version.catch(() => versions.delete(main))
  return version
}

/**
 * Returns the nodes that can have views of the cell. `migrate` migrates the tables of tasks. All processes do this at the
 * same time, and calls wait for it, so it uses few round trips.
 */
const takeOver = async (
  sql: Database,
  cell: CitusCell,
  isMoved: boolean,
  migrate: (session: Sql) => Promise<void>,
): Promise<Node[]> => {
  const reserved = await sql.reserve()
  const session = withLinksOf(sql, reserved)
  try {
    // Another process that completes the move must have finished.
    await lockCompletion(session, cell.name)
    const migrated = migrate(session)
    migrated.catch(() => {})
    const identities = await findOtherIdentity(session)
    if (identities === null && !isMoved) {
      await migrated
      return []
    }
    const others = (await readNodes(session)).filter(node => formatNode(node) !== cell.node)
    const [found] = await Promise.all([Promise.all(others.map(node => inspect(node, cell, identities))), migrated])
    const isKnown = found.some(({ isFormer }) => isFormer)
    const silent = found.find(({ responds }) => !responds)
    // The tasks would stay there, and the positions of the stream could go backwards.
    if (silent && (isMoved || !isKnown)) throw new StartError(silentNode(cell, silent.node))
    if (!isMoved && !isKnown) return []
    const withTasks = found.filter(one => one.hasTasks)
    for (const { node } of withTasks) await moveTasks(node, sql, cell)
    if (identities !== null && isKnown) {
      const here = await readTransactionId(session)
      const raises = found.map(({ isFormer, xid }) => (isFormer && xid > here ? xid - here : 0n))
      await storeMovedIdentity(sql, { ...identities, raise: raises.find(raise => raise > 0n) ?? 0n })
    }
    return (isMoved ? found : withTasks).map(({ node }) => node)
  } finally {
    await unlockCompletion(session, cell.name).catch(() => {})
    reserved.release()
  }
}

const silentNode = ({ name }: CitusCell, node: Node): string =>
  `The node ${formatNode(node)} does not respond, and can have tasks of the cell "${name}". Start it. If it is lost, remove it from the cluster: the sending of the cell is then held.`

/** State of a node that may have held the cell. `xid` is a new transaction id of the node. */
interface Inspected {
  node: Node
  responds: boolean
  isFormer: boolean
  hasTasks: boolean
  xid: bigint
}

const inspect = async (node: Node, cell: CitusCell, identities: Identities | null): Promise<Inspected> => {
  const sql = connectTo(node, cell)
  try {
    const isFormer = identities !== null && (await hasIdentity(sql, identities.stored))
    return { node, responds: true, isFormer, hasTasks: await hasTasks(sql), xid: await readTransactionId(sql) }
  } catch (error) {
    if (!isServerFailure(error)) throw error
    return { node, responds: false, isFormer: false, hasTasks: false, xid: 0n }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const connectTo = (node: Node, { name, coordinatorUrl }: CitusCell): Database =>
  connect({
    url: placedUrl(coordinatorUrl, { name, ...node }),
    applicationName: 'customer-engagement move',
    max: 1,
    maxStatementMs: 10_000,
  })

/**
 * Moves the tasks from a node, where their tables are dropped. Processes that still use them get an error there, and ask
 * where the cell is. A task that runs at that moment runs again here.
 */
const moveTasks = async (node: Node, target: Database, cell: CitusCell): Promise<void> => {
  const source = connectTo(node, cell)
  try {
    const [placement] = (await readPlacements(source)).filter(({ name }) => name === cell.name)
    if (!placement || formatNode(placement) === formatNode(node))
      throw new StartError(`The cell "${cell.name}" is moving.`)
    await transaction(source, async tx => {
      await lockTasks(tx)
      for (let page = await selectOpenTasks(tx, '0', pageSize); page.length > 0; ) {
        await enqueueMoved(target, page)
        page = await selectOpenTasks(tx, page.at(-1)!.id, pageSize)
      }
      await dropTasks(tx)
    })
  } finally {
    await source.end({ timeout: 1 })
  }
}

/**
 * Drops the views of a node from before. A read that still uses them can last, so they can stay: nothing finds them there,
 * and the rows of the local tables expire.
 */
const dropViews = async (node: Node, cell: CitusCell): Promise<void> => {
  const source = connectTo(node, cell)
  try {
    await dropHere(source, cell.name)
  } catch (error) {
    if (!isServerFailure(error) && sqlState(error) !== lockNotAvailable) throw error
  } finally {
    await source.end({ timeout: 1 })
  }
}

const lockNotAvailable = '55P03'
