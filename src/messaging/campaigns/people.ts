/** Reads customers for campaigns in pages, ordered by id. The page size limits memory use. */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import type { Person } from './recipient.ts'

/** Maximum bytes of attributes in one page. The last customer of the page can exceed it. */
const maxBytes = 2 * 1024 * 1024

/** The page to read. */
export interface PeoplePage {
  workspaceId: string
  /** Channel whose address is returned. */
  channelId: string
  /** Id of the last customer of the previous page. */
  after: string
  limit: number
  /** Whether to load attributes. If false, they are empty. */
  attributes: boolean
}

export interface PeopleResult {
  people: Person[]
  /** Whether this is the last page. */
  isEnd: boolean
}

interface PersonRow extends Person {
  /** Number of rows before the page was cut to its byte limit. */
  found: number
}

/** Reads customers created up to `at`; null means all current customers. */
export const readEverybody = async (sql: Sql, page: PeoplePage & { at: Date | null }): Promise<PeopleResult> => {
  const { workspaceId, after, limit, at } = page
  const rows = await sql<PersonRow[]>`${withinBytes(
    sql,
    page,
    sql`
    select * from customers c
    where c.workspace_id = ${workspaceId} and c.id > ${after} and c.erased_at is null
      ${at === null ? sql`` : sql`and c.created_at <= ${at}`}
    order by c.id limit ${limit}`,
  )}`
  return read(rows, limit)
}

/** Reads the customers with the given ids. */
export const readNamed = async (sql: Sql, page: PeoplePage & { ids: string[] }): Promise<PeopleResult> => {
  const { workspaceId, after, limit, ids } = page
  const rows = await sql<PersonRow[]>`${withinBytes(
    sql,
    page,
    sql`
    select c.* from (select distinct id from unnest(${ids}::uuid[]) as i(id) where id > ${after}) i
    cross join lateral (
      select * from customers c where c.workspace_id = ${workspaceId} and c.id = i.id and c.erased_at is null offset 0
    ) c
    order by c.id limit ${limit}`,
  )}`
  return read(rows, limit)
}

/** Reads recipients that are still pending, including erased customers. */
export const readPending = async (sql: Sql, page: PeoplePage & { campaignId: string }): Promise<PeopleResult> => {
  const { workspaceId, campaignId, after, limit } = page
  const rows = await sql<PersonRow[]>`${withinBytes(
    sql,
    page,
    sql`
    select c.* from campaign_recipients r
    cross join lateral (
      select * from customers c where c.workspace_id = r.workspace_id and c.id = r.customer_id offset 0
    ) c
    where r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId} and r.outcome = 'pending'
      and r.customer_id > ${after}
    order by r.customer_id limit ${limit}`,
  )}`
  return read(rows, limit)
}

/** Selects the first of `customers`, ordered by id, up to the byte limit of a page. */
const withinBytes = (sql: Sql, { workspaceId, channelId, attributes }: PeoplePage, customers: Fragment) => sql`
  select c.id, c.phone, c.external_id as "externalId", c.name,
    ${attributes ? sql`c.attributes` : sql`'{}'::jsonb as attributes`},
    c.opted_in_at is not null as "optedIn", c.opted_out_at is not null as "optedOut", c.erased_at is not null as erased,
    coalesce(c.phone, h.handle) as address, c.found
  from (
    select c.*, count(*) over ()::integer as found,
      ${attributes ? sql`sum(octet_length(c.attributes::text)) over (order by c.id rows between unbounded preceding and 1 preceding)` : sql`0`} as before
    from (${customers}) c
  ) c
  left join lateral (
    select h.handle from handles h
    where h.workspace_id = ${workspaceId} and h.customer_id = c.id and h.channel_id = ${channelId}
    order by h.created_at desc limit 1
  ) h on c.phone is null
  where coalesce(c.before, 0) < ${maxBytes}
  order by c.id`

const read = (rows: PersonRow[], limit: number): PeopleResult => {
  const found = rows[0]?.found ?? 0
  return { people: rows.map(({ found: _, ...person }) => person), isEnd: found < limit && rows.length === found }
}
