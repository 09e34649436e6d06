/**
 * Makes a cell of a Citus cluster: the distributed schema `cell_<name>`, whose tables reject writes at a node that does not
 * hold them, and the schema `here_<name>` at the node that holds it, through which the service uses the tables.
 */
import { CellUnavailable } from './cells.ts'
import { formatNode, type Node, readNodes } from './citus.ts'
import { type Database, type Sql, transaction } from './client.ts'
import { splitStatements } from './migration-file.ts'
import { type Migration, migrations } from './migrations.ts'

/** Cells are made and repaired by one session at a time. The second key of the advisory lock is a hash of the name. */
const cellLocks = 0x63656c6c

const unlogged = /^create unlogged (table(?: if not exists)? (\w+))/i

/**
 * Tables that are empty after a crash of PostgreSQL. Citus cannot move unlogged tables, so they are logged in the
 * distributed schema, where nothing uses them, and unlogged at the node.
 */
const localTablesOf = (all: readonly Migration[]): string[] =>
  all.flatMap(({ sql }) => splitStatements(sql).flatMap(statement => unlogged.exec(statement)?.[2] ?? []))

/** System columns by the tables in which statements name them. A view has no other. */
export const systemColumns: Readonly<Record<string, 'ctid' | 'xmin'>> = {
  channels: 'xmin',
  early_statuses: 'ctid',
  group_stats: 'ctid',
  inbox_actions: 'ctid',
  rejected_requests: 'ctid',
  second_factors: 'xmin',
  webhooks: 'xmin',
  workflow_runs: 'ctid',
}

/**
 * Runs statements of a migration as one transaction, each in its own message, because Citus sends the whole message to the
 * nodes. There each waits for a lock as long as at the coordinator. Returns the number of rows that the last one changed.
 */
export const sendToCitus = async (connection: Sql, texts: readonly string[]): Promise<number> => {
  await connection`begin`
  try {
    const [limit] = await connection<{ lock_timeout: string }[]>`show lock_timeout`
    await connection.unsafe(`set local lock_timeout = '${limit!.lock_timeout}'`)
    let changed = 0
    for (const statement of texts.flatMap(splitStatements))
      changed = (await connection.unsafe(statement.replace(unlogged, 'create $1'))).count ?? 0
    await connection`commit`
    return changed
  } catch (error) {
    await connection`rollback`
    throw error
  }
}

/** Returns why a database is not the coordinator of a cluster that can have cells, or null if it is. */
export const findClusterProblem = async (sql: Sql): Promise<string | null> => {
  const [citus] = await sql`select from pg_extension where extname = 'citus'`
  if (!citus)
    return 'The database of DATABASE_URL has no Citus. Run "create extension citus" on all nodes, and add the workers.'
  const [local] = await sql<{ groupId: number }[]>`select groupid as "groupId" from pg_dist_local_group`
  if (local!.groupId !== 0) {
    const [node] = await sql<Node[]>`
      select nodename as host, nodeport as port from pg_dist_node where groupid = 0 and noderole = 'primary'`
    return `DATABASE_URL leads to a worker of the Citus cluster. It must lead to the coordinator${node ? `, ${formatNode(node)}` : ''}.`
  }
  if ((await readNodes(sql)).length > 0) return null
  return 'The Citus cluster has no node for cells. Add a worker with citus_add_node.'
}

const schemaOf = (name: string): string => `cell_${name}`

/** Creates the schema of a cell. */
export const createCellSchema = async (sql: Sql, name: string): Promise<void> => {
  await sql`create schema if not exists ${sql(schemaOf(name))}`
}

/**
 * Distributes the schema of a cell, and gives each table a guard. A table that has been moved away rejects writes, with the
 * SQLSTATE `CES01`. The move waits for the transactions that write, and these for the move.
 */
export const distributeCell = (sql: Database, name: string): Promise<void> =>
  transaction(sql, async tx => {
    await lockCell(tx, name)
    const guard = `${schemaOf(name)}.require_placement`
    const [known] = await tx`
      select from pg_proc where oid = to_regproc(${guard}) and prosrc = ${guardSource(name)} and proconfig = ${[`search_path=${guardPath}`]}`
    if (!known)
      await tx.unsafe(
        `create or replace function ${guard}() returns trigger language plpgsql security definer set search_path = ${guardPath}
          as $guard$${guardSource(name)}$guard$`,
      )
    // Guards of a restored cell would reject the rows that Citus copies to the node.
    const restored = await tx<{ name: string }[]>`
      select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where t.tgname = 'placement_guard' and c.relnamespace = ${schemaOf(name)}::text::regnamespace
        and c.relnamespace not in (select schemaid from pg_dist_schema)`
    for (const table of restored) await tx.unsafe(`drop trigger placement_guard on ${schemaOf(name)}.${table.name}`)
    await tx`
      select citus_schema_distribute(oid) from pg_namespace
      where nspname = ${schemaOf(name)} and oid not in (select schemaid from pg_dist_schema)`
    const unguarded = await tx<{ name: string }[]>`
      select c.relname as name from pg_class c
      where c.relnamespace = ${schemaOf(name)}::text::regnamespace and c.relkind = 'r'
        and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'placement_guard')`
    for (const table of unguarded)
      await tx.unsafe(
        `create trigger placement_guard before ${writes} on ${schemaOf(name)}.${table.name}
          for each statement execute function ${guard}()`,
      )
    for (const { revocation } of await findMissingRights(tx, name)) await tx.unsafe(revocation)
  })

/**
 * Returns statements that revoke what a role may do with other tables of a cell, but not with this one. Default privileges
 * grant it again at the nodes when the table is distributed.
 */
const findMissingRights = (sql: Sql, name: string) => sql<{ revocation: string }[]>`
  with tables as (
    select oid, relacl, relowner from pg_class where relnamespace = ${schemaOf(name)}::text::regnamespace and relkind = 'r'
  ), rights as (
    select t.oid, a.grantee, a.privilege_type from tables t, aclexplode(t.relacl) a where a.grantee <> t.relowner
  )
  select format('revoke %s on %s from %s', string_agg(r.privilege_type, ', '), t.oid::regclass,
    case r.grantee when 0 then 'public' else r.grantee::regrole::text end) as revocation
  from tables t cross join (select distinct grantee, privilege_type from rights) r
  where not exists (
    select from rights o where o.oid = t.oid and o.grantee = r.grantee and o.privilege_type = r.privilege_type)
  group by t.oid, r.grantee`

const writes = ['insert', 'update', 'delete'].join(' or ')

const lockCell = (sql: Sql, name: string) => sql`select pg_advisory_xact_lock(${cellLocks}, hashtext(${name}))`

/** Search path of the guard, which has the rights of its owner: it finds no operator of the caller. */
const guardPath = 'pg_catalog, pg_temp'

/**
 * Body of the guard. All tables of a cell are moved together, so one of them stands for all: a transaction that takes a
 * second lock could deadlock with a move. The lock must precede the check, which sees a move that has committed meanwhile.
 * 5 is ShareLock, which conflicts with the lock of a move. The lock ends with the transaction, like the setting that saves
 * another check.
 *
 * With the argument `unlocked` it does not wait for a move, so that heartbeats and leases do not expire during a long one.
 * The notice reaches the process also if the statement is one that it repeats on its own.
 */
const guardSource = (name: string): string => `
declare
  shard bigint;
begin
  if pg_catalog.current_setting('cells.placed', true) = '${schemaOf(name)}' then
    return null;
  end if;
  select s.shardid into shard from pg_catalog.pg_dist_shard s where s.logicalrelid = '${schemaOf(name)}.workspaces'::regclass;
  if tg_nargs = 0 then
    perform pg_catalog.lock_shard_metadata(5, array[shard]);
  end if;
  if not exists (select from pg_catalog.pg_dist_placement p where p.shardid = shard
    and p.groupid = (select l.groupid from pg_catalog.pg_dist_local_group l)) then
    raise notice 'The cell is on another node.' using errcode = 'CES01';
    raise exception 'The cell is on another node.' using errcode = 'CES01';
  end if;
  if tg_nargs = 0 then
    perform pg_catalog.set_config('cells.placed', '${schemaOf(name)}', true);
  end if;
  return null;
end
`

/**
 * Local tables of the node with a guard: without a lease, a process sends nothing, and it learns of a move by its next
 * heartbeat at the latest.
 */
const guardedLocalTables = ['leases', 'processes']

/**
 * Makes or corrects the schema `here_<name>` at the node that holds a cell: a view of each table, the local tables, and the
 * functions that statements call. A view and its table have the rights of the distributed table, without those that default
 * privileges of the node add. Its objects carry a signature of what they were made from, so only outdated ones are made
 * again, each in its own transaction, because sessions can use them. If objects are only missing, as after a move, one
 * transaction makes them. The view of the applied migrations is made last, so a cell that has it is complete. Throws
 * CellUnavailable if the node does not hold the cell.
 *
 * `sql` is connected to the node by `placedUrl`. Can be called at any time.
 */
export const makeHere = async (sql: Database, name: string, all: readonly Migration[] = migrations): Promise<void> => {
  const localTables = localTablesOf(all)
  const find = (connection: Sql) => findOutdated(connection, name, localTables)
  if ((await find(sql)).length === 0) return
  const replaced = await transaction(sql, async tx => {
    await lockCell(tx, name)
    await tx`create schema if not exists ${tx(hereOf(name))}`
    const outdated = await find(tx)
    if (!outdated.every(({ isMissing }) => isMissing)) return outdated
    await tx.unsafe(outdated.map(({ statements }) => statements).join('; '))
    return []
  })
  for (const { object } of replaced)
    await transaction(sql, async tx => {
      await lockCell(tx, name)
      const statements = (await find(tx)).find(one => one.object === object)?.statements
      if (statements !== undefined) await tx.unsafe(statements)
    })
}

const hereOf = (name: string): string => `here_${name}`

/** Returns the objects of the schema `here_<name>` that are missing or outdated, with the statements that correct them. */
const findOutdated = async (
  sql: Sql,
  name: string,
  localTables: readonly string[],
): Promise<{ object: string; statements: string; isMissing: boolean }[]> => {
  const [cell, here] = [schemaOf(name), hereOf(name)]
  const [held] = await sql`
    select from pg_dist_shard s join pg_dist_placement p using (shardid)
    where s.logicalrelid = to_regclass(${`${cell}.workspaces`}) and p.groupid = (select groupid from pg_dist_local_group)`
  if (!held) throw new CellUnavailable()
  // Positions of outbound events continue after a move from a node with greater transaction ids.
  const [identity] = await sql<{ offset: string }[]>`
    select stream_offset::text as offset from ${sql(cell)}.service_identity where stream_offset > 0`
  const offset = identity?.offset ?? null
  return sql`
    with shards as materialized (
      select c.relname::text as name, c.relname = any(${[...localTables]}::text[]) as local, r.oid, c.relacl, c.relowner, r.reloptions,
        ${JSON.stringify(systemColumns)}::text::json ->> c.relname::text as system_column,
        case when c.relname = any(${guardedLocalTables}::text[]) then format(
          '; create trigger placement_guard before insert on %I.%I for each statement execute function %I.require_placement(%L)',
          ${here}::text, c.relname, ${cell}::text, 'unlocked') end as guard
      from pg_class c join pg_dist_shard s on s.logicalrelid = c.oid
      join pg_class r on r.oid = to_regclass(shard_name(c.oid, s.shardid))
      where c.relnamespace = to_regnamespace(${cell})
    ), grants as materialized (
      select s.oid, a.grantee, string_agg(a.privilege_type, ', ' order by a.privilege_type) as privileges
      from shards s, aclexplode(s.relacl) a where a.grantee <> s.relowner group by s.oid, a.grantee
    ), grantees as materialized (
      select distinct grantee, case grantee when 0 then 'public' else grantee::regrole::text end as role from grants
    ), wanted as (
      select case when local then 'table' else 'view' end as kind, format('%I.%I', ${here}::text, s.name) as object,
        md5(concat_ws(E'\n', case when not local then s.oid end, s.relacl, s.reloptions, s.system_column, s.guard,
          case when s.name = 'outbound_events' then ${offset}::text end,
          (select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
              pg_get_expr(d.adbin, d.adrelid)), E'\n' order by a.attnum)
            from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
            where a.attrelid = s.oid and a.attnum > 0 and not a.attisdropped),
          (select string_agg(pg_get_indexdef(i.indexrelid), E'\n' order by i.indexrelid) from pg_index i
            where local and i.indrelid = s.oid))) as signature,
        case when local then format('create unlogged table %I.%I (like %s including all)%s', ${here}::text, s.name, s.oid::regclass,
            ' with (' || array_to_string(s.reloptions, ', ') || ')') || coalesce(s.guard, '')
          else format('create view %I.%I as select t.*%s from %s t', ${here}::text, s.name, ', t.' || s.system_column, s.oid::regclass)
          end
          || case when s.name = 'outbound_events' and ${offset}::text is not null then format(
            '; alter view %I.%I alter column xid set default (pg_current_xact_id()::text::bigint + %s)::text::xid8',
            ${here}::text, s.name, ${offset}::text) else '' end
          || coalesce((select string_agg(format('; revoke all on %1$I.%2$I, %3$s from %4$s', ${here}::text, s.name, s.oid::regclass, r.role)
              || coalesce('; grant ' || g.privileges || format(' on %I.%I, %s to %s', ${here}::text, s.name, s.oid::regclass, r.role), ''), '')
            from grantees r left join grants g on g.grantee = r.grantee and g.oid = s.oid), '') as creation
      from shards s
      union all
      select 'function', format('%I.%I(%s)', ${here}::text, proname, pg_get_function_identity_arguments(oid)),
        md5(pg_get_functiondef(oid)), regexp_replace(pg_get_functiondef(oid), ${`FUNCTION ${cell}\\.`}, ${`FUNCTION ${here}.`})
      from pg_proc where pronamespace = to_regnamespace(${cell}) and prorettype <> 'trigger'::regtype
    ), present as (
      select case relkind when 'v' then 'view' else 'table' end as kind, format('%I.%I', ${here}::text, relname) as object,
        obj_description(oid, 'pg_class') as signature
      from pg_class where relnamespace = to_regnamespace(${here}) and relkind in ('r', 'v')
      union all
      select 'function', format('%I.%I(%s)', ${here}::text, proname, pg_get_function_identity_arguments(oid)),
        obj_description(oid, 'pg_proc')
      from pg_proc where pronamespace = to_regnamespace(${here})
    )
    select object, concat_ws('; ', format('drop %s if exists %s', coalesce(p.kind, w.kind), object), w.creation,
      case when w.kind is not null then format('comment on %s %s is %L', w.kind, object, w.signature) end) as statements, p.object is null as "isMissing"
    from wanted w full join present p using (object) where w.signature is distinct from p.signature
    order by object = ${`${here}.schema_migrations`}, object`
}
