import type { Sql } from '../../db/client.ts'
import { lockWorkspace } from '../locks.ts'
import type { PageRequest } from '../pagination.ts'

export interface WebhookRow {
  id: string
  url: string
  description: string | null
  events: string[]
  enabled: boolean
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: Sql) =>
  sql`id, url, description, events, enabled, created_at as "createdAt", updated_at as "updatedAt"`

/** Holds back every other change to the workspace's endpoints until the transaction ends, then counts them. */
export const lockAndCountWebhooks = async (tx: Sql, workspaceId: string): Promise<number> => {
  await lockWorkspace(tx, workspaceId)
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from webhooks where workspace_id = ${workspaceId} and deleted_at is null`
  return row!.count
}

export const insertWebhook = async (
  sql: Sql,
  p: { workspaceId: string; url: string; description: string | null; events: string[]; secret: string },
) => {
  const [row] = await sql<WebhookRow[]>`
    insert into webhooks (workspace_id, url, description, events, secret)
    values (${p.workspaceId}, ${p.url}, ${p.description}, ${p.events}, ${p.secret})
    returning ${columns(sql)}`
  return row!
}

export const selectWebhooks = (sql: Sql, workspaceId: string, page: PageRequest) => sql<WebhookRow[]>`
  select ${columns(sql)} from webhooks
  where workspace_id = ${workspaceId} and deleted_at is null ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`

export const findWebhook = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WebhookRow[]>`
    select ${columns(sql)} from webhooks where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`
  return row ?? null
}

/** Changes what is not null; a description is cleared by `clearDescription`. */
export const updateWebhook = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    url: string | null
    description: string | null
    clearDescription: boolean
    events: string[] | null
    enabled: boolean | null
  },
) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set
      url = coalesce(${p.url}, url),
      description = case when ${p.clearDescription} then null else coalesce(${p.description}, description) end,
      events = coalesce(${p.events}::text[], events),
      enabled = coalesce(${p.enabled}, enabled),
      updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and deleted_at is null
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
}

/** What an attempt needs of the endpoint; null when it is switched off or gone. */
export const findLivingEndpoint = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<EndpointRow[]>`
    select url, secret, case when previous_secret_until > now() then previous_secret end as "previousSecret"
    from webhooks where workspace_id = ${workspaceId} and id = ${webhookId} and enabled and deleted_at is null`
  return row ?? null
}

/** What the workspace's endpoints sign with, to find out for which of them something was signed. */
export const listSecrets = (sql: Sql, workspaceId: string) => sql<
  { id: string; url: string; secret: string; previousSecret: string | null }[]
>`
  select id, url, secret, previous_secret as "previousSecret"
  from webhooks where workspace_id = ${workspaceId} and deleted_at is null order by id`
