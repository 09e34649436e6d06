/** SQL that lists and searches customers. */
import { direction, isInRange, isOnPage, type PageRequest, type SizedRow, withinPageBytes } from '../core/pagination.ts'
import { findLastScanned } from '../core/scan.ts'
import { hasWords, searchText, wordPatterns } from '../core/word-search.ts'
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { bytesColumn, type CustomerRow, columns } from './sql.ts'

/** State of a customer's consent: an opt-out counts more than an opt-in. */
export type ConsentState = 'opted_in' | 'opted_out' | 'none'

/** Filters of a list. All must match. Undefined filters are left out of the statement. */
export interface CustomerFilter {
  workspaceId: string
  consent?: ConsentState | undefined
  /** Only customers with a conversation on this channel. */
  channelId?: string | undefined
}

/**
 * Selects a page of customers. Unused filters are left out of the statement, so that a phone, an external id or ids use
 * their index.
 */
export const selectCustomers = (
  sql: Sql,
  filter: CustomerFilter & {
    phone: string | null
    externalId: string | null
    ids: readonly string[] | null
    text: string | null
  },
  page: PageRequest,
) => {
  const { workspaceId, phone, externalId, ids, text } = filter
  return sql<(CustomerRow & SizedRow)[]>`${withinPageBytes(
    sql,
    page,
    sql`
    select ${columns(sql)}, ${bytesColumn(sql)} from customers
    where workspace_id = ${workspaceId} and erased_at is null
      ${phone === null ? sql`` : sql`and phone = ${phone}`}
      ${externalId === null ? sql`` : sql`and external_id = ${externalId}`}
      ${ids === null ? sql`` : sql`and id = any(${ids}::uuid[])`}
      ${matches(sql, filter, text)} ${isOnPage(sql, page, sql`id`)} ${isInRange(sql, page, sql`id`, sql`created_at`)}
    order by id ${direction(sql, page)} limit ${page.limit + 1}`,
  )}`
}

/** A search for a text, or a scan for filters that have no index. */
export interface Search extends CustomerFilter {
  text: string | null
  page: PageRequest
}

/** Searches the first `maxScanned` customers of the page. */
export const searchFirst = (sql: Sql, search: Search, maxScanned: number) =>
  sql<(CustomerRow & SizedRow)[]>`${withinPageBytes(
    sql,
    search.page,
    sql`
    select ${columns(sql)}, ${bytesColumn(sql)} from (${firstCustomers(sql, search, maxScanned)}) first
    where true ${matches(sql, { ...search, channelId: undefined }, search.text)}
      ${isInRange(sql, search.page, sql`id`, sql`created_at`)}
    order by sort_id ${direction(sql, search.page)} limit ${search.page.limit + 1}`,
  )}`

/** Returns the id of the last customer that `searchFirst` reads, or null if there are no more after it. */
export const findLastSearched = (sql: Sql, search: Search, maxScanned: number) =>
  findLastScanned(
    sql,
    search.page,
    search.channelId === undefined
      ? sql`select id from ${indexedCustomers(sql, search)}`
      : sql`select customer_id as id from ${conversationsOn(sql, search, search.channelId)}`,
    maxScanned,
  )

/** The first customers of an index. `sort_id` is the id in a form that tells the planner that they are sorted. */
const firstCustomers = (sql: Sql, search: Search, maxScanned: number) =>
  search.channelId === undefined
    ? sql`select *, id as sort_id from ${indexedCustomers(sql, search)} order by id ${direction(sql, search.page)} limit ${maxScanned}`
    : sql`
      select c.*, on_channel.customer_id as sort_id from (
        select customer_id from ${conversationsOn(sql, search, search.channelId)}
        order by customer_id ${direction(sql, search.page)} limit ${maxScanned}
      ) on_channel
      cross join lateral (
        select * from customers c
        where c.workspace_id = ${search.workspaceId} and c.id = on_channel.customer_id and c.erased_at is null offset 0
      ) c`

/** Customers of a page in the order of an index: those who opted out, or all. */
const indexedCustomers = (sql: Sql, { workspaceId, consent, page }: Search) => sql`
  customers where workspace_id = ${workspaceId} and erased_at is null
    ${consent === 'opted_out' ? sql`and opted_out_at is not null` : sql``} ${hasIdOnPage(sql, page, sql`id`)}`

const conversationsOn = (sql: Sql, { workspaceId, page }: Search, channelId: string) => sql`
  conversations where workspace_id = ${workspaceId} and channel_id = ${channelId}
    ${hasIdOnPage(sql, page, sql`customer_id`)}`

/** Condition for the ids of a page, without the exact time range. */
const hasIdOnPage = (sql: Sql, page: PageRequest, id: Fragment) => sql`
  ${isOnPage(sql, page, id)} ${page.range ? sql`and ${id} >= ${page.range.fromId}` : sql``}`

/** Conditions on rows of `customers`. */
const matches = (sql: Sql, { workspaceId, consent, channelId }: CustomerFilter, text: string | null) => sql`
  ${text === null ? sql`` : sql`and ${matchesText(sql, text)}`}
  ${consent === 'opted_out' ? sql`and opted_out_at is not null` : sql``}
  ${consent === 'opted_in' ? sql`and opted_in_at is not null and opted_out_at is null` : sql``}
  ${consent === 'none' ? sql`and opted_in_at is null and opted_out_at is null` : sql``}
  ${
    channelId === undefined
      ? sql``
      : sql`and exists (select from conversations co where co.workspace_id = ${workspaceId}
          and co.channel_id = ${channelId} and co.customer_id = customers.id offset 0)`
  }`

/**
 * Searches by index and returns a page, or null if more than `maxMatches` customers match. The text must contain a
 * trigram that the index stores.
 */
export const searchByIndex = async (
  sql: Sql,
  search: Search & { text: string },
  maxMatches: number,
): Promise<(CustomerRow & SizedRow)[] | null> => {
  const { workspaceId, page } = search
  const rows = await sql<(CustomerRow & SizedRow & { matches: number })[]>`
    with ${firstMatches(sql, search, maxMatches)}
    select page.*, (select count(*)::integer from first_matches) as matches from (${withinPageBytes(
      sql,
      page,
      sql`
      select ${columns(sql)}, ${bytesColumn(sql)} from customers
      where workspace_id = ${workspaceId} and id in (select id from first_matches order by id ${direction(sql, page)} limit ${page.limit + 1})
      order by id ${direction(sql, page)}`,
    )}) page
    order by id ${direction(sql, page)}`
  return rows.length > 0 && rows[0]!.matches > maxMatches ? null : rows
}

/** Finds the ids of all customers that match, by index. Returns null if more than `maxMatches` customers match. */
export const findMatchingIds = async (
  sql: Sql,
  { workspaceId, text }: { workspaceId: string; text: string },
  maxMatches: number,
): Promise<string[] | null> => {
  const search = { workspaceId, text, page: { limit: 0, before: null } }
  const rows = await sql<{ id: string }[]>`with ${firstMatches(sql, search, maxMatches)} select id from first_matches`
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
const firstMatches = (sql: Sql, search: Search & { text: string }, maxMatches: number) => {
  const { workspaceId, text, page } = search
  // The index supports no LIKE ALL. It finds the words in any of the texts, which are then compared one by one.
  const words = wordPatterns(text).map(pattern => sql`and ${searchExpression(sql)} like ${pattern}::text `)
  return sql`
    matching as materialized (
      select id from customers
      where workspace_id = ${workspaceId} and erased_at is null
        ${words} ${matches(sql, search, text)} ${isOnPage(sql, page, sql`id`)} ${isInRange(sql, page, sql`id`, sql`created_at`)}
    ), first_matches as materialized (select id from matching limit ${maxMatches + 1})`
}

/** Expression of the index `customers_search`. The index is only used if a query repeats it exactly. */
const searchExpression = (sql: Sql) =>
  searchText(sql, sql`coalesce(name, '') || E'\\n' || coalesce(phone, '') || E'\\n' || coalesce(external_id, '')`)

/** Condition on `customers` that the name, the phone or the external id contains all words. */
export const matchesText = (sql: Sql, text: string) =>
  sql`(${hasWords(sql, sql`name`, text)} or ${hasWords(sql, sql`phone`, text)} or ${hasWords(sql, sql`external_id`, text)})`
