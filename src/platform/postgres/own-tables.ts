import type { Fragment, Sql } from './client.ts'

/**
 * SQL: the tables of the schema of this session, as `name`, `oid` and `relation`. They differ only in a cell of Citus,
 * where `oid` is a view and `relation` the table that it shows.
 */
export const ownTables = (sql: Sql): Fragment => sql`
  select c.relname::text as name, c.oid, case when c.relkind = 'r' then c.oid else (
      select d.refobjid from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
      where r.ev_class = c.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid limit 1) end as relation
  from pg_class c where c.relnamespace = to_regnamespace(quote_ident(current_schema())) and c.relkind in ('r', 'v')`
