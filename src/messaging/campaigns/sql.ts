/** Queries for managing campaigns. Those of the actor are in run-sql.ts. */

import { type DiffersColumn, differsColumn } from '../../core/changed-fields.ts'
import { lockWorkspace } from '../../core/locks.ts'
import {
  direction,
  isInRange,
  isOnPage,
  type PageRequest,
  type SizedRow,
  withinPageBytes,
} from '../../core/pagination.ts'
import { hasWords } from '../../core/word-search.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { ChannelKind } from '../channels/index.ts'
import type { Audience, CampaignStatus, Outcome, Recipient } from './schema.ts'

export interface CampaignRow {
  id: string
  name: string
  channelId: string
  templateId: string
  /** JSON. */
  variablesText: string
  /** JSON. It can list thousands of customers. */
  audienceText: string
  status: CampaignStatus
  recipients: number
  sent: number
  skipped: number
  unknown: number
  skippedBy: Record<string, number>
  scheduledAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: Sql) => sql`
  id, name, channel_id as "channelId", template_id as "templateId", variables::text as "variablesText",
  audience::text as "audienceText", status, recipients, sent, skipped, unknown, skipped_by as "skippedBy",
  scheduled_at as "scheduledAt", started_at as "startedAt", finished_at as "finishedAt", created_at as "createdAt",
  updated_at as "updatedAt"`

interface Content {
  workspaceId: string
  name: string
  channelId: string
  templateId: string
  variables: Record<string, string>
  audience: Audience
}

export const insertCampaign = async (sql: Sql, p: Content) => {
  const [row] = await sql<CampaignRow[]>`
    insert into campaigns (workspace_id, name, channel_id, template_id, variables, audience)
    values (${p.workspaceId}, ${p.name}, ${p.channelId}, ${p.templateId}, ${JSON.stringify(p.variables)}::text::jsonb,
      ${JSON.stringify(p.audience)}::text::jsonb)
    returning ${columns(sql)}`
  return row!
}

export interface CampaignFilter {
  workspaceId: string
  /** Part of the name. Null selects all. */
  text: string | null
  status: CampaignStatus | null
}

/** Selects a page of the workspace's campaigns, of which there are at most 10,000. */
export const selectCampaigns = (sql: Sql, { workspaceId, text, status }: CampaignFilter, page: PageRequest) =>
  sql<(CampaignRow & SizedRow)[]>`${withinPageBytes(
    sql,
    page,
    sql`
    select ${columns(sql)}, octet_length(audience::text) + octet_length(variables::text) as bytes from campaigns
    where workspace_id = ${workspaceId} ${text === null ? sql`` : sql`and ${hasWords(sql, sql`name`, text)}`}
      ${status === null ? sql`` : sql`and status = ${status}`}
      ${isOnPage(sql, page, sql`id`)} ${isInRange(sql, page, sql`id`, sql`created_at`)}
    order by id ${direction(sql, page)} limit ${page.limit + 1}`,
  )}`

export const findCampaign = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<CampaignRow[]>`
    select ${columns(sql)} from campaigns where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/** Locks the campaign until the transaction ends and returns it. */
export const lockCampaign = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<CampaignRow[]>`
    select ${columns(tx)} from campaigns where workspace_id = ${workspaceId} and id = ${id} for no key update`
  return row ?? null
}

/** Updates a campaign. Null fields stay unchanged. */
export const updateCampaign = async (
  sql: Sql,
  p: { [Name in keyof Omit<Content, 'workspaceId'>]: Content[Name] | null } & { workspaceId: string; id: string },
) => {
  const [row] = await sql<(CampaignRow & DiffersColumn)[]>`
    update campaigns set name = coalesce(${p.name}, name), channel_id = coalesce(${p.channelId}, channel_id),
      template_id = coalesce(${p.templateId}, template_id),
      variables = coalesce(${p.variables && JSON.stringify(p.variables)}::text::jsonb, variables),
      audience = coalesce(${p.audience && JSON.stringify(p.audience)}::text::jsonb, audience),
      version = version + 1, updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where workspace_id = ${p.workspaceId} and id = ${p.id}
    returning ${columns(sql)}, ${differsColumn(sql)}`
  return row!
}

/** Deletes a campaign that was never started. It has no recipients. */
export const deleteCampaign = (sql: Sql, workspaceId: string, id: string) =>
  sql`delete from campaigns where workspace_id = ${workspaceId} and id = ${id} and status in ('draft', 'scheduled')`

/** Returns the ended campaign that was created first, if the workspace has more than `threshold` campaigns. */
export const findOldestEnded = async (sql: Sql, workspaceId: string, threshold = 0): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    select id from campaigns
    where workspace_id = ${workspaceId} and status in ('completed', 'cancelled') and due_at is null
      and exists (select from campaigns m where m.workspace_id = ${workspaceId} offset ${threshold} limit 1)
    order by id limit 1`
  return row?.id ?? null
}

/**
 * Deletes at most `limit` recipients of an ended campaign. A join with the page would compare each of its rows with each
 * recipient while the statistics of the table are old.
 */
export const deleteRecipients = (sql: Sql, workspaceId: string, campaignId: string, limit: number) => sql`
  delete from campaign_recipients
  where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and customer_id = any (array(
    select r.customer_id from campaign_recipients r
    where r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId} and exists (
      select from campaigns c
      where c.workspace_id = ${workspaceId} and c.id = ${campaignId} and c.status in ('completed', 'cancelled')
        and c.due_at is null)
    order by r.customer_id limit ${limit}))`

/** Deletes a campaign that has ended and has no recipients left. Returns whether it did. */
export const deleteEnded = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const { count } = await sql`
    with deleted as (
      delete from campaigns
      where workspace_id = ${workspaceId} and id = ${id} and status in ('completed', 'cancelled') and due_at is null
        and not exists (select from campaign_recipients r where r.workspace_id = ${workspaceId} and r.campaign_id = ${id})
      returning id
    ), deleted_outcomes as (
      delete from campaign_outcomes
      where workspace_id = ${workspaceId} and campaign_id = ${id} and exists (select from deleted)
    )
    select from deleted`
  return count > 0
}

/** Locks the workspace until the transaction ends. Returns how many campaigns it has, and how many have not ended. */
export const lockAndCountCampaigns = async (tx: Sql, workspaceId: string) => {
  await lockWorkspace(tx, workspaceId)
  const [row] = await tx<{ open: number; all: number }[]>`
    select count(*) filter (where status not in ('completed', 'cancelled'))::integer as open, count(*)::integer as all
    from campaigns where workspace_id = ${workspaceId}`
  return row!
}

/** Starts a campaign, now or at a later time. `dueInMs` is the number of milliseconds until its actor must run. */
export const startCampaignAt = async (sql: Sql, p: { workspaceId: string; id: string; at: string | null }) => {
  const [row] = await sql<(CampaignRow & { dueInMs: number })[]>`
    update campaigns set status = case when later.at is null then 'running' else 'scheduled' end,
      scheduled_at = later.at, started_at = case when later.at is null then now() end,
      due_at = coalesce(later.at, now()), version = version + 1,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    from (select case when ${p.at}::timestamptz > now() then ${p.at}::timestamptz end as at) later
    where workspace_id = ${p.workspaceId} and id = ${p.id} and status in ('draft', 'scheduled')
    returning ${columns(sql)}, (extract(epoch from due_at - now()) * 1000)::double precision as "dueInMs"`
  return row!
}

/** Changes the status and makes the campaign due. Returns null if it is missing or its status is not in `from`. */
export const updateCampaignStatus = async (
  sql: Sql,
  p: { workspaceId: string; id: string; from: readonly CampaignStatus[]; to: CampaignStatus },
) => {
  const [row] = await sql<CampaignRow[]>`
    update campaigns set status = ${p.to}, finished_at = case when ${p.to} = 'cancelled' then now() end, due_at = now(),
      version = version + 1, updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where workspace_id = ${p.workspaceId} and id = ${p.id} and status = any(${[...p.from]}::text[])
    returning ${columns(sql)}`
  return row ?? null
}

/** Returns the kind, name and state of a campaign's channel. */
export const findChannelOf = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<{ kind: ChannelKind; name: string; connected: boolean }[]>`
    select kind, name, status <> 'disconnected' as connected from channels
    where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/** Returns the positions of those `ids` that are not customers of the workspace, at most `limit`. */
export const findUnknownCustomers = async (sql: Sql, workspaceId: string, ids: string[], limit: number) => {
  const rows = await sql<{ position: number }[]>`
    select (i.position - 1)::integer as position from unnest(${ids}::uuid[]) with ordinality as i(id, position)
    left join lateral (
      select true as known from customers c
      where c.workspace_id = ${workspaceId} and c.id = i.id and c.erased_at is null offset 0
    ) c on true
    where c.known is null order by i.position limit ${limit}`
  return rows.map(({ position }) => position)
}

export interface RecipientRow extends Omit<Recipient, 'customerId' | 'at'> {
  /** Id of the customer. */
  id: string
  at: Date
}

/** Selects a page of recipients, newest customers first. */
export const selectRecipients = (
  sql: Sql,
  p: { workspaceId: string; campaignId: string; outcome: Outcome | null; customerId: string | null },
  page: PageRequest,
) => sql<RecipientRow[]>`
  select r.customer_id as id, r.outcome, r.reason, r.message_id as "messageId", m.status as "messageStatus", r.at
  from (
    select * from campaign_recipients
    where workspace_id = ${p.workspaceId} and campaign_id = ${p.campaignId}
      ${p.outcome === null ? sql`` : sql`and outcome = ${p.outcome}`}
      ${p.customerId === null ? sql`` : sql`and customer_id = ${p.customerId}`}
      ${page.before === null ? sql`` : sql`and customer_id < ${page.before}`}
    order by customer_id desc limit ${page.limit + 1}
  ) r
  left join lateral (
    select m.status from messages m where m.workspace_id = ${p.workspaceId} and m.id = r.message_id offset 0
  ) m on true
  order by r.customer_id desc`

/** Maximum number of campaigns named in a response. */
const maxUsers = 20

/** Selects campaigns that use a template and are scheduled, running or paused, oldest first. */
export const campaignsUsingTemplate = (sql: Sql, workspaceId: string, templateId: string) => sql<
  { id: string; name: string }[]
>`
  select id, name from campaigns
  where workspace_id = ${workspaceId} and template_id = ${templateId} and status in ('scheduled', 'running', 'paused')
  order by id limit ${maxUsers}`
