/** The tables of the database, classified by the kind of data they hold, and the keys that keep workspaces apart. */
import type { Sql } from '../../src/platform/postgres/client.ts'

/** People, with their memberships and sessions, and plans. */
const directory =
  'users sessions access_tokens known_networks account_links second_factors sign_in_tickets identities identity_links sso_states members saved_views plans'.split(
    ' ',
  )
/** Data that processes exchange. */
const ofProcesses =
  'processes leases http_processes rate_limit_usage retention_progress sign_in_attempts attempt_budgets'.split(' ')
/** Data about the database itself. */
const bookkeeping = 'audit_retention service_identity service_pauses schema_migrations'.split(' ')

/** A table that is not listed belongs to workspaces. */
export type TableKind = 'tenant' | 'directory' | 'process' | 'bookkeeping'

export const kindOf = (table: string): TableKind => {
  if (directory.includes(table)) return 'directory'
  if (ofProcesses.includes(table)) return 'process'
  return bookkeeping.includes(table) || table.startsWith('pg_') ? 'bookkeeping' : 'tenant'
}

/** Returns the column of a tenant table that holds the workspace id. */
export const keyOf = (table: string): string => (table === 'workspaces' ? 'id' : 'workspace_id')

export const readTables = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by name`
  return rows.map(({ name }) => name)
}

/** Returns the keys that prevent a split of the workspaces over several databases. */
export const readHindrances = async (sql: Sql): Promise<string[]> => {
  const tenants = (await readTables(sql)).filter(table => kindOf(table) === 'tenant')
  const rows = await sql<{ hindrance: string }[]>`
    with tenants as (
      select oid, name, key from unnest(${tenants}::text[], ${tenants.map(keyOf)}::text[]) as t(name, key)
        join pg_class on relname = name and relnamespace = 'public'::regnamespace
    ), uniques as (
      select name, key, indexrelid::regclass::text as index, indisprimary as is_primary,
        array(select pg_get_indexdef(indexrelid, n, true) from generate_series(1, indnkeyatts) n order by n) as columns
      from pg_index join tenants on oid = indrelid where indisunique or indisexclusion
    ), keys as (
      select conname, conrelid::regclass::text as source, confrelid::regclass::text as target, s.key as source_key, t.key as target_key,
        exists (select from unnest(conkey, confkey) as c(source, target)
            join pg_attribute a on a.attrelid = conrelid and a.attnum = c.source
            join pg_attribute b on b.attrelid = confrelid and b.attnum = c.target
          where a.attname = 'workspace_id' and b.attname = t.key) as within
      from pg_constraint left join tenants s on s.oid = conrelid left join tenants t on t.oid = confrelid
      where contype = 'f' and conparentid = 0 and (s.oid is not null or t.oid is not null)
    )
    select name || ' has no primary key that begins with ' || key as hindrance from tenants t
      where not exists (select from uniques u where u.name = t.name and is_primary and columns[1] = key)
    union all select index || ' is unique beyond one workspace' from uniques where not is_primary and key <> all(columns)
    union all select conname || ' joins ' || source || ' with ' || target from keys where source_key is null or target_key is null
    union all select conname || ' does not hold to one workspace' from keys
      where source_key is not null and target_key is not null and not within
    order by hindrance`
  return rows.map(({ hindrance }) => hindrance)
}
