/**
 * Finds the cells of a Citus cluster. A cell is a distributed schema, `cell_<name>`, which one node holds. The service
 * connects to that node directly. There the schema `here_<name>` has a view of each table, and `tasks_<name>` the tasks.
 */
import { type Database, type Sql, transaction } from './client.ts'
import { parseTarget } from './target.ts'

/** Address of a node of the cluster. */
export interface Node {
  host: string
  port: number
}

/** A cell with its node. */
export interface Placement extends Node {
  name: string
}

/** Maximum number of cells of a cluster. */
export const maxCells = 256

/**
 * Returns the cells with their nodes, by name. Any node of the cluster can be asked. All tables of a cell are at the same
 * node, so one of them stands for all.
 */
export const readPlacements = async (sql: Sql): Promise<Placement[]> => sql<Placement[]>`
  select substr(n.nspname, 6) as name, d.nodename as host, d.nodeport as port
  from pg_dist_schema s join pg_namespace n on n.oid = s.schemaid
  join pg_class t on t.relnamespace = n.oid and t.relname = 'workspaces'
  join pg_dist_shard sh on sh.logicalrelid = t.oid
  join pg_dist_placement p on p.shardid = sh.shardid
  join pg_dist_node d on d.groupid = p.groupid and d.noderole = 'primary'
  where n.nspname like 'cell\\_%' order by name limit ${maxCells}`

/** A node of the cluster. */
export interface ClusterNode extends Node {
  /** Whether cells can be created and moved there. */
  isForCells: boolean
}

/** Returns the nodes. Any node of the cluster can be asked. */
export const readNodes = async (sql: Sql): Promise<ClusterNode[]> => sql<ClusterNode[]>`
  select nodename as host, nodeport as port, shouldhaveshards as "isForCells" from pg_dist_node
  where noderole = 'primary' and isactive order by nodename, nodeport`

/** Returns the sizes of what the nodes hold, in bytes. A node without data is missing. */
export const readNodeSizes = async (sql: Sql): Promise<(Node & { bytes: number })[]> => sql<
  (Node & { bytes: number })[]
>`
  select nodename as host, nodeport as port, sum(shard_size)::bigint as bytes from citus_shards group by nodename, nodeport`

/** Returns whether this node can connect to another one within five seconds. */
export const isReachable = (sql: Database, { host, port }: Node): Promise<boolean> =>
  transaction(sql, async tx => {
    await tx`select set_config('citus.node_connection_timeout', '5s', true)`
    const [row] = await tx<[{ reachable: boolean }]>`
      select citus_check_connection_to_node(${host}, ${port}::integer) as reachable`
    return row.reachable
  })

/** Moves a cell to another node. Only the coordinator can. Returns when the other node has the cell. */
export const moveSchema = (sql: Sql, { name, host, port }: Placement) => sql`
  select citus_schema_move(${`cell_${name}`}::text::regnamespace, ${host}, ${port}::integer)`

/** Key of the advisory locks of cells whose move is completed. The second key is a hash of the name. */
const completionLocks = 0x6d6f7665

/** Waits until no other session completes the move of a cell. The lock belongs to the session. */
export const lockCompletion = (session: Sql, name: string) =>
  session`select pg_advisory_lock(${completionLocks}, hashtext(${name}))`

export const unlockCompletion = (session: Sql, name: string) =>
  session`select pg_advisory_unlock(${completionLocks}, hashtext(${name}))`

/** Returns a new transaction id of a node. */
export const readTransactionId = async (sql: Sql): Promise<bigint> => {
  const [row] = await sql<[{ xid: string }]>`select pg_current_xact_id()::text as xid`
  return BigInt(row.xid)
}

/** Drops the views and local tables of a cell at a node that no longer holds it. Waits at most a second for those who use them. */
export const dropHere = (sql: Database, name: string): Promise<void> =>
  transaction(sql, async tx => {
    await tx`set local lock_timeout = 1000`
    await tx`drop schema if exists ${tx(`here_${name}`)} cascade`
  })

/** Formats the address of a node. */
export const formatNode = ({ host, port }: Node): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Returns the URL of another node of the cluster, with the credentials of the first. */
export const nodeUrl = (url: string, { host, port }: Node): string => withParameters(url, { host, port: String(port) })

/**
 * Returns the URL of a cell at its node. Shards are hidden from the catalogue without the last setting. The search path has
 * only the views: Citus would plan statements for the distributed schema, and a node can have tables of the same names in
 * `public`.
 */
export const placedUrl = (url: string, placement: Placement): string =>
  withSettings(nodeUrl(url, placement), [
    `search_path=here_${placement.name}`,
    'citus.enable_ddl_propagation=off',
    'citus.override_table_visibility=off',
  ])

/**
 * Returns the URL of the coordinator for a session that changes the tables of a cell. `set local` applies at its node too.
 */
export const cellSchemaUrl = (url: string, name: string): string =>
  withSettings(url, [
    `search_path=cell_${name},public`,
    'citus.enable_unsafe_triggers=on',
    'citus.propagate_set_commands=local',
  ])

const withSettings = (url: string, settings: readonly string[]): string => {
  const { options = '' } = parseTarget(url).parameters
  return withParameters(url, { options: [options, ...settings.map(setting => `-c${setting}`)].join(' ').trim() })
}

/** Sets parameters. The last one of a name applies. */
const withParameters = (url: string, parameters: Record<string, string>): string =>
  Object.entries(parameters).reduce(
    (all, [name, value]) => `${all}${all.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`,
    url,
  )
