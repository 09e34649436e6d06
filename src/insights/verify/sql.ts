/**
 * Statements that compare the records of a workspace with each other. Each reads one page in the order of ids, and looks
 * up what belongs to its rows. Run all of them in one snapshot.
 */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { skippedDelivery } from '../../webhooks/deliveries/index.ts'

/** A page of rows to check: those of a workspace with ids after `after`. */
export interface CheckPage {
  workspaceId: string
  after: string
  limit: number
}

/** Result of a page. */
export interface CheckedPage {
  /** Id of the last row. Null at the end. */
  last: string | null
  rows: number
  differences: number
  /** The first differences of the page. */
  found: { id: string; problem: string }[]
  /** Numbers of rows for the comparison with counters. */
  counts: Record<string, number> | null
}

/** Maximum number of differences that a page returns in full. */
const maxFound = 20

/** The end of each statement. `page` has the column id, and `checked` has id and problem (null without a difference). */
const result = (sql: Sql, counts: Fragment = sql`null::json`): Fragment => sql`
  select (select id from page order by id desc limit 1) as last, (select count(*)::integer from page) as rows,
    (select count(*)::integer from checked where problem is not null) as differences,
    (select coalesce(json_agg(shown), '[]') from (
      select id, problem from checked where problem is not null order by id limit ${maxFound}) shown) as found,
    ${counts} as counts`

const firstRow = async (rows: PromiseLike<CheckedPage[]>): Promise<CheckedPage> => (await rows)[0]!

/**
 * Checks that each event has the verdicts that it reported: its runs, and the stored outcomes of the other workflows.
 * Retention removes runs before `runsFrom`. Counts the events that were recorded from `hour` and from `month` on, and
 * those that nothing handled.
 */
export const checkEvents = (
  sql: Sql,
  p: CheckPage & { runsFrom: string; hour: Date; month: Date },
): Promise<CheckedPage> =>
  firstRow(sql<CheckedPage[]>`
    with page as materialized (
      select e.id, e.matched_workflows, e.reason, e.awaited, e.created_at from events e
      where e.workspace_id = ${p.workspaceId} and e.id > ${p.after} order by e.id limit ${p.limit}
    ), related as materialized (
      select page.*,
        (select count(*) from workflow_runs r where r.workspace_id = ${p.workspaceId} and r.event_id = page.id) as runs,
        (select count(*) filter (where o.verdict = 'not_run_for_customer') from event_outcomes o
          where o.workspace_id = ${p.workspaceId} and o.event_id = page.id) as refused,
        (select count(*) filter (where o.verdict = page.reason) from event_outcomes o
          where o.workspace_id = ${p.workspaceId} and o.event_id = page.id) as reasons
      from page
    ), checked as materialized (
      select id, case
        when id < ${p.runsFrom} then null
        when runs + refused <> matched_workflows then
          format('%s workflows matched, but %s runs and %s refusals are stored', matched_workflows, runs, refused)
        when reason <> 'no_listener' and reasons = 0 then format('the outcome %s is missing', reason)
      end as problem
      from related
    )
    ${result(
      sql,
      sql`(select json_build_object('events', count(*) filter (where created_at >= ${p.hour}),
        'unhandledEvents', count(*) filter (where created_at >= ${p.hour} and not awaited
          and reason in ('no_listener', 'switched_off', 'never_published')),
        'monthlyEvents', count(*) filter (where created_at >= ${p.month})) from page)`,
    )}`)

/**
 * Checks that each run has its event, its steps and a next execution or an end, and that an active run has its version.
 * Retention removes events before `eventsFrom`. Counts the runs that were started from `hour` on.
 */
export const checkRuns = (sql: Sql, p: CheckPage & { eventsFrom: string; hour: Date }): Promise<CheckedPage> =>
  firstRow(sql<CheckedPage[]>`
    with page as materialized (
      select r.id, r.workflow_id, r.version, r.event_id, r.status, r.wake_at, r.ended_at, r.steps_taken, r.created_at
      from workflow_runs r
      where r.workspace_id = ${p.workspaceId} and r.id > ${p.after} order by r.id limit ${p.limit}
    ), related as materialized (
      select page.*,
        exists (select from events e where e.workspace_id = ${p.workspaceId} and e.id = page.event_id offset 0) as has_event,
        exists (select from workflow_versions v where v.workspace_id = ${p.workspaceId} and v.workflow_id = page.workflow_id
          and v.version = page.version offset 0) as has_version,
        (select count(*) from workflow_run_steps s where s.workspace_id = ${p.workspaceId} and s.run_id = page.id) as steps
      from page
    ), checked as materialized (
      select id, case
        when not has_event and (status = 'active' or event_id >= ${p.eventsFrom}) then 'its event is missing'
        when steps <> steps_taken then format('%s steps were taken, but %s are stored', steps_taken, steps)
        when status = 'active' and not has_version then 'its version of the workflow is missing'
        when (status = 'active') <> (wake_at is not null) or (status = 'active') <> (ended_at is null) then
          format('its status %s contradicts its next execution or its end', status)
      end as problem
      from related
    )
    ${result(sql, sql`(select json_build_object('runs', count(*) filter (where created_at >= ${p.hour})) from page)`)}`)

/** Checks that each step that queued a message has it. Retention removes messages before `messagesFrom`. */
export const checkSteps = (
  sql: Sql,
  p: CheckPage & { position: number; messagesFrom: string },
): Promise<CheckedPage & { position: number }> =>
  firstRow(sql<CheckedPage[]>`
    with page as materialized (
      select s.run_id as id, s.position, s.outcome, s.at from workflow_run_steps s
      where s.workspace_id = ${p.workspaceId} and (s.run_id, s.position) > (${p.after}::uuid, ${p.position}::integer)
      order by s.run_id, s.position limit ${p.limit}
    ), checked as materialized (
      select id, format('the message of its step %s is missing', position) as problem from page
      where outcome = 'queued' and at >= uuid_extract_timestamp(${p.messagesFrom}::uuid) and not exists (
        select from messages m where m.workspace_id = ${p.workspaceId} and m.run_id = page.id
          and m.run_step = page.position offset 0)
    )
    ${result(sql)}, (select position from page order by id desc, position desc limit 1) as position`) as Promise<
    CheckedPage & { position: number }
  >

/**
 * Checks that each message has its conversation, and a time to send it or a stored status. Counts messages of each
 * direction and stored statuses that were recorded from `hour` on.
 */
export const checkMessages = (sql: Sql, p: CheckPage & { hour: Date }): Promise<CheckedPage> =>
  firstRow(sql<CheckedPage[]>`
    with page as materialized (
      select m.id, m.conversation_id, m.direction, m.status, m.due_at, m.created_at from messages m
      where m.workspace_id = ${p.workspaceId} and m.id > ${p.after} order by m.id limit ${p.limit}
    ), related as materialized (
      select page.*, statuses.*,
        exists (select from conversations c where c.workspace_id = ${p.workspaceId} and c.id = page.conversation_id offset 0)
          as has_conversation
      from page cross join lateral (
        select count(*) as statuses, count(*) filter (where s.status = page.status) as current,
          count(*) filter (where s.status = 'sent') as sent, count(*) filter (where s.status = 'delivered') as delivered,
          count(*) filter (where s.status = 'read') as read, count(*) filter (where s.status = 'failed') as failed,
          count(*) filter (where s.status = 'unknown') as unknown, count(*) filter (where s.status = 'skipped') as skipped
        from message_statuses s where s.workspace_id = ${p.workspaceId} and s.message_id = page.id
      ) statuses
    ), checked as materialized (
      select id, case
        when not has_conversation then 'its conversation is missing'
        when status = 'queued' and due_at is null then 'it is queued and has no time to send it'
        when status in ('sent', 'delivered', 'read', 'failed', 'unknown') and current = 0 then
          format('its status %s is not stored', status)
      end as problem
      from related
    )
    ${result(
      sql,
      sql`(select json_build_object(
        'queued', count(*) filter (where direction = 'outbound' and not (status = 'skipped' and statuses = 0)),
        'received', count(*) filter (where direction = 'inbound'), 'sent', sum(sent), 'delivered', sum(delivered),
        'read', sum(read), 'failed', sum(failed), 'unknown', sum(unknown),
        'skipped', sum(skipped) + count(*) filter (where direction = 'outbound' and status = 'skipped' and statuses = 0))
        from related where created_at >= ${p.hour})`,
    )}`)

/**
 * Checks that each outbound event that left the outbox has the deliveries that it names. Retention removes deliveries
 * before `deliveriesFrom`, whose ids begin like those of their events.
 */
export const checkOutboundEvents = (sql: Sql, p: CheckPage & { deliveriesFrom: string }): Promise<CheckedPage> =>
  firstRow(sql<CheckedPage[]>`
    with page as materialized (
      select e.id, e.sent_to from outbound_events e
      where e.workspace_id = ${p.workspaceId} and e.id > ${p.after} order by e.id limit ${p.limit}
    ), checked as materialized (
      select page.id, format('%s of its deliveries are missing', count(*)) as problem
      from page cross join lateral jsonb_each_text(page.sent_to) as sent(webhook_id, delivery_id)
      where page.id >= ${p.deliveriesFrom} and not exists (
        select from deliveries d where d.workspace_id = ${p.workspaceId} and d.id = sent.delivery_id::uuid
          and d.event_id = page.id and d.webhook_id = sent.webhook_id::uuid and probe_index(d.id) offset 0)
      group by page.id
    )
    ${result(sql)}`)

/**
 * Checks that each delivery has its event, its attempts, and a next attempt if one follows. Counts the attempts, and the
 * deliveries that succeeded or failed.
 *
 * A delivery fails with each attempt after which none is planned, and when it is skipped after a restore. A later attempt
 * by hand replaces the error of a skipped delivery: `possiblySkipped` counts such attempts.
 */
export const checkDeliveries = (sql: Sql, p: CheckPage): Promise<CheckedPage> =>
  firstRow(sql<CheckedPage[]>`
    with page as materialized (
      select d.id, d.event_id, d.status, d.attempts, d.due_at, d.error from deliveries d
      where d.workspace_id = ${p.workspaceId} and d.id > ${p.after} order by d.id limit ${p.limit}
    ), related as materialized (
      select page.*, made.*,
        exists (select from outbound_events e where e.workspace_id = ${p.workspaceId} and e.id = page.event_id
          and probe_index(e.id) offset 0) as has_event
      from page cross join lateral (
        select count(*) as stored, coalesce(max(a.number), 0) as newest,
          count(*) filter (where a.number >= a.planned and (a.status_code between 200 and 299) is not true) as failed,
          count(*) filter (where a.manual and a.number <= a.planned) as possibly_skipped
        from delivery_attempts a where a.workspace_id = ${p.workspaceId} and a.delivery_id = page.id
      ) made
    ), checked as materialized (
      select id, case
        when not has_event then 'its outbound event is missing'
        when stored <> attempts or newest <> attempts then
          format('%s attempts were made, but %s are stored', attempts, stored)
        when status in ('pending', 'retrying') and due_at is null then
          format('it is %s and has no next attempt', status)
      end as problem
      from related
    )
    ${result(
      sql,
      sql`(select json_build_object('attempts', sum(stored),
        'deliveredDeliveries', count(*) filter (where status = 'delivered'),
        'failedDeliveries', sum(failed) + count(*) filter (where error = ${skippedDelivery}),
        'possiblySkipped', sum(possibly_skipped)) from related)`,
    )}`)

/** Counters of a campaign, and the number of its recipients by outcome. */
interface CampaignCounts {
  queued: number
  sent: number
  skipped: number
  unknown: number
}

/** Numbers of skipped recipients by reason. */
type Reasons = Record<string, number>

/** Selects a page of campaigns with their counters. */
export const selectCampaignCounters = (sql: Sql, p: CheckPage) => sql<
  (CampaignCounts & { id: string; recipients: number; skippedBy: Reasons })[]
>`
  select id, recipients, queued, sent, skipped, unknown, skipped_by as "skippedBy" from campaigns
  where workspace_id = ${p.workspaceId} and id > ${p.after} order by id limit ${p.limit}`

/** Counts a page of recipients of a campaign, in the order of customers, and those whose queued message is missing. */
export const countRecipients = async (sql: Sql, p: CheckPage & { campaignId: string }) => {
  const [row] = await sql<[CampaignCounts & { last: string | null; rows: number; lost: number; skippedBy: Reasons }]>`
    with page as materialized (
      select r.customer_id, r.outcome, r.reason, r.message_id from campaign_recipients r
      where r.workspace_id = ${p.workspaceId} and r.campaign_id = ${p.campaignId} and r.customer_id > ${p.after}
      order by r.customer_id limit ${p.limit}
    )
    select (select customer_id from page order by customer_id desc limit 1) as last, count(*)::integer as rows,
      (count(*) filter (where outcome = 'queued'))::integer as queued,
      (count(*) filter (where outcome = 'sent'))::integer as sent,
      (count(*) filter (where outcome = 'skipped'))::integer as skipped,
      (count(*) filter (where outcome = 'unknown'))::integer as unknown,
      (count(*) filter (where outcome = 'queued' and not exists (
        select from messages m where m.workspace_id = ${p.workspaceId} and m.id = page.message_id and probe_index(m.id)
          offset 0)))::integer as lost,
      (select coalesce(json_object_agg(reason, skipped), '{}') from (
        select coalesce(reason, 'none') as reason, count(*) as skipped from page where outcome = 'skipped' group by 1
      ) reasons) as "skippedBy"
    from page`
  return row
}

/** First hours that a counter is compared for, and the first month. */
export interface CounterRange {
  workspaceId: string
  events: Date
  runs: Date
  messages: Date
  month: Date
}

/** Returns the sums of all counters: those of statistics, and the events of the months. */
export const sumCounters = async (sql: Sql, p: CounterRange): Promise<Record<string, number>> => {
  const [row] = await sql<[Record<string, number>]>`
    with counted as (
      select hour, events, runs_started, messages_queued, messages_received, messages_sent, messages_delivered,
        messages_read, messages_failed, messages_unknown, messages_skipped, attempts,
        unhandled, deliveries_delivered, deliveries_failed from hourly_stats
      where workspace_id = ${p.workspaceId}
      union all
      select hour, events, runs_started, messages_queued, messages_received, messages_sent, messages_delivered,
        messages_read, messages_failed, messages_unknown, messages_skipped, attempts,
        unhandled, deliveries_delivered, deliveries_failed from hourly_stat_changes
      where workspace_id = ${p.workspaceId}
      union all
      select hour, recorded - recorded_before, runs_started, 0, 0, 0, 0, 0, 0, 0, 0, 0, unhandled, 0, 0 from event_usage
      where workspace_id = ${p.workspaceId} and hour is not null
    )
    select coalesce(sum(events) filter (where hour >= ${p.events}), 0)::bigint as events,
      coalesce(sum(unhandled) filter (where hour >= ${p.events}), 0)::bigint as "unhandledEvents",
      coalesce(sum(runs_started) filter (where hour >= ${p.runs}), 0)::bigint as runs,
      coalesce(sum(messages_queued) filter (where hour >= ${p.messages}), 0)::bigint as queued,
      coalesce(sum(messages_received) filter (where hour >= ${p.messages}), 0)::bigint as received,
      coalesce(sum(messages_sent), 0)::bigint as sent, coalesce(sum(messages_delivered), 0)::bigint as delivered,
      coalesce(sum(messages_read), 0)::bigint as read, coalesce(sum(messages_failed), 0)::bigint as failed,
      coalesce(sum(messages_unknown), 0)::bigint as unknown, coalesce(sum(messages_skipped), 0)::bigint as skipped,
      coalesce(sum(attempts), 0)::bigint as attempts,
      coalesce(sum(deliveries_delivered), 0)::bigint as "deliveredDeliveries",
      coalesce(sum(deliveries_failed), 0)::bigint as "failedDeliveries",
      (select coalesce(sum(recorded), 0)::bigint from event_usage
        where workspace_id = ${p.workspaceId} and month >= (${p.month}::timestamptz at time zone 'utc')::date) as "monthlyEvents"
    from counted`
  return row
}

/** Numbers of records that the daily statistics of all groups have counted, and the hourly statistics of the same days. */
export interface GroupSums {
  name: string
  groups: number
  hours: number
}

/** Sums the statistics of the last 400 days by kind of group. They are kept for 401 days. A roll-up adds to both. */
export const sumGroups = (sql: Sql, workspaceId: string) => sql<GroupSums[]>`
  with hourly as materialized (
    select coalesce(sum(events), 0) as events, coalesce(sum(attempts), 0) as attempts,
      coalesce(sum(refused), 0) as refused,
      coalesce(sum(messages_queued + messages_received + messages_sent + messages_delivered + messages_read
        + messages_failed + messages_unknown + messages_skipped), 0) as messages
    from hourly_stats where workspace_id = ${workspaceId} and hour >= ${firstDay(sql)}
  )
  select kinds.name, kinds.hours::bigint as hours, (
      select coalesce(sum(g.total), 0)::bigint from group_stats g
      where g.workspace_id = ${workspaceId} and g.kind = kinds.kind and g.unit = 'day' and g.at >= ${firstDay(sql)}
    ) as groups
  from hourly cross join lateral (values ('type', 'eventsByType', events), ('channel', 'messagesByChannel', messages),
    ('webhook', 'attemptsByEndpoint', attempts), ('problem', 'refusedByError', refused)) as kinds(kind, name, hours)`

const firstDay = (sql: Sql): Fragment => sql`date_trunc('day', now() - interval '400 days', 'UTC')`
