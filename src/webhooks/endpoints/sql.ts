import { type DiffersColumn, differsColumn } from '../../core/changed-fields.ts'
import type { Condition } from '../../core/conditions/index.ts'
import { lockWorkspace } from '../../core/locks.ts'
import type { PageRequest } from '../../core/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { draftEvents, insertIntoOutbox } from '../outbound-events/index.ts'

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
  maxConcurrency: number | null
  filter: Condition | null
  heldAt: Date | null
  heldBy: 'owner' | 'service' | null
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: Sql) =>
  sql`id, name, url, description, events, enabled, metadata, header_names as headers, rate_per_second as "ratePerSecond",
    max_concurrency as "maxConcurrency", filter, held_at as "heldAt", held_by as "heldBy", created_at as "createdAt", updated_at as "updatedAt"`

/** Locks the workspace's endpoints against other changes until the transaction ends, then counts them. */
export const lockAndCountWebhooks = async (tx: Sql, workspaceId: string): Promise<number> => {
  await lockWorkspace(tx, workspaceId)
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from webhooks where workspace_id = ${workspaceId} and deleted_at is null`
  return row!.count
}

/** Settings of an endpoint. Undefined fields are not changed. */
export interface WebhookPatch {
  name?: string | null | undefined
  description?: string | null | undefined
  metadata?: Record<string, string> | undefined
  headers?: { names: string[]; encrypted: Buffer | null } | undefined
  ratePerSecond?: number | null | undefined
  maxConcurrency?: number | null | undefined
  filter?: Condition | null | undefined
}

/** A secret as stored: encrypted for its endpoint or in plain text, and its SHA-256 in hex. */
export interface StoredSecret {
  bytes: Buffer
  hash: string
}

export const insertWebhook = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    url: string
    events: string[]
    enabled: boolean
    secret: StoredSecret
  } & WebhookPatch,
) => {
  const { names, encrypted } = p.headers ?? { names: [], encrypted: null }
  const [row] = await sql<WebhookRow[]>`
    insert into webhooks (workspace_id, id, url, description, events, enabled, disabled_at, secret, secret_hash, name, metadata, header_names,
      headers, rate_per_second, max_concurrency, filter)
    values (${p.workspaceId}, ${p.id}, ${p.url}, ${p.description ?? null}, ${p.events}, ${p.enabled}::boolean,
      case when not ${p.enabled}::boolean then now() end, ${p.secret.bytes},
      decode(${p.secret.hash}, 'hex'), ${p.name ?? null},
      ${JSON.stringify(p.metadata ?? {})}::text::jsonb, ${names}, ${encrypted}, ${p.ratePerSecond ?? null},
      ${p.maxConcurrency ?? null}, ${jsonOrNull(p.filter)}::text::jsonb)
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

/**
 * Locks an endpoint until the transaction ends and returns the time of its latest change. Returns null if it does not
 * exist.
 */
export const lockWebhook = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<{ updatedAt: Date }[]>`
    select updated_at as "updatedAt" from webhooks
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null for no key update`
  return row ?? null
}

/**
 * Changes the given settings. `begins`: the endpoint was disabled and is now enabled. `hasNewUrl`: the URL changed.
 */
export const updateWebhook = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    url?: string | undefined
    events?: string[] | undefined
    enabled?: boolean | undefined
  } & WebhookPatch,
) => {
  const { enabled = null, headers } = p
  const [row] = await sql<(WebhookRow & DiffersColumn & { begins: boolean; hasNewUrl: boolean })[]>`
    update webhooks set
      url = coalesce(${p.url ?? null}, url),
      events = coalesce(${p.events ?? null}::text[], events),
      enabled = coalesce(${enabled}::boolean, enabled),
      disabled_at = case when coalesce(${enabled}::boolean, enabled) = enabled then disabled_at when enabled then now() end,
      name = case when ${p.name !== undefined} then ${p.name ?? null} else name end,
      description = case when ${p.description !== undefined} then ${p.description ?? null} else description end,
      metadata = coalesce(${jsonOrNull(p.metadata)}::text::jsonb, metadata),
      header_names = coalesce(${headers?.names ?? null}::text[], header_names),
      headers = case when ${headers !== undefined} then ${headers?.encrypted ?? null} else headers end,
      rate_per_second = case when ${p.ratePerSecond !== undefined} then ${p.ratePerSecond ?? null} else rate_per_second end,
      max_concurrency = case when ${p.maxConcurrency !== undefined} then ${p.maxConcurrency ?? null} else max_concurrency end,
      filter = case when ${p.filter !== undefined} then ${jsonOrNull(p.filter)}::text::jsonb else filter end,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where workspace_id = ${p.workspaceId} and id = ${p.id} and deleted_at is null
    returning ${columns(sql)}, new.enabled and not old.enabled as begins, new.url <> old.url as "hasNewUrl",
      ${differsColumn(sql)}`
  return row ?? null
}

/** SQL expression: the host of the column `url`, without the path, which can be a secret. */
export const hostOf = (sql: Sql) => sql`lower(substring(url from '://([^/?#]+)'))`

/**
 * Holds the endpoint and emits `endpoint.held`. Returns null and emits nothing if it is already held or does not exist.
 */
export const markHeld = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WebhookRow[]>`
    with held as (
      update webhooks set held_at = now(), held_by = 'owner',
        updated_at = greatest(now(), updated_at + interval '1 millisecond')
      where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null and held_at is null
      returning *
    ), reported as (
      ${insertIntoOutbox(
        sql,
        draftEvents(sql, 'endpoint.held', {
          rows: sql`held`,
          workspaceId: sql`workspace_id`,
          data: {
            webhookId: sql`id`,
            name: sql`name`,
            host: hostOf(sql),
            heldBy: sql`held_by`,
            heldAt: sql`held_at`,
            failingSince: sql`(select h.failing_since from webhook_health h
              where h.workspace_id = held.workspace_id and h.webhook_id = held.id)`,
          },
        }),
      )}
    )
    select ${columns(sql)} from held`
  return row ?? null
}

/** Releases the endpoint. Returns null if it is not held or does not exist. */
export const markReleased = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set held_at = null, held_by = null,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null and held_at is not null
    returning ${columns(sql)}`
  return row ?? null
}

/** Replaces the secret. The previous one also signs until `now + overlapHours`. */
export const rotateSecret = async (
  sql: Sql,
  p: { workspaceId: string; id: string; secret: StoredSecret; overlapHours: number },
) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set previous_secret = secret, replaced_secret_hash = secret_hash,
      previous_secret_until = now() + make_interval(hours => ${p.overlapHours}),
      secret = ${p.secret.bytes}, secret_hash = decode(${p.secret.hash}, 'hex'),
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where workspace_id = ${p.workspaceId} and id = ${p.id} and deleted_at is null
    returning ${columns(sql)}`
  return row ?? null
}

/**
 * Marks the endpoint as deleted, so that no attempt of its pending deliveries begins. Deletes its secrets and the
 * owner's headers.
 */
export const markWebhookDeleted = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const rows = await sql`
    update webhooks set deleted_at = now(), updated_at = now(), secret = null, previous_secret = null,
      previous_secret_until = null, secret_hash = null, replaced_secret_hash = null, headers = null
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null returning id`
  return rows.length === 1
}

/** Deletes the expired previous secrets of at most `limit` endpoints. */
export const deleteExpiredSecrets = (sql: Sql, limit: number) => sql`
  update webhooks w set previous_secret = null, previous_secret_until = null
  from (
    select workspace_id, id from webhooks where previous_secret_until <= now() order by previous_secret_until limit ${limit}
  ) expired
  where w.workspace_id = expired.workspace_id and w.id = expired.id and w.previous_secret_until <= now()`

/** Secrets that an endpoint signs with, as stored, in base64. */
export interface EndpointSecrets {
  /** Null after the endpoint was deleted. */
  secret: string | null
  /** Null without a rotation, and after its overlap. */
  previousSecret: string | null
}

/** Columns with the secrets of an endpoint `w`. */
export const signingSecrets = (sql: Sql) => sql`
  encode(w.secret, 'base64') as secret,
  case when w.previous_secret_until > now() then encode(w.previous_secret, 'base64') end as "previousSecret"`

export interface EndpointRow extends EndpointSecrets {
  url: string
  /** The owner's headers, encrypted, as base64. Null if there are none. */
  headers: string | null
  /** Maximum number of concurrent attempts. Null if the owner set no limit. */
  maxConcurrency: number | null
}

/** An endpoint that receives attempts. */
export interface ActiveEndpoint extends EndpointRow {
  /** Null means no limit. */
  ratePerSecond: number | null
  /** True if its last attempt failed, according to the stored health. */
  failing: boolean
}

/** SQL condition: the endpoint `w` receives attempts, because it is enabled, not held and not deleted. */
export const isActive = (sql: Sql) => sql`w.enabled and w.held_at is null and w.deleted_at is null`

/** Returns the settings that attempts need. Returns null if the endpoint receives none. */
export const findActiveEndpoint = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<ActiveEndpoint[]>`
    select w.url, ${signingSecrets(sql)},
      encode(w.headers, 'base64') as headers, w.rate_per_second as "ratePerSecond",
      w.max_concurrency as "maxConcurrency",
      (select h.failing_since is not null from webhook_health h
        where h.workspace_id = w.workspace_id and h.webhook_id = w.id) is true as failing
    from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and ${isActive(sql)}`
  return row ?? null
}

/** Returns the secrets of the workspace's endpoints, to find which endpoint a signature belongs to. */
export const listSecrets = (sql: Sql, workspaceId: string) => sql<
  ({ id: string; url: string; replacedSecretHash: string | null } & EndpointSecrets)[]
>`
  select w.id, w.url, ${signingSecrets(sql)}, encode(w.replaced_secret_hash, 'hex') as "replacedSecretHash"
  from webhooks w where w.workspace_id = ${workspaceId} and w.deleted_at is null order by w.id`

/** Returns the names of endpoints, or their URLs. Removed endpoints are missing. */
export const selectWebhookNames = (sql: Sql, workspaceId: string, ids: readonly string[]) => sql<
  { id: string; name: string }[]
>`
  select id, coalesce(name, url) as name from webhooks
  where workspace_id = ${workspaceId} and id = any(${[...ids]}::uuid[]) and deleted_at is null`
