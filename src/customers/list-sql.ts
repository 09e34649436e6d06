/** SQL that lists and searches customers. */
import { type PageRequest, type SizedRow, withinPageBytes } from '../core/pagination.ts'
import { findLastScanned } from '../core/scan.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { bytesColumn, type CustomerRow, columns } from './sql.ts'

/**
 * Selects a page of customers. Unused filters are left out of the statement, so that a phone or an external id uses its
 * index.
 */
export const selectCustomers = (
  sql: Sql,
  workspaceId: string,
  filter: { phone: string | null; externalId: string | null; search: string | null },
  page: PageRequest,
) => {
  const { phone, externalId, search } = filter
  return sql<(CustomerRow & SizedRow)[]>`${withinPageBytes(
    sql,
    sql`
    select ${columns(sql)}, ${bytesColumn(sql)} from customers
    where workspace_id = ${workspaceId} and erased_at is null
      ${phone === null ? sql`` : sql`and phone = ${phone}`}
      ${externalId === null ? sql`` : sql`and external_id = ${externalId}`}
      ${search === null ? sql`` : sql`and ${matchesText(sql, search)}`}
      ${page.before === null ? sql`` : sql`and id < ${page.before}`}
    order by id desc limit ${page.limit + 1}`,
  )}`
}

export interface Search {
  workspaceId: string
  text: string
  page: PageRequest
}

/** Searches the newest `maxScanned` customers of the page for the text. */
export const searchNewest = (sql: Sql, { workspaceId, text, page }: Search, maxScanned: number) =>
  sql<(CustomerRow & SizedRow)[]>`${withinPageBytes(
    sql,
    sql`
    select ${columns(sql)}, ${bytesColumn(sql)} from (
      select * from customers
      where workspace_id = ${workspaceId} and erased_at is null
        ${page.before === null ? sql`` : sql`and id < ${page.before}`}
      order by id desc limit ${maxScanned}
    ) newest
    where ${matchesText(sql, text)}
    order by id desc limit ${page.limit + 1}`,
  )}`

/** Returns the id of the last customer that `searchNewest` reads, or null if there are no more after it. */
export const findLastSearched = (sql: Sql, { workspaceId, page }: Search, maxScanned: number) =>
  findLastScanned(
    sql,
    sql`
      select id from customers
      where workspace_id = ${workspaceId} and erased_at is null
        ${page.before === null ? sql`` : sql`and id < ${page.before}`}`,
    maxScanned,
  )

/**
 * Searches by index and returns a page, or null if more than `maxMatches` customers match. The text must contain a
 * trigram that the index stores.
 */
export const searchByIndex = async (
  sql: Sql,
  search: Search,
  maxMatches: number,
): Promise<(CustomerRow & SizedRow)[] | null> => {
  const { workspaceId, page } = search
  const rows = await sql<(CustomerRow & SizedRow & { matches: number })[]>`
    with ${firstMatches(sql, search, maxMatches)}
    select page.*, (select count(*)::integer from first_matches) as matches from (${withinPageBytes(
      sql,
      sql`
      select ${columns(sql)}, ${bytesColumn(sql)} from customers
      where workspace_id = ${workspaceId} and id in (select id from first_matches order by id desc limit ${page.limit + 1})
      order by id desc`,
    )}) page
    order by id desc`
  return rows.length > 0 && rows[0]!.matches > maxMatches ? null : rows
}

/** Finds the ids of all customers that match, by index. Returns null if more than `maxMatches` customers match. */
export const findMatchingIds = async (
  sql: Sql,
  search: Omit<Search, 'page'>,
  maxMatches: number,
): Promise<string[] | null> => {
  const rows = await sql<{ id: string }[]>`
    with ${firstMatches(sql, { ...search, page: { before: null } }, maxMatches)} select id from first_matches`
  return rows.length > maxMatches ? null : rows.map(({ id }) => id)
}

/**
 * Finds customers whose phone ends with these digits, at least three, newest first among `maxMatches` matches. A line
 * break follows the phone in the searched expression, so that the index finds the end of a number.
 */
export const findByPhoneEnding = (
  sql: Sql,
  p: { workspaceId: string; digits: string; limit: number },
  maxMatches: number,
) => sql<CustomerRow[]>`
  with matching as materialized (
    select id from customers
    where workspace_id = ${p.workspaceId} and erased_at is null
      and ${searchExpression(sql)} like ${`%${p.digits}\n%`}::text and phone like ${`%${p.digits}`}::text
    limit ${maxMatches}
  )
  select ${columns(sql)} from customers
  where workspace_id = ${p.workspaceId} and id in (select id from matching order by id desc limit ${p.limit})
  order by id desc`

/**
 * Common table expressions for at most `maxMatches + 1` matches. The first one is materialized, so that the planner
 * expects all of its rows, and execution still stops above `maxMatches`. With a small estimate it would scan customer
 * by customer instead.
 */
const firstMatches = (
  sql: Sql,
  { workspaceId, text, page: { before } }: Omit<Search, 'page'> & { page: Pick<PageRequest, 'before'> },
  maxMatches: number,
) => {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql`
    matching as materialized (
      select id from customers
      where workspace_id = ${workspaceId} and erased_at is null
        and ${searchExpression(sql)} like lower(${pattern}::text collate pg_c_utf8) and ${matchesText(sql, text)}
        ${before === null ? sql`` : sql`and id < ${before}`}
    ), first_matches as materialized (select id from matching limit ${maxMatches + 1})`
}

/** Expression of the index `customers_search`. The index is only used if a query repeats it exactly. */
const searchExpression = (sql: Sql) =>
  sql`lower((coalesce(name, '') || E'\\n' || coalesce(phone, '') || E'\\n' || coalesce(external_id, '')) collate pg_c_utf8)`

/**
 * Condition on `customers` that the name, the phone or the external id contains the text. The collation makes case
 * folding independent of the database's locale.
 */
export const matchesText = (sql: Sql, text: string) => {
  const contains = (column: string) =>
    sql`strpos(lower(${sql(column)} collate pg_c_utf8), lower(${text}::text collate pg_c_utf8)) > 0`
  return sql`(${contains('name')} or ${contains('phone')} or ${contains('external_id')})`
}
