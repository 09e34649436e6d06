import type { Sql } from '../../db/client.ts'
import type { Condition } from '../conditions/index.ts'
import { lockWorkspace } from '../locks.ts'
import type { PageRequest } from '../pagination.ts'

export interface WebhookRow {
  id: string
  name: string | null
  url: string
  description: string | null
  events: string[]
  enabled: boolean
  metadata: Record<string, string>
  headers: string[]
  ratePerSecond: number | null
  filter: Condition | null
  heldAt: Date | null
  heldBy: 'owner' | 'service' | null
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: Sql) =>
  sql`id, name, url, description, events, enabled, metadata, header_names as headers, rate_per_second as "ratePerSecond",
    filter, held_at as "heldAt", held_by as "heldBy", created_at as "createdAt", updated_at as "updatedAt"`

/** Holds back every other change to the workspace's endpoints until the transaction ends, then counts them. */
export const lockAndCountWebhooks = async (tx: Sql, workspaceId: string): Promise<number> => {
  await lockWorkspace(tx, workspaceId)
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from webhooks where workspace_id = ${workspaceId} and deleted_at is null`
  return row!.count
}

/** What an owner says of an endpoint; undefined = not said. */
export interface WebhookSaid {
  name?: string | null | undefined
  description?: string | null | undefined
  metadata?: Record<string, string> | undefined
  headers?: { names: string[]; sealed: Buffer | null } | undefined
  ratePerSecond?: number | null | undefined
  filter?: Condition | null | undefined
}

export const insertWebhook = async (
  sql: Sql,
  p: { workspaceId: string; id: string; url: string; events: string[]; secret: string } & WebhookSaid,
) => {
  const { names, sealed } = p.headers ?? { names: [], sealed: null }
  const [row] = await sql<WebhookRow[]>`
    insert into webhooks (workspace_id, id, url, description, events, secret, name, metadata, header_names, headers,
      rate_per_second, filter)
    values (${p.workspaceId}, ${p.id}, ${p.url}, ${p.description ?? null}, ${p.events}, ${p.secret}, ${p.name ?? null},
      ${JSON.stringify(p.metadata ?? {})}::text::jsonb, ${names}, ${sealed}, ${p.ratePerSecond ?? null},
      ${jsonOrNull(p.filter)}::text::jsonb)
    returning ${columns(sql)}`
  return row!
}

const jsonOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value)

export const selectWebhooks = (sql: Sql, workspaceId: string, page: PageRequest) => sql<WebhookRow[]>`
  select ${columns(sql)} from webhooks
  where workspace_id = ${workspaceId} and deleted_at is null ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`

export const findWebhook = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WebhookRow[]>`
    select ${columns(sql)} from webhooks where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`
  return row ?? null
}

/** Changes what is said. `begins`: it is switched on, and was not, or has another address than before. */
export const updateWebhook = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    url?: string | undefined
    events?: string[] | undefined
    enabled?: boolean | undefined
  } & WebhookSaid,
) => {
  const { enabled = null, headers } = p
  const [row] = await sql<(WebhookRow & { begins: boolean })[]>`
    update webhooks set
      url = coalesce(${p.url ?? null}, url),
      events = coalesce(${p.events ?? null}::text[], events),
      enabled = coalesce(${enabled}::boolean, enabled),
      off_since = case when coalesce(${enabled}::boolean, enabled) = enabled then off_since when enabled then now() end,
      name = case when ${p.name !== undefined} then ${p.name ?? null} else name end,
      description = case when ${p.description !== undefined} then ${p.description ?? null} else description end,
      metadata = coalesce(${jsonOrNull(p.metadata)}::text::jsonb, metadata),
      header_names = coalesce(${headers?.names ?? null}::text[], header_names),
      headers = case when ${headers !== undefined} then ${headers?.sealed ?? null} else headers end,
      rate_per_second = case when ${p.ratePerSecond !== undefined} then ${p.ratePerSecond ?? null} else rate_per_second end,
      filter = case when ${p.filter !== undefined} then ${jsonOrNull(p.filter)}::text::jsonb else filter end,
      updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and deleted_at is null
    returning ${columns(sql)}, new.url <> old.url or (new.enabled and not old.enabled) as begins`
  return row ?? null
}

/** Its deliveries wait from now on; null where they do already, or there is no such endpoint. */
export const markHeld = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set held_at = now(), held_by = 'owner'
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null and held_at is null
    returning ${columns(sql)}`
  return row ?? null
}

/** Its deliveries wait no longer; null where they did not, or there is no such endpoint. */
export const markReleased = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set held_at = null, held_by = null
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null and held_at is not null
    returning ${columns(sql)}`
  return row ?? null
}

/** The secret that was in force goes on signing beside the new one until `now + overlapHours`. */
export const rotateSecret = async (
  sql: Sql,
  p: { workspaceId: string; id: string; secret: string; overlapHours: number },
) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set previous_secret = secret, previous_secret_until = now() + make_interval(hours => ${p.overlapHours}),
      secret = ${p.secret}, updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and deleted_at is null
    returning ${columns(sql)}`
  return row ?? null
}

/** Hides the endpoint, and with it what was still to be delivered to it: no attempt begins any more. */
export const markWebhookDeleted = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const rows = await sql`
    update webhooks set deleted_at = now(), updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null returning id`
  return rows.length === 1
}

export interface EndpointRow {
  url: string
  secret: string
  /** Null once its time is over. */
  previousSecret: string | null
  /** The owner's own, sealed, as base64; null where there are none. */
  headers: string | null
}

/** An endpoint that attempts are made for. */
export interface LivingEndpoint extends EndpointRow {
  /** Null = as many as it bears. */
  ratePerSecond: number | null
  /** Its last attempt failed, as far as was written down. */
  failing: boolean
}

/** Whether attempts are made for an endpoint `w`: neither switched off nor held, nor removed. */
export const isLiving = (sql: Sql) => sql`w.enabled and w.held_at is null and w.deleted_at is null`

/** What an attempt needs of the endpoint; null when none is to be made. */
export const findLivingEndpoint = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<LivingEndpoint[]>`
    select w.url, w.secret, case when w.previous_secret_until > now() then w.previous_secret end as "previousSecret",
      encode(w.headers, 'base64') as headers, w.rate_per_second as "ratePerSecond",
      (select h.failing_since is not null from webhook_health h
        where h.workspace_id = w.workspace_id and h.webhook_id = w.id) is true as failing
    from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and ${isLiving(sql)}`
  return row ?? null
}

/** What the workspace's endpoints sign with, to find out for which of them something was signed. */
export const listSecrets = (sql: Sql, workspaceId: string) => sql<
  { id: string; url: string; secret: string; previousSecret: string | null }[]
>`
  select id, url, secret, previous_secret as "previousSecret"
  from webhooks where workspace_id = ${workspaceId} and deleted_at is null order by id`
