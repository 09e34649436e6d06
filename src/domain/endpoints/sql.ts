import type { Sql } from '../../db/client.ts'
import { type Compared, comparing } from '../compared.ts'
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
export interface WebhookSaid {
  name?: string | null | undefined
  description?: string | null | undefined
  metadata?: Record<string, string> | undefined
  headers?: { names: string[]; sealed: Buffer | null } | undefined
  ratePerSecond?: number | null | undefined
  maxConcurrency?: number | null | undefined
  filter?: Condition | null | undefined
}

/** A secret as stored: in plain text, or encrypted for its endpoint with its hash. */
export type KeptSecret = { clear: string; sealed: null; hash: null } | { clear: null; sealed: Buffer; hash: string }

export const insertWebhook = async (
  sql: Sql,
  p: { workspaceId: string; id: string; url: string; events: string[]; secret: KeptSecret } & WebhookSaid,
) => {
  const { names, sealed } = p.headers ?? { names: [], sealed: null }
  const [row] = await sql<WebhookRow[]>`
    insert into webhooks (workspace_id, id, url, description, events, secret, sealed_secret, secret_hash, name, metadata, header_names,
      headers, rate_per_second, max_concurrency, filter)
    values (${p.workspaceId}, ${p.id}, ${p.url}, ${p.description ?? null}, ${p.events}, ${p.secret.clear},
      ${p.secret.sealed}, decode(${p.secret.hash}, 'hex'), ${p.name ?? null},
      ${JSON.stringify(p.metadata ?? {})}::text::jsonb, ${names}, ${sealed}, ${p.ratePerSecond ?? null},
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
 * Changes the given settings. `begins`: the endpoint was disabled and is now enabled. `isElsewhere`: the URL changed.
 */
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
  const [row] = await sql<(WebhookRow & Compared & { begins: boolean; isElsewhere: boolean })[]>`
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
      max_concurrency = case when ${p.maxConcurrency !== undefined} then ${p.maxConcurrency ?? null} else max_concurrency end,
      filter = case when ${p.filter !== undefined} then ${jsonOrNull(p.filter)}::text::jsonb else filter end,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where workspace_id = ${p.workspaceId} and id = ${p.id} and deleted_at is null
    returning ${columns(sql)}, new.enabled and not old.enabled as begins, new.url <> old.url as "isElsewhere",
      ${comparing(sql)}`
  return row ?? null
}

/** Holds the endpoint. Returns null if it is already held or does not exist. */
export const markHeld = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set held_at = now(), held_by = 'owner'
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null and held_at is null
    returning ${columns(sql)}`
  return row ?? null
}

/** Releases the endpoint. Returns null if it is not held or does not exist. */
export const markReleased = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set held_at = null, held_by = null
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null and held_at is not null
    returning ${columns(sql)}`
  return row ?? null
}

/** Replaces the secret. The previous one also signs until `now + overlapHours`. */
export const rotateSecret = async (
  sql: Sql,
  p: { workspaceId: string; id: string; secret: KeptSecret; overlapHours: number },
) => {
  const [row] = await sql<WebhookRow[]>`
    update webhooks set previous_secret = secret,
      sealed_previous_secret = case when secret is null then sealed_secret end,
      previous_secret_until = now() + make_interval(hours => ${p.overlapHours}),
      replaced_hash = ${hashInForce(sql)},
      secret = ${p.secret.clear}, sealed_secret = ${p.secret.sealed}, secret_hash = decode(${p.secret.hash}, 'hex'),
      updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and deleted_at is null
    returning ${columns(sql)}`
  return row ?? null
}

/**
 * Computes the hash of a plain text secret. After an older release stored one, `secret_hash` still belongs to the
 * secret before it.
 */
const hashInForce = (sql: Sql) =>
  sql`case when secret is null then secret_hash else sha256(convert_to(secret, 'UTF8')) end`

/**
 * Marks the endpoint as deleted, so that no attempt of its pending deliveries begins. Deletes its secrets and the
 * owner's headers.
 */
export const markWebhookDeleted = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const rows = await sql`
    update webhooks set deleted_at = now(), updated_at = now(), ${nothingSecret(sql)}
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null returning id`
  return rows.length === 1
}

const nothingSecret = (sql: Sql) => sql`
  secret = null, previous_secret = null, sealed_secret = null, sealed_previous_secret = null,
  previous_secret_until = null, secret_hash = null, replaced_hash = null, headers = null`

/** Deletes a page of secrets of endpoints that an older release deleted. Returns the number of endpoints. */
export const forgetSecretsOfRemoved = async (sql: Sql, limit: number): Promise<number> => {
  const { count } = await sql`
    update webhooks w set ${nothingSecret(sql)}
    from (
      select workspace_id, id from webhooks
      where deleted_at is not null and (secret is not null or previous_secret is not null or sealed_secret is not null
        or sealed_previous_secret is not null or headers is not null)
      order by workspace_id, id limit ${limit}
    ) removed
    where w.workspace_id = removed.workspace_id and w.id = removed.id`
  return count
}

/**
 * Hash of the previous secret. If an older release replaced that secret, it is in plain text or still in the columns of
 * the current one.
 */
const hashBefore = (sql: Sql) => sql`
  case when w.previous_secret is not null then sha256(convert_to(w.previous_secret, 'UTF8'))
    when w.secret is not null and w.sealed_secret is not null then w.secret_hash
    else w.replaced_hash end`

/** Deletes a page of expired previous secrets. Returns the number of endpoints. */
export const forgetLapsedSecrets = async (sql: Sql, limit: number): Promise<number> => {
  const { count } = await sql`
    update webhooks w set previous_secret = null, sealed_previous_secret = null, previous_secret_until = null,
      sealed_secret = case when w.secret is null then w.sealed_secret end, replaced_hash = ${hashBefore(sql)}
    from (
      select workspace_id, id from webhooks where previous_secret_until <= now() order by previous_secret_until limit ${limit}
    ) lapsed
    where w.workspace_id = lapsed.workspace_id and w.id = lapsed.id and w.previous_secret_until <= now()`
  return count
}

/** An endpoint with a secret in plain text. */
export interface ClearSecrets {
  workspaceId: string
  id: string
  /** Changes whenever the row changes. */
  version: string
  secret: string | null
  previousSecret: string | null
}

export const findClearSecrets = (sql: Sql, limit: number) => sql<ClearSecrets[]>`
  select workspace_id as "workspaceId", id, xmin::text as version, secret, previous_secret as "previousSecret"
  from webhooks where deleted_at is null and (secret is not null or previous_secret is not null)
  order by workspace_id, id limit ${limit}`

/**
 * Replaces plain text secrets with encrypted ones, for endpoints that are unchanged since they were read. Returns their
 * number. An encrypted secret next to a plain text one is the previous secret, because an older release rotated it.
 */
export const takeOverSecrets = async (
  sql: Sql,
  pages: { workspaceId: string; id: string; version: string; sealed: string | null; sealedPrevious: string | null }[],
): Promise<number> => {
  const rows = pages.map(({ workspaceId, id, version, sealed, sealedPrevious }) => ({
    workspace_id: workspaceId,
    id,
    version,
    sealed,
    sealed_previous: sealedPrevious,
  }))
  const { count } = await sql`
    update webhooks w set secret = null, previous_secret = null,
      sealed_secret = coalesce(decode(r.sealed, 'hex'), w.sealed_secret),
      sealed_previous_secret = coalesce(decode(r.sealed_previous, 'hex'),
        case when w.secret is not null and w.sealed_secret is not null then w.sealed_secret else w.sealed_previous_secret end),
      secret_hash = case when w.secret is null then w.secret_hash else sha256(convert_to(w.secret, 'UTF8')) end,
      replaced_hash = ${hashBefore(sql)}
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as r(workspace_id uuid, id uuid, version text, sealed text, sealed_previous text)
    where w.workspace_id = r.workspace_id and w.id = r.id and w.xmin::text = r.version`
  return count
}

/** Secrets that an endpoint signs with. Each is in plain text, or encrypted as base64. */
export interface EndpointSecrets {
  secret: string | null
  sealedSecret: string | null
  /** Both fields are null after the overlap has expired. */
  previousSecret: string | null
  sealedPreviousSecret: string | null
}

/** Columns with the secrets of an endpoint `w`. An encrypted secret next to a plain text one is the previous secret. */
export const signingSecrets = (sql: Sql) => sql`
  w.secret, case when w.secret is null then encode(w.sealed_secret, 'base64') end as "sealedSecret",
  case when w.previous_secret_until > now() then w.previous_secret end as "previousSecret",
  case when w.previous_secret_until > now() and w.previous_secret is null then encode(
    case when w.secret is not null and w.sealed_secret is not null then w.sealed_secret else w.sealed_previous_secret end,
    'base64') end as "sealedPreviousSecret"`

export interface EndpointRow extends EndpointSecrets {
  url: string
  /** The owner's headers, encrypted, as base64. Null if there are none. */
  headers: string | null
  /** Maximum number of concurrent attempts. Null if the owner set no limit. */
  maxConcurrency: number | null
}

/** An endpoint that receives attempts. */
export interface LivingEndpoint extends EndpointRow {
  /** Null means no limit. */
  ratePerSecond: number | null
  /** True if its last attempt failed, according to the stored health. */
  failing: boolean
}

/** SQL condition: the endpoint `w` receives attempts, because it is enabled, not held and not deleted. */
export const isLiving = (sql: Sql) => sql`w.enabled and w.held_at is null and w.deleted_at is null`

/** Returns the settings that attempts need. Returns null if the endpoint receives none. */
export const findLivingEndpoint = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<LivingEndpoint[]>`
    select w.url, ${signingSecrets(sql)},
      encode(w.headers, 'base64') as headers, w.rate_per_second as "ratePerSecond",
      w.max_concurrency as "maxConcurrency",
      (select h.failing_since is not null from webhook_health h
        where h.workspace_id = w.workspace_id and h.webhook_id = w.id) is true as failing
    from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and ${isLiving(sql)}`
  return row ?? null
}

/** Returns the secrets of the workspace's endpoints, to find which endpoint a signature belongs to. */
export const listSecrets = (sql: Sql, workspaceId: string) => sql<
  ({ id: string; url: string; replacedHash: string | null } & EndpointSecrets)[]
>`
  select w.id, w.url, ${signingSecrets(sql)}, encode(${hashBefore(sql)}, 'hex') as "replacedHash"
  from webhooks w where w.workspace_id = ${workspaceId} and w.deleted_at is null order by w.id`
