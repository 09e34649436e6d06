/** Statements for any table of workspaces: a page to read, rows to insert, and a page to delete. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { ownTables } from '../../platform/postgres/own-tables.ts'
import type { WorkspaceTable } from './tables.ts'

/** A table as the database has it. */
export interface TableShape {
  name: string
  /** Columns of the primary key after the workspace, with their types. Empty if a workspace has one row. */
  key: readonly { name: string; type: string }[]
  /** Columns that can be written, without the workspace. */
  columns: readonly string[]
}

/** Reads the shapes of tables. */
export const readShapes = (sql: Sql, names: readonly string[]) => sql<TableShape[]>`
  select c.name,
    (select coalesce(json_agg(json_build_object('name', a.attname, 'type', t.typname) order by k.position), '[]')
      from unnest(i.indkey::smallint[]) with ordinality as k(number, position)
      join pg_attribute a on a.attrelid = c.relation and a.attnum = k.number join pg_type t on t.oid = a.atttypid
      where a.attname <> 'workspace_id') as key,
    (select json_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and a.attname <> 'workspace_id') as columns
  from (${ownTables(sql)}) c join pg_index i on i.indrelid = c.relation and i.indisprimary
  where c.name = any(${[...names]}::text[])`

/** Primary key of a row without the workspace, as texts. */
export type RowKey = readonly string[]

/** A page of rows of a workspace, in the order of the primary key. `after` is null for the first page. */
export interface RowPage {
  workspaceId: string
  shape: TableShape
  after: RowKey | null
  limit: number
}

/** A page of rows to delete. */
export interface DeletedPage extends RowPage {
  /** The last possible key, or null for no end. */
  until: RowKey | null
  /** Whether rows stay that another session has locked. A later pass deletes them. */
  skipLocked: boolean
}

export const join = (sql: Sql, parts: readonly Fragment[]): Fragment =>
  parts.length === 0 ? sql`` : parts.reduce((all, one) => sql`${all}, ${one}`)

const keyColumns = (sql: Sql, { key }: TableShape): Fragment[] => key.map(({ name }) => sql`r.${sql(name)}`)

export const isAfter = (sql: Sql, { shape, after }: Pick<RowPage, 'shape' | 'after'>): Fragment =>
  after === null || shape.key.length === 0
    ? sql``
    : sql`and (${join(sql, keyColumns(sql, shape))}) > (${keyValues(sql, shape, after)})`

export const isUntil = (sql: Sql, { shape, until }: Pick<DeletedPage, 'shape' | 'until'>): Fragment =>
  until === null ? sql`` : sql`and (${join(sql, keyColumns(sql, shape))}) <= (${keyValues(sql, shape, until)})`

const keyValues = (sql: Sql, { key }: TableShape, values: RowKey): Fragment =>
  join(
    sql,
    key.map(({ type }, index) => sql`${values[index]!}::text::${sql(type)}`),
  )

export const inOrder = (sql: Sql, shape: TableShape): Fragment =>
  join(sql, shape.key.length === 0 ? [sql`r.workspace_id`] : keyColumns(sql, shape))

export const keyTexts = (sql: Sql, shape: TableShape): Fragment =>
  sql`json_build_array(${join(
    sql,
    keyColumns(sql, shape).map(column => sql`${column}::text`),
  )})`

/**
 * Reads a page of rows as JSON, without the workspace and the omitted columns. A page ends with the row that reaches
 * `maxBytes`.
 */
export const readRows = (
  sql: Sql,
  { omitted, maxBytes, ...page }: RowPage & { omitted: readonly string[]; maxBytes: number },
) => sql<{ row: string; key: RowKey }[]>`
  with page as materialized (
    select (to_jsonb(r) - ${['workspace_id', ...systemColumns, ...omitted]}::text[])::text as row, ${keyTexts(sql, page.shape)} as key,
      row_number() over (order by ${inOrder(sql, page.shape)}) as position
    from ${sql(page.shape.name)} r where r.workspace_id = ${page.workspaceId} ${isAfter(sql, page)}
    order by ${inOrder(sql, page.shape)} limit ${page.limit}
  ), measured as (
    select row, key, position, sum(octet_length(row)) over (order by position) - octet_length(row) as before from page
  )
  select row, key from measured where before < ${maxBytes} order by position`

/** Columns that only some views of a cell in Citus have. */
const systemColumns = ['ctid', 'xmin']

/** Counts the rows of a workspace in a table, up to `max`. */
export const countRows = async (
  sql: Sql,
  { workspaceId, table, max }: { workspaceId: string; table: string; max: number },
): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from (
      select from ${sql(table)} r where r.workspace_id = ${workspaceId} limit ${max}) counted`
  return row!.count
}

/** Deletes a page of rows and returns their number, with the key of the last. */
export const deleteRows = async (sql: Sql, page: DeletedPage): Promise<{ count: number; last: RowKey | null }> => {
  const { shape, workspaceId, skipLocked } = page
  const sameKey = shape.key.map(({ name }) => sql`and r.${sql(name)} = p.${sql(name)}`)
  const [row] = await sql<{ count: number; last: RowKey | null }[]>`
    with page as materialized (
      select ${join(sql, [sql`r.workspace_id`, ...keyColumns(sql, shape)])} from ${sql(shape.name)} r
      where r.workspace_id = ${workspaceId} ${isAfter(sql, page)} ${isUntil(sql, page)}
      order by ${inOrder(sql, shape)} limit ${page.limit} for update ${skipLocked ? sql`skip locked` : sql``}
    ), removed as (
      delete from ${sql(shape.name)} r using page p
      where r.workspace_id = ${workspaceId} ${sameKey.reduce((all, one) => sql`${all} ${one}`, sql``)}
    )
    select count(*)::integer as count,
      (select ${keyTexts(sql, shape)} from page r order by (${inOrder(sql, shape)}) desc limit 1) as last
    from page`
  return row!
}

/**
 * Inserts rows of a table. `rows` is the text of a JSON array. `accounts` maps the ids of accounts to those of this
 * database. Rows of the audit log that exist stay, because a deletion has kept them.
 */
export const insertRows = (sql: Sql, { workspaceId, table, shape, rows, accounts }: InsertedRows) => {
  const columns = shape.columns.filter(name => !table.omitted.includes(name))
  const values = columns.map(name =>
    accounts !== null && table.accounts.includes(name)
      ? sql`coalesce((${accounts}::text::jsonb ->> r.${sql(name)}::text)::uuid, r.${sql(name)})`
      : sql`r.${sql(name)}`,
  )
  return sql`
    insert into ${sql(shape.name)} (workspace_id, ${join(
      sql,
      columns.map(name => sql`${sql(name)}`),
    )})
    select ${workspaceId}::uuid, ${join(sql, values)}
    from json_populate_recordset(null::${sql(shape.name)}, ${rows}::text::json) r
    ${shape.name === 'audit_entries' ? sql`on conflict do nothing` : sql``}`
}

export interface InsertedRows {
  workspaceId: string
  table: WorkspaceTable
  shape: TableShape
  rows: string
  /** Text of a JSON object. Null if all accounts keep their ids. */
  accounts: string | null
}

/**
 * Takes the lock of a workspace for an import, a deletion or a move, until the session ends. Returns false if another session
 * has it.
 */
export const lockTransfer = async (connection: Sql, workspaceId: string): Promise<boolean> => {
  const [row] = await connection<{ locked: boolean }[]>`
    select pg_try_advisory_lock(${transferLocks}, hashtext(${workspaceId})) as locked`
  return row!.locked
}

export const unlockTransfer = (connection: Sql, workspaceId: string) =>
  connection`select pg_advisory_unlock(${transferLocks}, hashtext(${workspaceId}))`

/** Returns whether a connection still has the lock of a workspace. A connection that was opened again has lost it. */
export const holdsTransferLock = async (connection: Sql): Promise<boolean> => {
  const rows = await connection`
    select 1 from pg_locks where locktype = 'advisory' and classid = ${transferLocks}::oid and pid = pg_backend_pid()`
  return rows.length > 0
}

/** Condition that no session has the lock of the workspace of row `m`. */
export const isUnlocked = (sql: Sql) => sql`not exists (
  select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.locktype = 'advisory' and l.classid = ${transferLocks}::oid
    and l.objid = (hashtext(m.workspace_id::text)::bigint & 4294967295)::oid)`

/** Class id of the advisory locks for imports, deletions and moves of a workspace. */
export const transferLocks = 0x777370
