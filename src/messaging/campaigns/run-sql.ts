/**
 * Queries of the campaign actor. Every write checks the `version` that was read, and writes nothing if the row
 * changed since. So if two actors run the same campaign after a lost lease, only one writes. Counters change in the
 * same statement as the recipients.
 */

import type { Condition } from '../../core/conditions/index.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type ActorKey, epoch, type PolledPage, selectDueActors } from '../../queue/queue.ts'
import { type Emitted, emit, emitEvents, emitResult } from '../../webhooks/emit/index.ts'
import type { ChannelKind } from '../channels/index.ts'
import { enqueueMessages, type NewMessage, withdrawMessages } from '../messages/index.ts'
import { recordOutcomes } from './outcomes.ts'
import type { CampaignStatus } from './schema.ts'

/** State of a campaign as its actor reads it. */
export interface CampaignState {
  workspaceId: string
  id: string
  status: CampaignStatus
  version: number
  due: boolean
  channelId: string
  templateId: string
  variables: Record<string, string>
  /** Condition of the audience; null if there is none or the audience is complete. */
  where: Condition | null
  /** Whether the audience lists customers by id; false once the audience is complete. */
  isNamed: boolean
  startedAt: Date | null
  audienceCursor: string | null
  filled: boolean
  queueCursor: string | null
  recipients: number
  queued: number
  /** Number of recipients that are sent, skipped or unknown. */
  ended: number
  channel: { kind: ChannelKind; connected: boolean } | null
}

export const findCampaignState = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<CampaignState[]>`
    select c.workspace_id as "workspaceId", c.id, c.status, c.version, coalesce(c.due_at <= now(), false) as due,
      c.channel_id as "channelId", c.template_id as "templateId", c.variables,
      case when c.filled_at is null then c.audience -> 'where' end as "where",
      c.filled_at is null and c.audience ? 'customerIds' as "isNamed", c.started_at as "startedAt",
      c.audience_cursor as "audienceCursor", c.filled_at is not null as filled, c.queue_cursor as "queueCursor", c.recipients, c.queued,
      c.sent + c.skipped + c.unknown as ended,
      (select json_build_object('kind', ch.kind, 'connected', ch.status <> 'disconnected') from channels ch
        where ch.workspace_id = c.workspace_id and ch.id = c.channel_id) as channel
    from campaigns c where c.workspace_id = ${workspaceId} and c.id = ${id}`
  return row ?? null
}

/** Returns the customer ids that a campaign lists. */
export const findNamed = async (sql: Sql, workspaceId: string, id: string): Promise<string[]> => {
  const [row] = await sql<{ ids: string[] }[]>`
    select audience -> 'customerIds' as ids from campaigns where workspace_id = ${workspaceId} and id = ${id}`
  return row?.ids ?? []
}

/** The campaign and the version to write. */
export type CampaignVersion = Pick<CampaignState, 'workspaceId' | 'id' | 'version'>

/** CTE `locked`: the locked campaign, if its version is unchanged and `open` is true. */
const lockUnchanged = (sql: Sql, { workspaceId, id, version }: CampaignVersion, open: Fragment) => sql`
  locked as materialized (
    select c.workspace_id, c.id, c.started_at, c.finished_at from campaigns c
    where c.workspace_id = ${workspaceId} and c.id = ${id} and c.version = ${version} and ${open}
    for no key update
  )`

/**
 * Updates the counters of `locked` from the recipients in `changed_recipients` (outcome, reason, was_queued). `assignments` sets
 * further columns.
 */
const updateCounters = (sql: Sql, assignments: Fragment) => sql`
  update campaigns c set version = c.version + 1, due_at = now(), ${assignments},
    queued = c.queued + n.queued - n.unqueued, sent = c.sent + n.sent, skipped = c.skipped + n.skipped,
    unknown = c.unknown + n.unknown,
    skipped_by = case when n.skipped = 0 then c.skipped_by else c.skipped_by || (
      select jsonb_object_agg(s.reason, s.count + coalesce((c.skipped_by ->> s.reason)::integer, 0))
      from (select reason, count(*)::integer as count from changed_recipients where outcome = 'skipped' group by reason) s) end
  from locked h, (
    select (count(*) filter (where outcome = 'queued'))::integer as queued,
      (count(*) filter (where was_queued))::integer as unqueued,
      (count(*) filter (where outcome = 'sent'))::integer as sent,
      (count(*) filter (where outcome = 'skipped'))::integer as skipped,
      (count(*) filter (where outcome = 'unknown'))::integer as unknown
    from changed_recipients
  ) n
  where c.workspace_id = h.workspace_id and c.id = h.id
  returning c.id`

/** Starts a scheduled campaign whose time has come. */
export const startScheduled = async (sql: Sql, { workspaceId, id, version }: CampaignVersion): Promise<boolean> => {
  const rows = await sql`
    update campaigns set status = 'running', started_at = now(), due_at = now(), version = version + 1, updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and version = ${version} and status = 'scheduled' and due_at <= now()
    returning id`
  return rows.length === 1
}

/** Adds recipients. `to` is the last customer checked; `isEnd` marks the audience as complete. */
export const addRecipients = async (
  sql: Sql,
  version: CampaignVersion,
  page: { ids: string[]; to: string; isEnd: boolean },
): Promise<boolean> => {
  const rows = await sql`
    with ${lockUnchanged(sql, version, sql`c.filled_at is null and c.status in ('running', 'paused')`)}, added as (
      insert into campaign_recipients (workspace_id, campaign_id, customer_id)
      select h.workspace_id, h.id, i.id from locked h cross join unnest(${page.ids}::uuid[]) as i(id)
      on conflict do nothing
      returning customer_id
    )
    update campaigns c set version = c.version + 1, due_at = now(), audience_cursor = ${page.to},
      filled_at = case when ${page.isEnd} then now() end,
      recipients = c.recipients + (select count(*)::integer from added)
    from locked h where c.workspace_id = h.workspace_id and c.id = h.id
    returning c.id`
  return rows.length === 1
}

/** A processed recipient: the message to queue, or the reason for skipping. */
export type PreparedRecipient =
  | { customerId: string; reason: string; message: null }
  | { customerId: string; reason: null; message: NewMessage }

/**
 * Queues messages and marks their recipients as queued or skipped, in one statement. So no message exists without its
 * mark. Customers erased since they were read are skipped. The id of the last recipient becomes the cursor of the next
 * page. Fails with 55P03 if another transaction holds an affected conversation.
 */
export const beginRecipients = async (
  sql: Sql,
  version: CampaignVersion,
  prepared: PreparedRecipient[],
): Promise<boolean> => {
  const input = prepared.map(({ customerId, reason }) => ({ customer_id: customerId, reason }))
  const messages = prepared.flatMap(({ message }) => message ?? [])
  const rows = await sql`
    with ${lockUnchanged(sql, version, sql`c.status = 'running'`)}, selected as materialized (
      select h.workspace_id, h.id as campaign_id, i.customer_id,
        case when c.erased_at is null then i.reason else 'no_address' end as reason
      from locked h
      cross join json_to_recordset(${JSON.stringify(input)}::text::json) as i(customer_id uuid, reason text)
      cross join lateral (
        select r.outcome from campaign_recipients r
        where r.workspace_id = h.workspace_id and r.campaign_id = h.id and r.customer_id = i.customer_id offset 0
      ) r
      cross join lateral (
        select erased_at from customers c where c.workspace_id = h.workspace_id and c.id = i.customer_id offset 0
      ) c
      where r.outcome = 'pending'
    ), ${enqueueMessages(
      sql,
      messages,
      sql`where m.customer_id in (select t.customer_id from selected t where t.reason is null)`,
    )}, message_ids as materialized (
      select jsonb_object_agg(customer_id, id) as ids from queued
    ), changed_recipients as (
      update campaign_recipients r set outcome = case when t.reason is null then 'queued' else 'skipped' end,
        reason = t.reason, message_id = ((select ids from message_ids) ->> t.customer_id::text)::uuid, at = now()
      from selected t
      where r.workspace_id = t.workspace_id and r.campaign_id = t.campaign_id and r.customer_id = t.customer_id
        and probe_index(r.customer_id)
      returning r.outcome, r.reason, false as was_queued
    ), ${recordOutcomes(sql)}
    ${updateCounters(sql, sql`queue_cursor = ${prepared.at(-1)!.customerId}`)}`
  return rows.length === 1
}

/** Skips up to `limit` pending recipients permanently, after a cancellation. Returns their number. */
export const skipPending = async (sql: Sql, version: CampaignVersion, limit: number): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    with ${lockUnchanged(sql, version, sql`c.status = 'cancelled'`)}, page as materialized (
      select r.workspace_id, r.campaign_id, r.customer_id from locked h cross join lateral (
        select * from campaign_recipients r
        where r.workspace_id = h.workspace_id and r.campaign_id = h.id and r.outcome = 'pending'
        order by r.customer_id limit ${limit}
      ) r
    ), changed_recipients as (
      update campaign_recipients r set outcome = 'skipped', reason = 'cancelled', at = now()
      from page p
      where r.workspace_id = p.workspace_id and r.campaign_id = p.campaign_id and r.customer_id = p.customer_id
        and probe_index(r.customer_id)
      returning r.outcome, r.reason, false as was_queued
    ), ${recordOutcomes(sql)}, updated as (
      ${updateCounters(sql, sql`filled_at = coalesce(c.filled_at, now())`)}
    )
    select count(*)::integer as count from changed_recipients`
  return row.count
}

/**
 * Skips messages that are queued on the channel and have not been sent. `collectOutcomes` records the result. Returns
 * the number of messages.
 */
export const withdrawQueued = async (sql: Sql, version: CampaignVersion, limit: number): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    with ${lockUnchanged(sql, version, sql`c.status = 'cancelled'`)}, ${withdrawMessages(
      sql,
      sql`
      select r.workspace_id, r.message_id from locked h cross join lateral (
        select * from campaign_recipients r
        where r.workspace_id = h.workspace_id and r.campaign_id = h.id and r.outcome = 'queued'
        order by r.customer_id limit ${limit}
      ) r`,
      'cancelled: The campaign was cancelled.',
    )}
    select count(*)::integer as count from withdrawn`
  return row!.count
}

/**
 * Records the results of queued messages, for the first `limit` recipients. A message that failed after the provider
 * accepted it counts as sent; one the provider rejected counts as skipped. The reason of a skipped message is the code
 * at the start of its detail. Returns the number of recipients updated, or null if the version has changed.
 */
export const collectOutcomes = async (sql: Sql, version: CampaignVersion, limit: number): Promise<number | null> => {
  const [row] = await sql<{ moved: number; written: boolean }[]>`
    with ${lockUnchanged(sql, version, sql`true`)}, outstanding as materialized (
      select r.workspace_id, r.campaign_id, r.customer_id, r.message_id from locked h cross join lateral (
        select * from campaign_recipients r
        where r.workspace_id = h.workspace_id and r.campaign_id = h.id and r.outcome = 'queued'
        order by r.customer_id limit ${limit}
      ) r
    ), settled as materialized (
      select o.workspace_id, o.campaign_id, o.customer_id,
        case m.status when 'unknown' then 'unknown' when 'skipped' then 'skipped'
          when 'failed' then case when m.provider_message_id is null then 'skipped' else 'sent' end
          else 'sent' end as outcome,
        case m.status when 'skipped' then
            case when m.detail = 'The customer was erased.' then 'no_address'
              else coalesce(substring(m.detail from '^([a-z][a-z_]{0,39}):'), 'refused') end
          when 'failed' then case when m.provider_message_id is null then 'refused' end end as reason
      from outstanding o
      cross join lateral (
        select m.status, m.detail, m.provider_message_id from messages m
        where m.workspace_id = o.workspace_id and m.id = o.message_id and probe_index(m.id) offset 0
      ) m
      where m.status <> 'queued'
    ), changed_recipients as (
      update campaign_recipients r set outcome = s.outcome, reason = s.reason, at = now()
      from settled s
      where r.workspace_id = s.workspace_id and r.campaign_id = s.campaign_id and r.customer_id = s.customer_id
        and probe_index(r.customer_id)
      returning r.outcome, r.reason, true as was_queued
    ), ${recordOutcomes(sql)}, updated as (
      ${updateCounters(sql, sql`filled_at = c.filled_at`)}
    )
    select (select count(*)::integer from changed_recipients) as moved, exists (select from updated) as written`
  return row!.written ? row!.moved : null
}

/** Completes a campaign whose recipients are all settled, and emits `campaign.completed` once. */
export const completeCampaign = async (sql: Sql, { workspaceId, id, version }: CampaignVersion): Promise<boolean> => {
  const statement = sql<{ id: string; emitted: Emitted | null }[]>`
    with completed as (
      update campaigns set status = 'completed', finished_at = now(), due_at = null, version = version + 1, updated_at = now()
      where workspace_id = ${workspaceId} and id = ${id} and version = ${version} and status = 'running'
        and filled_at is not null and queued = 0 and sent + skipped + unknown = recipients
      returning *
    ), ${emitEvents(sql, 'campaign.completed', {
      rows: sql`completed`,
      workspaceId: sql`workspace_id`,
      data: {
        campaignId: sql`id`,
        name: sql`name`,
        sent: sql`sent`,
        skipped: sql`skipped`,
        unknown: sql`unknown`,
      },
    })}
    select id, ${emitResult(sql)} as emitted from completed`
  return (await emit(sql, statement)).length === 1
}

/** Sets the next execution in `ms` milliseconds. Null waits until the campaign changes. */
export const setNextExecution = (sql: Sql, { workspaceId, id, version }: CampaignVersion, ms: number | null) => sql`
  update campaigns set due_at = now() + ${ms}::double precision * interval '1 millisecond'
  where workspace_id = ${workspaceId} and id = ${id} and version = ${version}`

/** Returns the milliseconds until the campaign is due, negative if overdue, or null if it is not scheduled to run. */
export const findCampaignDue = async (sql: Sql, workspaceId: string, id: string): Promise<number | null> => {
  const [row] = await sql<{ inMs: number }[]>`
    select (extract(epoch from due_at - clock_timestamp()) * 1000)::double precision as "inMs" from campaigns
    where workspace_id = ${workspaceId} and id = ${id} and due_at is not null`
  return row?.inMs ?? null
}

/** Returns a page of up to `limit` campaigns that are due, with due times from `from` on. */
export const findDueCampaigns = async (sql: Sql, after: ActorKey, limit: number, from = epoch): Promise<PolledPage> => {
  const page = { after, limit, from }
  const [row] = await sql<PolledPage[]>`
    ${selectDueActors(sql, { rows: sql`campaigns`, actorId: sql`id`, runnable: sql`select true` }, page)}`
  return row!
}
