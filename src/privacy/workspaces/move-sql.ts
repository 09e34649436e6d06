/** Statements of a move: its progress, its triggers, and the rows that it copies and compares. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { inOrder, isAfter, isUnlocked, isUntil, join, keyTexts, type RowKey, type TableShape } from './sql.ts'
import { keptTables, type WorkspaceTable } from './tables.ts'

/** Name of the connections of a move. Its own changes are not rejected (`note_moved_row`). */
export const moveApplication = 'customer-engagement workspace move'

/** A move from this database. */
export interface MoveRow {
  /** Name of the target. */
  cell: string
  startedAt: Date
}

/** Returns the move of a workspace from this database to another one, or null. */
export const findMove = async (sql: Sql, workspaceId: string): Promise<MoveRow | null> => {
  const [row] = await sql<MoveRow[]>`
    select cell, started_at as "startedAt" from workspace_moves where workspace_id = ${workspaceId}`
  return row ?? null
}

/** Starts a move, or continues one. */
export const insertMove = (sql: Sql, workspaceId: string, cell: string) =>
  sql`insert into workspace_moves (workspace_id, cell) values (${workspaceId}, ${cell}) on conflict do nothing`

/** Pauses or resumes the work of a moving workspace. */
export const updateDraining = (sql: Sql, workspaceId: string, draining: boolean) =>
  sql`update workspace_moves set draining = ${draining} where workspace_id = ${workspaceId}`

export const deleteMove = (sql: Sql, workspaceId: string) =>
  sql`delete from workspace_moves where workspace_id = ${workspaceId}`

interface Times {
  statementMs: number
  lockMs: number
  /** Milliseconds after which the server ends the session. By default it does not. */
  transactionMs?: number
}

/** Limits the milliseconds that the statements of a transaction run and wait for locks, and that it lasts. */
export const limitTimes = (tx: Sql, { statementMs, lockMs, transactionMs }: Times) => tx`
  select set_config('statement_timeout', ${String(statementMs)}, true), set_config('lock_timeout', ${String(lockMs)}, true),
    set_config('transaction_timeout', coalesce(${transactionMs === undefined ? null : String(transactionMs)}::text, current_setting('transaction_timeout')), true)`

/** Creates the triggers of a move on a table. Changes are noted by `key`, or not noted if it is null. */
export const watchTable = (tx: Sql, name: string, workspaceId: string, key: readonly string[] | null) =>
  tx`select watch_moved_table(${name}, ${workspaceId}, ${key === null ? null : [...key]}::text[])`

export const unwatchTable = (tx: Sql, name: string, workspaceId: string) =>
  tx`select unwatch_moved_table(${name}, ${workspaceId})`

/** Returns whether a table has triggers of a move. */
export const isWatched = async (sql: Sql, name: string, workspaceId: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from pg_trigger
    where tgrelid = ${name}::text::regclass and starts_with(tgname, 'move_' || replace(${workspaceId}, '-', '') || '_') limit 1`
  return rows.length > 0
}

/** Returns whether vacuum or another maintenance has locked a table. */
export const hasVacuum = async (sql: Sql, name: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from pg_locks where relation = ${name}::text::regclass and mode = 'ShareUpdateExclusiveLock' and granted limit 1`
  return rows.length > 0
}

/** Waits for the transactions that write to a workspace. After its closing, later ones are rejected (note_moved_row). */
export const awaitWriters = (tx: Sql, workspaceId: string) =>
  tx`select pg_advisory_xact_lock(1836021349, hashtext(${workspaceId}::uuid::text))`

/** Returns whether a process works on an endpoint, a channel or a campaign of a workspace. */
export const hasLeases = async (sql: Sql, workspaceId: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from leases l join processes p on p.id = l.holder and p.alive_until > clock_timestamp()
    where l.workspace_id = ${workspaceId} limit 1`
  return rows.length > 0
}

/** Collation of the database. Keys with texts have the same order only in databases with the same one. */
export const readCollation = async (sql: Sql): Promise<string> => {
  const [row] = await sql<{ collation: string }[]>`
    select concat_ws(' ', datlocprovider, datcollate, datlocale, datcollversion) as collation
    from pg_database where datname = current_database()`
  return row!.collation
}

/** Selects the ids of customers that were erased since a time. */
export const selectErasedSince = async (sql: Sql, workspaceId: string, since: Date): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from customers where workspace_id = ${workspaceId} and erased_at is not null and erased_at >= ${since}`
  return rows.map(({ id }) => id)
}

/** A row that changed. `key` is the JSON text of its primary key. */
export interface Change {
  id: string
  table: string
  key: string
}

/** Selects noted changes after an id, oldest first. */
export const selectChanges = (tx: Sql, workspaceId: string, after: string, limit: number) => tx<Change[]>`
  select id, table_name as table, key::text as key from workspace_move_changes
  where workspace_id = ${workspaceId} and id > ${after} order by id limit ${limit}`

export const deleteChanges = (sql: Sql, workspaceId: string, ids: readonly string[]) => sql`
  delete from workspace_move_changes where workspace_id = ${workspaceId} and id = any(${[...ids]}::uuid[])`

/**
 * Deletes noted changes of moves that no command continues. A repetition does not need them, because it copies and compares
 * all rows of a later snapshot.
 */
export const deleteAbandonedChanges = (sql: Sql, limit: number) => sql`
  delete from workspace_move_changes c using (
    select f.workspace_id, f.id from workspace_moves m cross join lateral (
      select workspace_id, id from workspace_move_changes where workspace_id = m.workspace_id order by id limit ${limit}
    ) f where ${isUnlocked(sql)} limit ${limit}
  ) found where c.workspace_id = found.workspace_id and c.id = found.id`

/** Rows of a table that a move copies together. */
export interface Part {
  workspaceId: string
  table: WorkspaceTable
  shape: TableShape
  /** Restricts the rows of a split table to those on which a worker acts, or to the others. Null for all rows. */
  pending: boolean | null
}

/** Rows of a part in the order of the primary key. `until` is the last possible key, or null for no end. */
export interface PartRange extends Part {
  after: RowKey | null
  until: RowKey | null
}

/** Columns of row `r` that are copied. Runs are set aside in the target until the workspace is open, so that no worker finds them. */
const copiedColumns = (sql: Sql, { table, shape }: Part): { name: string; value: Fragment }[] =>
  shape.columns
    .filter(name => !table.omitted.includes(name))
    .map(name => ({
      name,
      value: table.name === 'workflow_runs' && name === 'paused' ? sql`(r.wake_at is not null)` : sql`r.${sql(name)}`,
    }))

/** Row `r` as JSON. */
const rowJson = (sql: Sql, part: Part): Fragment => {
  const columns = copiedColumns(sql, part).map(({ name, value }) => sql`${value} as ${sql(name)}`)
  return sql`(select to_json(c)::text from (select ${join(sql, columns)}) c)`
}

/** Row `r` as text. It takes a fifth of the time of JSON. */
const rowText = (sql: Sql, part: Part): Fragment => {
  const values = copiedColumns(sql, part).map(({ value }) => value)
  return sql`row(${join(sql, values)})::text`
}

const isPart = (sql: Sql, { pending, table }: Part): Fragment => {
  if (pending === null) return sql``
  const isPending = table.name === 'outbound_events' ? sql`r.fanned_out_at is null` : sql`r.status = 'running'`
  return pending ? sql`and ${isPending}` : sql`and not (${isPending})`
}

/**
 * Restricts row `r` to a range. The outbox is searched by its own index, which has the rows of all workspaces: the primary
 * key of the workspace also has all earlier events.
 */
const inRange = (sql: Sql, range: PartRange): Fragment => sql`
  ${range.pending && range.table.name === 'outbound_events' ? sql`r.workspace_id::text = ${range.workspaceId}` : sql`r.workspace_id = ${range.workspaceId}`}
  ${isAfter(sql, range)} ${isUntil(sql, range)} ${isPart(sql, range)}`

/** Condition that row `r` and row `k` have the same key. */
const isSame = (sql: Sql, { shape }: Part): Fragment =>
  shape.key.reduce<Fragment>((all, { name }) => sql`${all} and k.${sql(name)} = r.${sql(name)}`, sql`true`)

/** Rows of a JSON text. */
const rowsOf = (sql: Sql, { shape }: Part, json: string): Fragment =>
  sql`json_populate_recordset(null::${sql(shape.name)}, ${json}::text::json)`

/** Number of rows, a checksum of their content, and the last key. */
export interface Summary {
  count: number
  sum: string
  last: RowKey | null
}

/** Summarizes the first rows of a range. */
export const summarize = async (sql: Sql, range: PartRange, limit: number): Promise<Summary> => {
  const { shape } = range
  const [row] = await sql<Summary[]>`
    with page as materialized (
      select hashtextextended(${rowText(sql, range)}, 0) as hash, ${inOrder(sql, shape)}
      from ${sql(shape.name)} r where ${inRange(sql, range)} order by ${inOrder(sql, shape)} limit ${limit}
    )
    select count(*)::integer as count, coalesce(sum(hash), 0)::text as sum,
      (select ${keyTexts(sql, shape)} from page r order by (${inOrder(sql, shape)}) desc limit 1) as last from page`
  return row!
}

/** Reads the keys of the first rows of a range as a JSON text. */
export const readKeys = async (sql: Sql, range: PartRange, limit: number): Promise<string> => {
  const { shape } = range
  const [row] = await sql<[{ keys: string }]>`
    select coalesce(json_agg(k), '[]')::text as keys from (
      select ${inOrder(sql, shape)} from ${sql(shape.name)} r where ${inRange(sql, range)}
      order by ${inOrder(sql, shape)} limit ${limit}
    ) k`
  return row.keys
}

/** Counts the rows with these keys. */
export const countByKeys = async (sql: Sql, part: Part, keys: string): Promise<number> => {
  const { shape, workspaceId } = part
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from ${rowsOf(sql, part, keys)} k join ${sql(shape.name)} r
      on r.workspace_id = ${workspaceId} and ${isSame(sql, part)}`
  return row.count
}

/** Reads the first rows of a range as JSON. A page ends with the row that reaches `maxBytes`. */
export const readRange = (sql: Sql, range: PartRange, { limit, maxBytes }: { limit: number; maxBytes: number }) => {
  const { shape } = range
  return sql<{ row: string; key: RowKey }[]>`
    with page as materialized (
      select ${rowJson(sql, range)} as row, ${keyTexts(sql, shape)} as key,
        row_number() over (order by ${inOrder(sql, shape)}) as position
      from ${sql(shape.name)} r where ${inRange(sql, range)} order by ${inOrder(sql, shape)} limit ${limit}
    ), measured as (
      select row, key, position, sum(octet_length(row)) over (order by position) - octet_length(row) as before from page
    )
    select row, key from measured where before < ${maxBytes} order by position`
}

/** Reads rows by their keys, as JSON in the order of the keys. Ends with the row that reaches `maxBytes`, and says so. */
export const readByKeys = async (
  sql: Sql,
  part: Part,
  { keys, maxBytes }: { keys: string; maxBytes: number },
): Promise<{ rows: string[]; isCut: boolean }> => {
  const { shape, workspaceId } = part
  const rows = await sql<{ row: string; total: number }[]>`
    with found as materialized (
      select ${rowJson(sql, part)} as row, row_number() over (order by ${inOrder(sql, shape)}) as position
      from ${rowsOf(sql, part, keys)} k join ${sql(shape.name)} r
        on r.workspace_id = ${workspaceId} and ${isSame(sql, part)} ${isPart(sql, part)}
    ), measured as (
      select row, position, sum(octet_length(row)) over (order by position) - octet_length(row) as before from found
    )
    select row, (select count(*)::integer from found) as total from measured where before < ${maxBytes} order by position`
  return { rows: rows.map(({ row }) => row), isCut: rows.length < (rows[0]?.total ?? 0) }
}

/** Deletes the rows of a range that are not among `rows`. */
export const deleteOthers = (sql: Sql, range: PartRange, rows: string) => sql`
  delete from ${sql(range.shape.name)} r
  where ${inRange(sql, range)} and not exists (select from ${rowsOf(sql, range, rows)} k where ${isSame(sql, range)})`

/** Deletes the rows with these keys that are not among `rows`. */
export const deleteMissing = (sql: Sql, part: Part, keys: string, rows: string) => sql`
  delete from ${sql(part.shape.name)} r using ${rowsOf(sql, part, keys)} k
  where r.workspace_id = ${part.workspaceId} and ${isSame(sql, part)}
    and not exists (select from ${rowsOf(sql, part, rows)} k where ${isSame(sql, part)})`

/** Deletes the rows whose values in a unique index are those of other rows. */
export const deleteSameValues = (sql: Sql, { shape, workspaceId }: Part, index: string, rows: string) =>
  sql`select delete_same_values(${shape.name}, ${workspaceId}, ${index}, ${rows})`

/** Inserts rows, or replaces those with the same key. Entries of the audit log never change, so existing ones stay. */
export const upsertRows = (sql: Sql, { workspaceId, table, shape }: Part, rows: string) => {
  const columns = shape.columns.filter(name => !table.omitted.includes(name))
  const keys = ['workspace_id', ...shape.key.map(({ name }) => name)]
  const changed = columns.filter(name => !keys.includes(name))
  const action =
    changed.length === 0 || table.name in keptTables
      ? sql`do nothing`
      : sql`do update set ${join(
          sql,
          changed.map(name => sql`${sql(name)} = excluded.${sql(name)}`),
        )}`
  return sql`
    insert into ${sql(shape.name)} (workspace_id, ${join(
      sql,
      columns.map(name => sql`${sql(name)}`),
    )})
    select ${workspaceId}::uuid, ${join(
      sql,
      columns.map(name => sql`r.${sql(name)}`),
    )}
    from json_populate_recordset(null::${sql(shape.name)}, ${rows}::text::json) r
    on conflict (${join(
      sql,
      keys.map(name => sql`${sql(name)}`),
    )}) ${action}`
}
