import type { Sql } from '../../platform/postgres/client.ts'
import type { FeedData, FeedKind } from './schema.ts'

/** Start of the range that is polled in a workspace. */
export interface PollRange {
  workspaceId: string
  /** Smallest id of that time. */
  fromId: string
  from: Date
  /**
   * Smallest id of rejected requests that can have changed since then. A row is updated for ten minutes after it is
   * opened.
   */
  problemsFromId: string
}

/** A row found by a poll. */
export interface FeedRow {
  workspaceId: string
  kind: FeedKind
  id: string
  /** Differs from the previous version if there is something to report. */
  version: string
  at: Date
  data: FeedData
}

/** Returns the time of the database clock. */
export const findNow = async (sql: Sql): Promise<Date> => {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return row!.now
}

/**
 * Selects the newest rows since then, up to `maxRows` for each workspace and kind. Finds new rows by their ids, which are
 * ordered by time, and changed rows by the recorded changes. Every part reads at most a page of an index.
 */
export const findNewRows = (sql: Sql, ranges: PollRange[], maxRows: number) => {
  const changesOf = (kind: FeedKind) => sql`
    select subject_id, at from live_feed_changes s
    where s.workspace_id = i.workspace_id and s.kind = ${kind} and s.id >= i.from_id order by s.id desc limit ${maxRows}`
  const messageData = sql`json_build_object('status', m.status, 'direction', m.direction, 'channelId', m.channel_id,
    'conversationId', m.conversation_id, 'customerId', m.customer_id, 'runId', m.run_id)`
  const conversationData = sql`json_build_object('status', c.status, 'channelId', c.channel_id, 'customerId', c.customer_id,
    'assigneeId', c.assignee_id, 'unread', c.unread, 'waitingSince', to_char(c.waiting_since, ${isoFormat}))`
  const runData = sql`json_build_object('status', case when r.status = 'active' and r.waiting then 'waiting' else r.status end,
    'workflowId', r.workflow_id, 'customerId', r.customer_id, 'eventId', r.event_id, 'stepId', r.step_id,
    'endReason', r.end_reason)`
  const runVersion = sql`concat_ws(' ', r.status, r.waiting, r.steps_taken, r.step_id, r.version)`
  const deliveryData = sql`json_build_object('status', d.status, 'webhookId', d.webhook_id, 'eventId', d.event_id,
    'attempts', d.attempts, 'statusCode', d.status_code)`
  const campaignData = sql`json_build_object('status', c.status, 'recipients', c.recipients, 'queued', c.queued, 'sent', c.sent,
    'skipped', c.skipped, 'unknown', c.unknown)`
  const campaignVersion = sql`concat_ws(' ', c.status, c.recipients, c.queued, c.sent, c.skipped, c.unknown, c.updated_at)`
  return sql<FeedRow[]>`
    select i.workspace_id as "workspaceId", changes.* from
      unnest(${ranges.map(one => one.workspaceId)}::uuid[], ${ranges.map(one => one.fromId)}::uuid[],
        ${ranges.map(one => one.from.toISOString())}::text[]::timestamptz[],
        ${ranges.map(one => one.problemsFromId)}::uuid[]) as i(workspace_id, from_id, from_at, problems_from_id)
    cross join lateral (
      (select 'event' as kind, e.id, '' as version, e.created_at as at, json_build_object('type', e.type, 'source', e.source,
          'customerId', e.customer_id, 'matchedWorkflows', e.matched_workflows, 'reason', e.reason) as data
        from events e where e.workspace_id = i.workspace_id and e.id >= i.from_id order by e.id desc limit ${maxRows})
      union all
      (select 'not_accepted', f.id, f.count::text, f.last_at, json_build_object('status', f.status, 'code', f.code, 'path', f.path,
          'count', f.count)
        from (
          select * from rejected_requests f where f.workspace_id = i.workspace_id and f.id >= i.problems_from_id order by f.id desc limit ${2 * maxRows}
        ) f where f.last_at >= i.from_at order by f.last_at desc limit ${maxRows})
      union all
      (select 'message', m.id, m.status || m.updated_at, m.updated_at, ${messageData}
        from messages m where m.workspace_id = i.workspace_id and m.id >= i.from_id order by m.id desc limit ${maxRows})
      union all
      (select 'message', m.id, m.status || m.updated_at, m.updated_at, ${messageData}
        from (${changesOf('message')}) n
        cross join lateral (
          select * from messages m where m.workspace_id = i.workspace_id and m.id = n.subject_id and probe_index(m.id)) m)
      union all
      (select 'conversation', c.id, c.updated_at::text, c.updated_at, ${conversationData}
        from conversations c where c.workspace_id = i.workspace_id and c.active_at >= i.from_at
        order by c.active_at desc, c.id desc limit ${maxRows})
      union all
      (select 'conversation', c.id, c.updated_at::text, c.updated_at, ${conversationData}
        from (${changesOf('conversation')}) n
        cross join lateral (
          select * from conversations c where c.workspace_id = i.workspace_id and c.id = n.subject_id and probe_index(c.id)) c)
      union all
      (select 'run', r.id, ${runVersion}, coalesce(r.ended_at, r.created_at), ${runData}
        from workflow_runs r where r.workspace_id = i.workspace_id and r.id >= i.from_id order by r.id desc limit ${maxRows})
      union all
      (select 'run', r.id, ${runVersion}, coalesce(r.ended_at, n.at), ${runData}
        from (${changesOf('run')}) n
        cross join lateral (
          select * from workflow_runs r where r.workspace_id = i.workspace_id and r.id = n.subject_id and probe_index(r.id)) r)
      union all
      (select 'outbound_event', o.id, '', o.created_at, json_build_object('type', o.type)
        from outbound_events o where o.workspace_id = i.workspace_id and o.id >= i.from_id order by o.id desc limit ${maxRows})
      union all
      (select 'delivery', d.id, d.status || ' ' || d.attempts, coalesce(d.last_attempt_at, d.created_at), ${deliveryData}
        from deliveries d where d.workspace_id = i.workspace_id and d.id >= i.from_id order by d.id desc limit ${maxRows})
      union all
      (select 'delivery', d.id, d.status || ' ' || d.attempts, n.at, ${deliveryData}
        from (${changesOf('delivery')}) n
        cross join lateral (
          select * from deliveries d where d.workspace_id = i.workspace_id and d.id = n.subject_id and probe_index(d.id)) d)
      union all
      (select 'campaign', c.id, ${campaignVersion}, c.updated_at, ${campaignData}
        from campaigns c where c.workspace_id = i.workspace_id and c.status in ('scheduled', 'running', 'paused') limit ${maxRows})
      union all
      (select 'campaign', c.id, ${campaignVersion}, c.updated_at, ${campaignData}
        from campaigns c where c.workspace_id = i.workspace_id and c.id >= i.from_id order by c.id desc limit ${maxRows})
      union all
      (select 'campaign', c.id, ${campaignVersion}, c.updated_at, ${campaignData}
        from (${changesOf('campaign')}) n
        cross join lateral (
          select * from campaigns c where c.workspace_id = i.workspace_id and c.id = n.subject_id and probe_index(c.id)) c)
      union all
      (select 'attention', w.id, affected.version, affected.at, json_build_object('kind', 'endpoint_failing',
          'subject', json_build_object('type', 'webhook', 'id', w.id), 'over', affected.version = 'over')
        from webhooks w
        left join webhook_health h on h.workspace_id = i.workspace_id and h.webhook_id = w.id
        cross join lateral (
          select case when not w.enabled then 'over' when w.held_by = 'service' then 'held'
              when w.held_at is null and h.failing_since is not null then 'failing' else 'over' end as version,
            coalesce(case when w.held_by = 'service' then w.held_at end, h.failing_since, h.healthy_since, w.created_at) as at
        ) affected
        where w.workspace_id = i.workspace_id and w.deleted_at is null limit ${maxRows})
      union all
      (select 'attention', c.id, case c.status when 'failing' then 'failing' else 'over' end, c.updated_at,
          json_build_object('kind', 'channel_failing', 'subject', json_build_object('type', 'channel', 'id', c.id),
            'over', c.status <> 'failing')
        from channels c where c.workspace_id = i.workspace_id and c.status <> 'disconnected' limit ${maxRows})
    ) changes`
}

const isoFormat = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
