import type { Details } from '../../core/errors.ts'
import { direction, isOnPage, type PageRequest, type SizedRow, timeOf, withinPageBytes } from '../../core/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { recordStats, thisHour } from '../../webhooks/statistics/index.ts'
import type { RejectedRequestGroup } from './group.ts'
import type { Sample } from './sample.ts'

/**
 * Closes rows that were opened ten minutes or more before the problem occurred again. The next statement opens new
 * rows.
 */
export const closeElapsedGroups = (sql: Sql, groups: RejectedRequestGroup[]) => sql`
  with elapsed as (
    select r.workspace_id, r.id
    from unnest(${groups.map(one => one.workspaceId)}::uuid[], ${groups.map(one => one.digest)}::text[],
      ${groups.map(one => one.firstAt.toISOString())}::text[]::timestamptz[]) as occurred(workspace_id, digest, at)
    join rejected_requests r on r.workspace_id = occurred.workspace_id and r.digest = decode(occurred.digest, 'hex') and r.open
      and r.first_at <= occurred.at - interval '10 minutes'
    order by r.workspace_id, r.digest for update of r
  )
  update rejected_requests r set open = false from elapsed where r.workspace_id = elapsed.workspace_id and r.id = elapsed.id`

/**
 * Adds problems to their open rows, or opens rows. The unique index on open rows makes concurrent processes share a
 * row. A repeated call counts nothing twice, because a row that already has the request id stays unchanged. Returns the
 * workspaces with new rows.
 */
export const upsertGroups = async (sql: Sql, groups: RejectedRequestGroup[]): Promise<string[]> => {
  const rows = groups.map(({ workspaceId, firstAt, lastAt, requestId, eventId, apiKeyId, ...rest }) => ({
    ...rest,
    workspace_id: workspaceId,
    first_at: firstAt,
    last_at: lastAt,
    request_id: requestId,
    event_id: eventId,
    api_key_id: apiKeyId,
  }))
  const written = await sql<{ workspaceId: string; opened: boolean }[]>`
    with written as (
    insert into rejected_requests as r (workspace_id, id, digest, first_at, last_at, count, sender, api_key_id, method, path, status,
      code, message, details, request_id, event_id, sample)
    select workspace_id, id, decode(digest, 'hex'), first_at, last_at, count, sender, api_key_id, method, path, status, code,
      message, details, request_id, event_id, sample
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as i(workspace_id uuid, id uuid, digest text,
      first_at timestamptz, last_at timestamptz, count integer, sender text, api_key_id uuid, method text, path text, status smallint, code text, message text,
      details jsonb, request_id uuid, event_id uuid, sample jsonb)
    order by workspace_id, digest
    on conflict (workspace_id, digest) where open do update set
      count = r.count + excluded.count,
      first_at = least(r.first_at, excluded.first_at),
      last_at = greatest(r.last_at, excluded.last_at),
      request_id = case when excluded.last_at >= r.last_at then excluded.request_id else r.request_id end,
      event_id = case when excluded.last_at >= r.last_at then excluded.event_id else r.event_id end,
      sample = case when excluded.last_at >= r.last_at then excluded.sample else r.sample end
    where r.request_id <> excluded.request_id
    returning workspace_id, encode(r.digest, 'hex') as problem_id, old.id is null as opened,
      case when new.event_id is null then new.count - coalesce(old.count, 0) else 0 end as refused
    ), stats as (${recordStats(
      sql,
      sql`(workspace_id, hour, refused, kind, group_id)
      select workspace_id, ${thisHour(sql)}, sum(refused), 'problem', problem_id from written where refused > 0
      group by workspace_id, problem_id`,
    )})
    select workspace_id as "workspaceId", opened from written`
  return [...new Set(written.filter(({ opened }) => opened).map(({ workspaceId }) => workspaceId))]
}

/** Keeps the newest `max` rows of each workspace. */
export const deleteExcess = (sql: Sql, workspaceIds: string[], max: number) => sql`
  delete from rejected_requests r
  using unnest(${workspaceIds}::uuid[]) as affected(workspace_id)
  cross join lateral (
    select id from rejected_requests entry where entry.workspace_id = affected.workspace_id order by id desc offset ${max} limit 1
  ) as oldest
  where r.workspace_id = affected.workspace_id and r.id <= oldest.id`

export interface RejectedRequestRow {
  id: string
  problemId: string
  firstAt: Date
  lastAt: Date
  count: number
  sender: string
  apiKeyId: string | null
  method: string
  path: string
  status: number
  code: string
  message: string
  details: Details | null
  requestId: string
  eventId: string | null
  sample: Sample | null
}

const columns = (sql: Sql) => sql`
  id, encode(digest, 'hex') as "problemId", first_at as "firstAt", last_at as "lastAt", count, sender, api_key_id as "apiKeyId", method, path, status,
  code, message, details, request_id as "requestId", event_id as "eventId", sample`

/** Condition for the rows of a workspace that are recent enough to be shown. */
const isShown = (sql: Sql, workspaceId: string) => sql`
  workspace_id = ${workspaceId} and first_at > now() - interval '30 days'`

/** Maximum number of rows per workspace. */
export const maxRows = 500

/** Filters of the list. They look at the rows that are kept of a workspace, so none needs an index. */
export interface RejectedRequestFilter {
  sender?: string
  apiKeyId?: string
  code?: string
  /** Exactly this message. */
  message?: string
}

export const selectRejectedRequests = (
  sql: Sql,
  workspaceId: string,
  page: PageRequest,
  { sender, apiKeyId, code, message }: RejectedRequestFilter = {},
) =>
  sql<(RejectedRequestRow & SizedRow)[]>`${withinPageBytes(
    sql,
    page,
    sql`
  select ${columns(sql)}, octet_length(message) + coalesce(octet_length(details::text), 0) + coalesce(octet_length(sample::text), 0) as bytes
  from (
    select * from rejected_requests where ${isShown(sql, workspaceId)} ${isOnPage(sql, page, sql`id`)}
    order by id ${direction(sql, page)} limit ${maxRows}
  ) kept where true
    ${sender === undefined ? sql`` : sql`and sender = ${sender}`}
    ${apiKeyId === undefined ? sql`` : sql`and api_key_id = ${apiKeyId}`}
    ${code === undefined ? sql`` : sql`and code = ${code}`}
    ${message === undefined ? sql`` : sql`and message = ${message}`}
    ${page.range ? sql`and last_at >= ${page.range.since} and ${timeOf(sql, sql`first_at`)} < ${page.range.end}` : sql``}
  order by id ${direction(sql, page)} limit ${page.limit + 1}`,
  )}`

/** Returns the error message of problems, by problem id, as long as their newest entry is kept. */
export const selectProblemMessages = (sql: Sql, workspaceId: string, problemIds: readonly string[]) => sql<
  { id: string; name: string }[]
>`
  select p.id, r.message as name from unnest(${[...problemIds]}::text[]) as p(id)
  join rejected_requests r on r.workspace_id = ${workspaceId} and r.digest = decode(p.id, 'hex') and r.open`

/** Summary of recent rejected requests. */
export interface RejectedSummary {
  /** `since` is the time of the first rejected request, `lastAt` of the newest. */
  since: Date
  lastAt: Date
  /** The most frequent error message, with the details and the id of its newest entry. */
  message: string
  details: Record<string, string> | null
  id: string
}

/**
 * Summarizes rejected requests since a time, without warnings, over at most `maxEntries` entries. Returns null if there are
 * none.
 */
export const findRejectedSummary = async (
  sql: Sql,
  { workspaceId, since, maxEntries }: { workspaceId: string; since: Date; maxEntries: number },
): Promise<RejectedSummary | null> => {
  const [row] = await sql<RejectedSummary[]>`
    with recent as materialized (
      select * from (
        select id, message, details, count, first_at, last_at from rejected_requests
        where workspace_id = ${workspaceId} and status >= 400 order by id desc limit ${maxEntries}
      ) newest where last_at >= ${since}
    ), by_message as (
      select message, sum(count) as count, (array_agg(id order by last_at desc, id desc))[1] as id,
        (array_agg(details order by last_at desc, id desc))[1] as details
      from recent group by message order by 2 desc, 3 desc limit 1
    )
    select total.*, by_message.message, by_message.details, by_message.id
    from (select min(first_at) as since, max(last_at) as "lastAt" from recent) total, by_message`
  return row ?? null
}

export const findRejectedRequest = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<RejectedRequestRow[]>`
    select ${columns(sql)} from rejected_requests where ${isShown(sql, workspaceId)} and id = ${id}`
  return row ?? null
}

/** Deletes at most `limit` entries older than 30 days. */
export const deleteOldRejectedRequests = (sql: Sql, limit: number) => sql`
  delete from rejected_requests where ctid = any(array(
    select ctid from rejected_requests where first_at < now() - interval '30 days' order by first_at limit ${limit}))`
