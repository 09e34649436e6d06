/** From the outbox to deliveries. */
import type { Sql } from '../../db/client.ts'
import { markingFannedOut, takingFromOutbox } from '../outbound-events/index.ts'

export interface FannedOut {
  events: number
  /** Endpoints that were given deliveries. */
  webhooks: { workspaceId: string; webhookId: string }[]
}

/**
 * Makes deliveries of up to `limit` events of the outbox, for every endpoint that subscribes to them, in one statement:
 * an event leaves the outbox exactly when its deliveries exist. The row locks are the guarantee, so any number of
 * processes may do so at once; an event that another holds is passed over.
 *
 * Every living endpoint is judged once per event, and the event keeps the verdicts: what is asked later must not be
 * answered from what the endpoints have become. The ids of the deliveries are made with the verdicts, in the order of
 * the events, so that the two need not be brought together again.
 */
export const fanOut = async (sql: Sql, limit: number): Promise<FannedOut> => {
  const decided = sql`
    select workspace_id, event_id,
      jsonb_object_agg(webhook_id, delivery_id) filter (where delivery_id is not null) as sent_to,
      jsonb_object_agg(webhook_id, reason) filter (where reason is not null) as passed_over
    from verdicts group by workspace_id, event_id`
  const [row] = await sql<{ events: number; webhooks: FannedOut['webhooks'] }[]>`
    with page as materialized (${takingFromOutbox(sql, limit)}), verdicts as materialized (
      select page.workspace_id, page.id as event_id, w.id as webhook_id,
        case when w.enabled and page.type = any(w.events) then uuidv7() end as delivery_id,
        case when not w.enabled then 'disabled' when page.type <> all(w.events) then 'not_subscribed' end as reason
      from page left join webhooks w on w.workspace_id = page.workspace_id and w.deleted_at is null
      order by page.id
    ), marked as (${markingFannedOut(sql, decided)}), made as (
      insert into deliveries (workspace_id, webhook_id, id, event_id, due_at)
      select workspace_id, webhook_id, delivery_id, event_id, clock_timestamp() from verdicts where delivery_id is not null
      returning workspace_id, webhook_id
    )
    select (select count(*)::integer from page) as events,
      coalesce((select json_agg(json_build_object('workspaceId', workspace_id, 'webhookId', webhook_id))
        from (select distinct workspace_id, webhook_id from made) as touched), '[]') as webhooks`
  return row!
}
