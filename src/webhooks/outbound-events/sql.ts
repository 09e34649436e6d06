import {
  direction,
  isInRange,
  isOnPage,
  type PageRequest,
  type SizedRow,
  withinPageBytes,
} from '../../core/pagination.ts'
import { findLastScanned } from '../../core/scan.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { OutboundEvent, OutboundEventStatus, OutboundEventType } from './schema.ts'

export interface OutboundEventRow {
  id: string
  type: OutboundEventType
  createdAt: Date
  fannedOutAt: Date | null
  data: Record<string, unknown>
  sentTo: number
  webhookIds: string[]
  passedOver: number
  status: OutboundEventStatus
  /** Endpoints with a delivery. Empty before the fan-out. */
  endpointIds: string[]
  /** Status of the newest delivery to each of these endpoints, in the same order. */
  deliveryStatuses: OutboundEvent['deliveries'][number]['status'][]
}

const columns = (sql: Sql) => sql`
  e.id, e.type, e.created_at as "createdAt", e.fanned_out_at as "fannedOutAt", e.data,
  (select count(*)::integer from jsonb_object_keys(e.sent_to)) as "sentTo",
  array(select id from jsonb_object_keys(e.sent_to) id order by id) as "webhookIds",
  (select count(*)::integer from jsonb_object_keys(e.not_sent_to)) as "passedOver",
  case when e.fanned_out_at is null then 'waiting' else newest.status end as status,
  newest.endpoint_ids as "endpointIds", newest.statuses as "deliveryStatuses"`

/** Maximum number of deliveries of an event that were sent again, from which its status is computed. */
const maxResent = 100

/**
 * Lateral join: the newest delivery to each endpoint of an event, and the worst status of these. Reads each of them by
 * its key, and the `maxResent` newest of those that were sent again by an index.
 */
const newestDeliveries = (sql: Sql) => sql`
  cross join lateral (
    select case when bool_or(d.status = 'failed') then 'failed'
        when bool_or(d.status = 'retrying') then 'retrying' when bool_or(d.status = 'pending') then 'waiting'
        when bool_or(d.status = 'delivered') then 'delivered' else 'none' end as status,
      coalesce(array_agg(d.webhook_id), '{}') as endpoint_ids, coalesce(array_agg(d.status), '{}') as statuses
    from (
      select distinct on (d.webhook_id) d.webhook_id, case when d.due_at is not null and (
          select w.deleted_at from webhooks w where w.workspace_id = e.workspace_id and w.id = d.webhook_id
        ) is not null then 'dropped' else d.status end as status
      from (
        select first.* from jsonb_each_text(coalesce(e.sent_to, '{}')) as sent(webhook_id, delivery_id)
        cross join lateral (
          select d.webhook_id, d.id, d.status, d.due_at from deliveries d
          where d.workspace_id = e.workspace_id and d.id = sent.delivery_id::uuid offset 0
        ) first
        union all
        (
          select d.webhook_id, d.id, d.status, d.due_at from deliveries d
          where d.workspace_id = e.workspace_id and d.event_id = e.id and d.resent order by d.id desc limit ${maxResent}
        )
      ) d
      where e.fanned_out_at is not null
      order by d.webhook_id, d.id desc
    ) d
  ) newest`

/** Filter of a list of outbound events. */
export interface OutboundEventFilter {
  workspaceId: string
  /** Null selects all types. */
  type: OutboundEventType | null
  /** Endpoint that the event was sent to at its fan-out. Null selects all. */
  webhookId: string | null
  /** Null selects all statuses. */
  status: OutboundEventStatus | null
  page: PageRequest
}

/**
 * Returns whether the list must scan events. No index covers endpoints, statuses, and `message.status`, which is the
 * type of nearly all events. Every other type has an index.
 */
export const needsScan = ({ type, webhookId, status }: OutboundEventFilter): boolean =>
  type === 'message.status' || webhookId !== null || status !== null

/** Selects events, in the order of the page. A scan reads at most `maxScanned` rows. */
export const selectOutboundEvents = (sql: Sql, p: OutboundEventFilter, maxScanned: number) =>
  sql<(OutboundEventRow & SizedRow)[]>`${withinPageBytes(
    sql,
    p.page,
    sql`
  select ${columns(sql)}, octet_length(e.data::text) as bytes from (
    select * from ${indexedEvents(sql, p)} order by e.id ${direction(sql, p.page)} limit ${needsScan(p) ? maxScanned : p.page.limit + 1}
  ) e ${newestDeliveries(sql)}
  where e.workspace_id = ${p.workspaceId} ${p.type === null ? sql`` : sql`and e.type = ${p.type}`}
    ${p.webhookId === null ? sql`` : sql`and e.sent_to ? ${p.webhookId}`}
    ${p.status === null ? sql`` : sql`and case when e.fanned_out_at is null then 'waiting' else newest.status end = ${p.status}`}
  order by e.id ${direction(sql, p.page)} limit ${p.page.limit + 1}`,
  )}`

export const findLastScannedOutboundEvent = (sql: Sql, p: OutboundEventFilter, maxScanned: number) =>
  findLastScanned(sql, p.page, sql`select e.id from ${indexedEvents(sql, p)}`, maxScanned)

/** Rows that an index supports: one type other than `message.status`, or all. */
const indexedEvents = (sql: Sql, p: OutboundEventFilter) => sql`
  outbound_events e where e.workspace_id = ${p.workspaceId}
    ${p.type === null || p.type === 'message.status' ? sql`` : sql`and e.type = ${p.type} and e.type <> 'message.status'`}
    ${isOnPage(sql, p.page, sql`e.id`)} ${isInRange(sql, p.page, sql`e.id`, sql`e.created_at`)}`

export const findOutboundEvent = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<OutboundEventRow[]>`
    select ${columns(sql)} from outbound_events e ${newestDeliveries(sql)} where e.workspace_id = ${workspaceId} and e.id = ${id}`
  return row ?? null
}

export type PassedOverReason =
  | 'not_subscribed'
  | 'disabled'
  | 'filter'
  | 'about_itself'
  | 'deleted'
  | 'created_later'
  | 'other_endpoint'

export interface DestinationRow {
  webhookId: string
  url: string
  deliveryId: string | null
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'dropped' | null
  reason: PassedOverReason | null
}

/**
 * Selects the workspace's endpoints with the fan-out decision of an event, endpoints that received it first. The stored
 * decision takes precedence. An endpoint that the fan-out did not see was deleted before or created later; its
 * timestamps tell which. An endpoint created later and since deleted is left out. If there are too many deleted
 * endpoints, those deleted first are left out. Pending deliveries of a deleted endpoint show as dropped immediately,
 * even before their rows are updated. If the event was sent again, the newest delivery is shown.
 */
export const selectDestinations = (sql: Sql, workspaceId: string, eventId: string, limit: number) => sql<
  DestinationRow[]
>`
  select w.id as "webhookId", w.url, coalesce(d.id::text, e.sent_to ->> w.id::text) as "deliveryId",
    case when w.deleted_at is not null and d.due_at is not null then 'dropped' else d.status end as status,
    case
      when e.sent_to ? w.id::text or d.resent then null
      when e.not_sent_to ? w.id::text then e.not_sent_to ->> w.id::text
      when w.deleted_at <= e.fanned_out_at then 'deleted'
      when e.type = 'ping' and w.created_at <= e.fanned_out_at then 'other_endpoint'
      else 'created_later'
    end as reason
  from outbound_events e
  cross join lateral (
    select * from webhooks w where w.workspace_id = e.workspace_id and w.deleted_at is null
    union all
    select * from (select * from webhooks w where w.workspace_id = e.workspace_id and w.deleted_at <= e.fanned_out_at
      order by w.deleted_at desc limit ${limit}) recently_deleted
    union
    select w.* from jsonb_object_keys(coalesce(e.sent_to, '{}') || coalesce(e.not_sent_to, '{}')) as stored(id)
      cross join lateral (select * from webhooks w where w.workspace_id = e.workspace_id and w.id = stored.id::uuid offset 0) w
  ) w
  left join lateral (
    (select d.id, d.status, d.due_at, d.resent from deliveries d
      where d.workspace_id = e.workspace_id and d.event_id = e.id and d.resent and d.webhook_id = w.id
      order by d.id desc limit 1)
    union all
    (select d.id, d.status, d.due_at, d.resent from deliveries d
      where d.workspace_id = e.workspace_id and d.id = (e.sent_to ->> w.id::text)::uuid)
    order by resent desc limit 1
  ) d on true
  where e.workspace_id = ${workspaceId} and e.id = ${eventId} and e.fanned_out_at is not null
  order by d.id is null, w.deleted_at is not null, w.id desc
  limit ${limit}`

export interface EventText {
  id: string
  type: OutboundEventType
  createdAt: Date
  /** `data` as text from PostgreSQL, which keeps digits that a JavaScript number would lose. */
  dataText: string
}

/** An event with its trace context. */
export interface TracedEvent extends EventText {
  /** `traceparent` of the change that the event reports. Null without a trace. */
  traceparent: string | null
}

/** Returns the event of a delivery, for any endpoint of the workspace. Without such a delivery, the event with the ID. */
export const findSentEvent = async (
  sql: Sql,
  workspaceId: string,
  { deliveryId, eventId }: { deliveryId: string | null; eventId: string | null },
) => {
  const [row] = await sql<EventText[]>`
    select e.id, e.type, e.created_at as "createdAt", e.data::text as "dataText"
    from outbound_events e
    where e.workspace_id = ${workspaceId} and e.id = coalesce(
      (select d.event_id from deliveries d where d.workspace_id = ${workspaceId} and d.id = ${deliveryId}::uuid),
      ${eventId}::uuid)`
  return row ?? null
}
