/**
 * SQL fragments that create deliveries from outbound events. Two statements use them: the one that emits events, and
 * the one that empties the outbox. Both make the same decisions and create the same deliveries.
 */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type EndpointRow, signingSecrets } from '../endpoints/index.ts'
import { isAboutEndpoint, type OutboundEventType } from '../outbound-events/index.ts'
import type { DeliveryJob } from './deliver.ts'

/**
 * Selects the events with their fan-out result (`fanned_out_at`, `sent_to`, `not_sent_to`), in the order of their ids.
 * Every existing endpoint is evaluated once per event. The event stores the results, because the endpoints can change
 * later.
 *
 * Nothing is decided if the workspace has more than `maxEndpoints` endpoints. The same applies if a subscribed endpoint has a
 * filter and `passes` is null. `passes` says whether the filter of the endpoint `w` accepts the event.
 */
export const decideFanOut = (sql: Sql, events: Fragment, maxEndpoints: number | null, passes: Fragment) => sql`
  select event.*, verdict.*
  from ${events} as event left join lateral (
    select clock_timestamp() as fanned_out_at,
      jsonb_object_agg(w.id, ${deliveryId(sql)}) filter (where w.subscribed and w.passes) as sent_to,
      jsonb_object_agg(w.id, case when w.about_itself then 'about_itself' when not w.enabled then 'disabled' when not w.subscribed then 'not_subscribed' else 'filter' end)
        filter (where not w.subscribed or not w.passes) as not_sent_to
    from (
      select w.id, w.enabled, about_itself, w.enabled and event.type = any(w.events) and not about_itself as subscribed,
        w.filter is null or ${passes} as passes
      from webhooks w cross join lateral (select ${isAboutEndpoint(sql)} as about_itself) itself
      where w.workspace_id = event.workspace_id and w.deleted_at is null
      limit ${maxEndpoints === null ? sql`all` : sql`${maxEndpoints}::integer + 1`}
    ) w
    having coalesce(bool_and(w.passes is not null or not w.subscribed), true)
      ${maxEndpoints === null ? sql`` : sql`and count(*) <= ${maxEndpoints}::integer`}
  ) verdict on true
  order by event.id`

/** Value of `passes` where filters are not evaluated: an event that needs a filter stays undecided. */
export const unevaluatedFilters = (sql: Sql) => sql`null::boolean`

/**
 * Derives the id of a delivery: the beginning of the event's id, then a digest of the event and the endpoint.
 * Deliveries therefore sort like their events, and creating one twice gives the same id.
 */
const deliveryId = (sql: Sql) => sql`
  (left(event.id::text, 19) || '8' || right(md5(event.id::text || w.id::text), 15))::uuid`

/** Inserts a delivery, due immediately, for each endpoint in `sent_to`. Returns the rows. */
export const insertDeliveries = (sql: Sql, decided: Fragment) => sql`
  insert into deliveries (workspace_id, webhook_id, id, event_id, due_at)
  select event.workspace_id, sent.webhook_id::uuid, sent.delivery_id::uuid, event.id, clock_timestamp()
  from ${decided} as event cross join lateral jsonb_each_text(event.sent_to) as sent(webhook_id, delivery_id)
  returning workspace_id, webhook_id`

/** Maximum number of deliveries returned in full. Above it, actors read the queue in pages. */
const maxReturnedJobs = 64

/**
 * Returns the created deliveries as JSON for `groupJobs`. Excludes deliveries of held endpoints, and of endpoints with a
 * rate, whose rate limiter reads the due deliveries itself.
 */
export const createdDeliveries = (sql: Sql, decided: Fragment, created: Fragment) => sql`
  json_build_object(
    'webhooks', coalesce((select json_agg(json_build_object('workspaceId', workspace_id, 'webhookId', webhook_id))
      from (select distinct workspace_id, webhook_id from ${created}) as touched), '[]'),
    'jobs', coalesce((
      select json_agg(json_build_object('workspaceId', event.workspace_id, 'webhookId', w.id, 'id', sent.delivery_id,
          'eventId', event.id, 'type', event.type, 'createdAt', event.created_at, 'dataText', event.data::text, 'traceparent', event.traceparent, 'url', w.url,
          'secret', w.secret, 'previousSecret', w."previousSecret", 'headers', encode(w.headers, 'base64'),
          'maxConcurrency', w.max_concurrency)
        order by event.id)
      from ${decided} as event cross join lateral jsonb_each_text(event.sent_to) as sent(webhook_id, delivery_id)
      cross join lateral (select w.id, w.url, w.headers, w.max_concurrency, ${signingSecrets(sql)} from webhooks w
        where w.workspace_id = event.workspace_id and w.id = sent.webhook_id::uuid and w.held_at is null
          and w.rate_per_second is null offset 0) w
      where (select count(*) from ${created}) <= ${maxReturnedJobs}), '[]'))`

/** An endpoint with new deliveries. `jobs` contains these deliveries, oldest first, if there are few. */
export interface EndpointJobs {
  workspaceId: string
  webhookId: string
  jobs: DeliveryJob[]
}

/** Result of `createdDeliveries`. */
export interface CreatedDeliveries {
  webhooks: { workspaceId: string; webhookId: string }[]
  jobs: CreatedDelivery[]
}

interface CreatedDelivery extends EndpointRow {
  workspaceId: string
  webhookId: string
  id: string
  eventId: string
  type: OutboundEventType
  /** Time in the JSON format of PostgreSQL. */
  createdAt: string
  dataText: string
  traceparent: string | null
}

/** Returns the endpoints with new deliveries. */
export const groupJobs = ({ webhooks, jobs }: CreatedDeliveries): EndpointJobs[] => {
  const byEndpoint = Map.groupBy(jobs, ({ workspaceId, webhookId }) => `${workspaceId} ${webhookId}`)
  return webhooks.map(endpointKey => ({
    ...endpointKey,
    jobs: (byEndpoint.get(`${endpointKey.workspaceId} ${endpointKey.webhookId}`) ?? []).map(toJob),
  }))
}

const toJob = (delivery: CreatedDelivery): DeliveryJob => ({
  id: delivery.id,
  workspaceId: delivery.workspaceId,
  webhookId: delivery.webhookId,
  attempts: 0,
  manual: false,
  resent: false,
  event: {
    id: delivery.eventId,
    type: delivery.type,
    createdAt: new Date(delivery.createdAt),
    dataText: delivery.dataText,
    traceparent: delivery.traceparent,
  },
  endpoint: {
    url: delivery.url,
    secret: delivery.secret,
    previousSecret: delivery.previousSecret,
    headers: delivery.headers,
    maxConcurrency: delivery.maxConcurrency,
  },
  dueSince: performance.now(),
})
