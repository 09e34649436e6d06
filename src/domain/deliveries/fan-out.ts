/** From the outbox to deliveries. */
import type { Sql } from '../../db/client.ts'
import type { EndpointRow } from '../endpoints/index.ts'
import { beginning } from '../mailbox.ts'
import { firstInOutbox, markingFannedOut, type OutboundEventType, takingFromOutbox } from '../outbound-events/index.ts'
import type { Letter } from './deliver.ts'

export interface FannedOut {
  events: number
  /** When the first event in the outbox happened, in milliseconds since 1970; null when there was none. */
  firstMs: number | null
  /** Endpoints that were given deliveries. */
  webhooks: FannedOutTo[]
}

/** An endpoint and, where there are few, the very deliveries that it was given, oldest first. */
export interface FannedOutTo {
  workspaceId: string
  webhookId: string
  letters: Letter[]
}

/** Beyond so many, what was made is not handed on: a mailbox that fills up is read in pages. */
const maxHandedOn = 64

/**
 * Makes deliveries of up to `limit` events of the outbox, for every endpoint that subscribes to them, in one statement:
 * an event leaves the outbox exactly when its deliveries exist. The row locks are the guarantee, so any number of
 * processes may do so at once; an event that another holds is passed over.
 *
 * Every living endpoint is judged once per event, and the event keeps the verdicts: what is asked later must not be
 * answered from what the endpoints have become.
 *
 * Nobody waits until this commit is on disk. Should PostgreSQL fall over before it is, the events are in the outbox
 * again, for their own commits were waited for, and the same deliveries are made of them: a delivery's id follows from
 * its event and its endpoint. What a receiver then gets a second time is what it got, as after any other crash.
 */
export const fanOut = async (sql: Sql, limit: number, from = beginning): Promise<FannedOut> => {
  const decided = sql`
    select workspace_id, event_id,
      jsonb_object_agg(webhook_id, delivery_id) filter (where delivery_id is not null) as sent_to,
      jsonb_object_agg(webhook_id, reason) filter (where reason is not null) as passed_over
    from verdicts group by workspace_id, event_id`
  const [row] = await sql<FannedOutRow[]>`
    with page as materialized (${takingFromOutbox(sql, limit, from)}), verdicts as materialized (
      select page.workspace_id, page.id as event_id, w.id as webhook_id,
        case when w.enabled and page.type = any(w.events) then ${deliveryId(sql)} end as delivery_id,
        case when not w.enabled then 'disabled' when page.type <> all(w.events) then 'not_subscribed' end as reason
      from page left join lateral (select * from webhooks w
        where w.workspace_id = page.workspace_id and w.deleted_at is null offset 0) w on true
      order by page.id
    ), marked as (${markingFannedOut(sql, decided)}), made as (
      insert into deliveries (workspace_id, webhook_id, id, event_id, due_at)
      select workspace_id, webhook_id, delivery_id, event_id, clock_timestamp() from verdicts where delivery_id is not null
      returning workspace_id, webhook_id, id, event_id, due_at
    ), handed_on as (
      select json_build_object('workspaceId', m.workspace_id, 'webhookId', m.webhook_id, 'id', m.id, 'eventId', page.id,
        'type', page.type, 'createdAt', page.created_at, 'dataText', page.data::text, 'url', w.url, 'secret', w.secret,
        'previousSecret', case when w.previous_secret_until > now() then w.previous_secret end) as delivery, m.due_at, m.id
      from made m
      join page on page.workspace_id = m.workspace_id and page.id = m.event_id
      cross join lateral (select * from webhooks w
        where w.workspace_id = m.workspace_id and w.id = m.webhook_id offset 0) w
      where (select count(*) from made) <= ${maxHandedOn}
    )
    select (select count(*)::integer from page) as events, ${firstInOutbox(sql, from)} as "firstMs",
      coalesce((select json_agg(json_build_object('workspaceId', workspace_id, 'webhookId', webhook_id))
        from (select distinct workspace_id, webhook_id from made) as touched), '[]') as webhooks,
      coalesce((select json_agg(delivery order by due_at, id) from handed_on), '[]') as "handedOn",
      set_config('synchronous_commit', 'off', true)`
  return fannedOutOf(row!)
}

/**
 * The beginning of the event's id, so that deliveries follow each other as their events did, and then a digest of what
 * it belongs to: made twice, it is the same.
 */
const deliveryId = (sql: Sql) => sql`
  (left(page.id::text, 19) || '8' || right(md5(page.id::text || w.id::text), 15))::uuid`

interface FannedOutRow {
  events: number
  firstMs: number | null
  webhooks: { workspaceId: string; webhookId: string }[]
  handedOn: HandedOn[]
}

interface HandedOn extends EndpointRow {
  workspaceId: string
  webhookId: string
  id: string
  eventId: string
  type: OutboundEventType
  /** As PostgreSQL writes a time in JSON. */
  createdAt: string
  dataText: string
}

const fannedOutOf = ({ events, firstMs, webhooks, handedOn }: FannedOutRow): FannedOut => {
  const letters = Map.groupBy(handedOn, ({ workspaceId, webhookId }) => `${workspaceId} ${webhookId}`)
  return {
    events,
    firstMs,
    webhooks: webhooks.map(to => ({
      ...to,
      letters: (letters.get(`${to.workspaceId} ${to.webhookId}`) ?? []).map(letterOf),
    })),
  }
}

const letterOf = (handed: HandedOn): Letter => ({
  id: handed.id,
  workspaceId: handed.workspaceId,
  attempts: 0,
  manual: false,
  event: { id: handed.eventId, type: handed.type, createdAt: new Date(handed.createdAt), dataText: handed.dataText },
  endpoint: { url: handed.url, secret: handed.secret, previousSecret: handed.previousSecret },
  dueSince: performance.now(),
})
