/**
 * From outbound events to deliveries, as parts of a statement: of the one that tells, and of the one that empties the
 * outbox. Whichever makes them, the verdicts and the deliveries are the same.
 */
import type { Fragment, Sql } from '../../db/client.ts'
import { type EndpointRow, signingSecrets } from '../endpoints/index.ts'
import type { OutboundEventType } from '../outbound-events/index.ts'
import type { Letter } from './deliver.ts'

/**
 * The events with what becomes of them (fanned_out_at, sent_to, passed_over), in the order of their ids. Every living
 * endpoint is judged once per event, and the event is to keep the verdicts: what is asked later must not be answered from
 * what the endpoints have become. Of a workspace with more than `atMost` living endpoints nothing is decided, nor where an
 * endpoint that subscribes has a filter, and `passes` does not say of the event and the endpoint `w` whether that lets it
 * through.
 */
export const judging = (sql: Sql, events: Fragment, atMost: number | null, passes: Fragment) => sql`
  select event.*, verdict.*
  from ${events} as event left join lateral (
    select clock_timestamp() as fanned_out_at,
      jsonb_object_agg(w.id, ${deliveryId(sql)}) filter (where w.subscribed and w.passes) as sent_to,
      jsonb_object_agg(w.id, case when not w.enabled then 'disabled' when not w.subscribed then 'not_subscribed' else 'filter' end)
        filter (where not w.subscribed or not w.passes) as passed_over
    from (
      select w.id, w.enabled, w.enabled and event.type = any(w.events) as subscribed,
        w.filter is null or ${passes} as passes
      from webhooks w
      where w.workspace_id = event.workspace_id and w.deleted_at is null
      limit ${atMost === null ? sql`all` : sql`${atMost}::integer + 1`}
    ) w
    having coalesce(bool_and(w.passes is not null or not w.subscribed), true)
      ${atMost === null ? sql`` : sql`and count(*) <= ${atMost}::integer`}
  ) verdict on true
  order by event.id`

/** Nothing was asked of the filters: where one has to be, nothing is decided. */
export const filtersUnasked = (sql: Sql) => sql`null::boolean`

/**
 * The beginning of the event's id, so that deliveries follow each other as their events did, and then a digest of what
 * it belongs to: made twice, it is the same.
 */
const deliveryId = (sql: Sql) => sql`
  (left(event.id::text, 19) || '8' || right(md5(event.id::text || w.id::text), 15))::uuid`

/** Inserts a delivery, due at once, for each endpoint that an event was judged to go to; `returning` them. */
export const makingDeliveries = (sql: Sql, judged: Fragment) => sql`
  insert into deliveries (workspace_id, webhook_id, id, event_id, due_at)
  select event.workspace_id, sent.webhook_id::uuid, sent.delivery_id::uuid, event.id, clock_timestamp()
  from ${judged} as event cross join lateral jsonb_each_text(event.sent_to) as sent(webhook_id, delivery_id)
  returning workspace_id, webhook_id`

/** Beyond so many, what was made is not handed on: a mailbox that fills up is read in pages. */
const maxHandedOn = 64

/**
 * What was made, as JSON, to be read by `givenTo`. Nothing is handed on of an endpoint that is held, nor of one with a
 * rate: whoever gives it its turns reads what is due.
 */
export const whatWasMade = (sql: Sql, judged: Fragment, made: Fragment) => sql`
  json_build_object(
    'webhooks', coalesce((select json_agg(json_build_object('workspaceId', workspace_id, 'webhookId', webhook_id))
      from (select distinct workspace_id, webhook_id from ${made}) as touched), '[]'),
    'handedOn', coalesce((
      select json_agg(json_build_object('workspaceId', event.workspace_id, 'webhookId', w.id, 'id', sent.delivery_id,
          'eventId', event.id, 'type', event.type, 'createdAt', event.created_at, 'dataText', event.data::text, 'url', w.url,
          'secret', w.secret, 'sealedSecret', w."sealedSecret", 'previousSecret', w."previousSecret",
          'sealedPreviousSecret', w."sealedPreviousSecret", 'headers', encode(w.headers, 'base64'),
          'maxConcurrency', w.max_concurrency)
        order by event.id)
      from ${judged} as event cross join lateral jsonb_each_text(event.sent_to) as sent(webhook_id, delivery_id)
      cross join lateral (select w.id, w.url, w.headers, w.max_concurrency, ${signingSecrets(sql)} from webhooks w
        where w.workspace_id = event.workspace_id and w.id = sent.webhook_id::uuid and w.held_at is null
          and w.rate_per_second is null offset 0) w
      where (select count(*) from ${made}) <= ${maxHandedOn}), '[]'))`

/** An endpoint that was given deliveries and, where there are few, those very deliveries, oldest first. */
export interface Given {
  workspaceId: string
  webhookId: string
  letters: Letter[]
}

/** What `whatWasMade` answers. */
export interface Made {
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

/** The endpoints that were given deliveries. */
export const givenTo = ({ webhooks, handedOn }: Made): Given[] => {
  const letters = Map.groupBy(handedOn, ({ workspaceId, webhookId }) => `${workspaceId} ${webhookId}`)
  return webhooks.map(to => ({
    ...to,
    letters: (letters.get(`${to.workspaceId} ${to.webhookId}`) ?? []).map(letterOf),
  }))
}

const letterOf = (handed: HandedOn): Letter => ({
  id: handed.id,
  workspaceId: handed.workspaceId,
  webhookId: handed.webhookId,
  attempts: 0,
  manual: false,
  event: { id: handed.eventId, type: handed.type, createdAt: new Date(handed.createdAt), dataText: handed.dataText },
  endpoint: {
    url: handed.url,
    secret: handed.secret,
    sealedSecret: handed.sealedSecret,
    previousSecret: handed.previousSecret,
    sealedPreviousSecret: handed.sealedPreviousSecret,
    headers: handed.headers,
    maxConcurrency: handed.maxConcurrency,
  },
  dueSince: performance.now(),
})
