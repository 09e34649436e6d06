/** SQL that finds records by ids, addresses and names. Each part is one index lookup. */
import { firstWordPart, foldText, searchText, wordPatterns } from '../../core/word-search.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { SearchResult } from './schema.ts'

/** A record that was found. Fields that its type does not have are null. */
export interface FoundRecord {
  type: SearchResult['type']
  id: string
  /** Name, or the beginning of the text. */
  name: string | null
  /** Status of the record. */
  status: string | null
  /** The owner or subject of the record. */
  of: string | null
  at: Date | null
}

/**
 * Finds records with this id, and related records, for example the endpoint of a delivery. Erased customers are not
 * found.
 */
export const findById = (sql: Sql, workspaceId: string, id: string) => sql<FoundRecord[]>`
  select 'event' as type, e.id, e.type as name, e.source as status, ${nameOfCustomer(sql)} as of, e.created_at as at
  from events e where e.workspace_id = ${workspaceId} and e.id = ${id}
  union all
  select 'customer', c.id, coalesce(c.name, c.phone, c.external_id), c.phone, c.external_id, c.created_at
  from customers c where c.workspace_id = ${workspaceId} and c.id = ${id} and c.erased_at is null
  union all
  select 'run', e.id, (select w.name from workflows w where w.workspace_id = e.workspace_id and w.id = e.workflow_id),
    case when e.waiting and e.status = 'active' then 'waiting' else e.status end, ${nameOfCustomer(sql)}, e.created_at
  from workflow_runs e where e.workspace_id = ${workspaceId} and e.id = ${id}
  union all
  select 'message', e.id, case when ${nameOfCustomer(sql)} is not null then left(e.text, 100) end, e.status, ${nameOfCustomer(sql)}, e.created_at
  from messages e where e.workspace_id = ${workspaceId} and e.id = ${id}
  union all
  select 'delivery', d.id, (select e.type from outbound_events e where e.workspace_id = d.workspace_id and e.id = d.event_id),
    d.status, (select coalesce(w.name, w.url) from webhooks w where w.workspace_id = d.workspace_id and w.id = d.webhook_id),
    d.created_at
  from deliveries d where d.workspace_id = ${workspaceId} and d.id = ${id}
  union all
  select 'outbound_event', e.id, e.type, null, null, e.created_at
  from outbound_events e where e.workspace_id = ${workspaceId} and e.id = ${id}
  union all
  select 'webhook', w.id, coalesce(w.name, w.url), case when w.enabled then 'on' else 'off' end, w.url, w.created_at
  from webhooks w
  where w.workspace_id = ${workspaceId} and w.deleted_at is null and w.id = any(array[${id}::uuid, (
    select d.webhook_id from deliveries d where d.workspace_id = ${workspaceId} and d.id = ${id})])
  union all
  select 'workflow', w.id, w.name, case when w.enabled then 'on' else 'off' end, w.trigger_type, w.created_at
  from workflows w where w.workspace_id = ${workspaceId} and w.id = ${id}
  union all
  select 'not_accepted', f.id, left(f.message, 200), f.code, f.count::text, f.last_at
  from rejected_requests f where f.workspace_id = ${workspaceId} and f.id = ${id}
  union all
  (select 'not_accepted', f.id, left(f.message, 200), f.code, f.count::text, f.last_at
  from rejected_requests f where f.workspace_id = ${workspaceId} and f.request_id = ${id} limit 5)
  union all
  select 'conversation', e.id, ${nameOfCustomer(sql)}, e.status,
    (select ch.name from channels ch where ch.workspace_id = e.workspace_id and ch.id = e.channel_id), e.created_at
  from conversations e where e.workspace_id = ${workspaceId} and e.id = ${id}
  union all
  select 'channel', ch.id, ch.name, ch.status, ch.kind, ch.created_at
  from channels ch where ch.workspace_id = ${workspaceId} and ch.id = ${id}
  union all
  select 'campaign', ca.id, ca.name, ca.status, null, ca.created_at
  from campaigns ca where ca.workspace_id = ${workspaceId} and ca.id = ${id}
  union all
  select 'template', t.id, t.name, t.category, null, t.created_at
  from templates t where t.workspace_id = ${workspaceId} and t.id = ${id}
  union all
  select 'sale', e.id, e.amount || ' ' || e.currency, case when e.voided_at is not null then 'voided' end,
    ${nameOfCustomer(sql)}, e.created_at
  from sales e where e.workspace_id = ${workspaceId} and e.id = ${id}`

/** Name of the customer of a row `e`; null if they were erased. */
const nameOfCustomer = (sql: Sql) => sql`
  (select coalesce(c.name, c.phone, c.external_id) from customers c
    where c.workspace_id = e.workspace_id and c.id = e.customer_id and c.erased_at is null)`

/** Finds customers by an exact phone number, external id or channel address. */
export const findByAddress = (
  sql: Sql,
  p: { workspaceId: string; text: string; phone: string | null; limit: number },
) =>
  sql<FoundRecord[]>`
  select 'customer' as type, c.id, coalesce(c.name, c.phone, c.external_id) as name, c.phone as status, c.external_id as of,
    c.created_at as at
  from (
    select id from customers where workspace_id = ${p.workspaceId} and phone = ${p.phone}
    union
    select id from customers where workspace_id = ${p.workspaceId} and external_id = ${p.text}
    union
    (select customer_id from handles where workspace_id = ${p.workspaceId} and handle = ${p.text} limit ${p.limit})
    union
    (select customer_id from handles where workspace_id = ${p.workspaceId} and handle = ${p.phone} limit ${p.limit})
  ) known
  cross join lateral (
    select * from customers c where c.workspace_id = ${p.workspaceId} and c.id = known.id and c.erased_at is null offset 0
  ) c
  order by c.id limit ${p.limit}`

/**
 * Finds customers by the beginning of their name, in alphabetical order. The condition is a range of the index
 * customers_by_name. Its upper bound appends the last code point.
 */
export const findByNameStart = (sql: Sql, p: { workspaceId: string; text: string; limit: number }) => {
  const name = searchText(sql, sql`w.name`)
  return sql<FoundRecord[]>`
  select 'customer' as type, w.id, w.name, w.phone as status, w.external_id as of, w.created_at as at
  from customers w
  where w.workspace_id = ${p.workspaceId} and w.name is not null and w.erased_at is null
    and ${name} >= ${foldText(p.text)}::text
    and ${name} < ${foldText(p.text)}::text || chr(1114111)
  order by ${name}, w.id limit ${p.limit}`
}

/**
 * Finds workflows, endpoints, templates, campaigns and channels with all words in their names, or for endpoints in their
 * names and URLs, at most `limit` of each. Names that start with the text come first, then those with a word that
 * does. Looks at the newest `max` records of each.
 */
export const findByPartOfName = (sql: Sql, p: { workspaceId: string; text: string; limit: number; max: number }) => {
  const newest = (table: string) => sql`
    (select * from ${sql(table)} where workspace_id = ${p.workspaceId} order by id desc limit ${p.max}) r`
  return sql<FoundRecord[]>`
  with found as (
    select 'workflow' as type, id, name, name as text, case when enabled then 'on' else 'off' end as status,
      trigger_type as of, created_at as at
    from ${newest('workflows')}
    union all
    select 'webhook', id, coalesce(name, url), concat_ws(' ', name, substring(url from '//(.*)')),
      case when enabled then 'on' else 'off' end, url, created_at
    from ${newest('webhooks')} where deleted_at is null
    union all
    select 'template', id, name, name, category, null, created_at from ${newest('templates')}
    union all
    select 'campaign', id, name, name, status, null, created_at from ${newest('campaigns')}
    union all
    select 'channel', id, name, name, status, kind, created_at from ${newest('channels')}
  ), placed as (
    select *, strpos(folded, ${firstWordPart(p.text)}::text) as position
    from (select *, ${searchText(sql, sql`text`)} as folded from found) found
    where folded like all(${wordPatterns(p.text)}::text[])
  ), ranked as (
    select *, row_number() over (partition by type order by (${matchRank(sql)}), lower(name collate pg_c_utf8), id) as number
    from placed
  )
  select type, id, name, status, of, at from ranked where number <= ${p.limit} order by type, number`
}

/** 0 if the text starts with the match, 1 if the match starts a word, otherwise 2. */
const matchRank = (sql: Sql) => sql`
  case when position = 1 then 0 when substr(folded, position - 1, 1) ~ '[^[:alnum:]]' then 1 else 2 end`
