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
  maxConcurrency?: number | null | undefined
  filter?: Condition | null | undefined
}

/** A secret as it is kept: in clear, or sealed for its endpoint, with its hash in hex. */
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

/** The time of the latest change of an endpoint, which stays as it is until the transaction ends; null when there is none. */
export const lockWebhook = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<{ updatedAt: Date }[]>`
    select updated_at as "updatedAt" from webhooks
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null for no key update`
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

/** An older release that has put a secret in clear has left the hash of the one before. */
const hashInForce = (sql: Sql) =>
  sql`case when secret is null then secret_hash else sha256(convert_to(secret, 'UTF8')) end`

/**
 * Hides the endpoint, and with it what was still to be delivered to it: no attempt begins any more. Nothing is kept of what
 * it was signed with and of the owner's headers.
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

/** The secrets of endpoints that an older release removed, a page of them; answers how many there were. */
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

/** Of the secret from before a rotation. One that an older release has replaced is in clear, or in the place of the new one. */
const hashBefore = (sql: Sql) => sql`
  case when w.previous_secret is not null then sha256(convert_to(w.previous_secret, 'UTF8'))
    when w.secret is not null and w.sealed_secret is not null then w.secret_hash
    else w.replaced_hash end`

/** The secrets from before a rotation whose time is over, a page of them; answers how many there were. */
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

/** An endpoint that keeps a secret in clear. */
export interface ClearSecrets {
  workspaceId: string
  id: string
  /** Changes with the row. */
  version: string
  secret: string | null
  previousSecret: string | null
}

export const findClearSecrets = (sql: Sql, limit: number) => sql<ClearSecrets[]>`
  select workspace_id as "workspaceId", id, xmin::text as version, secret, previous_secret as "previousSecret"
  from webhooks where deleted_at is null and (secret is not null or previous_secret is not null)
  order by workspace_id, id limit ${limit}`

/**
 * Puts what was sealed in the place of what was in clear, of the endpoints that are still as they were read. A sealed secret
 * beside one in clear was in force before that: an older release has rotated it. Answers how many were taken over.
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

/** What an endpoint signs with, each in clear or sealed, as base64. */
export interface EndpointSecrets {
  secret: string | null
  sealedSecret: string | null
  /** Both null once its time is over. */
  previousSecret: string | null
  sealedPreviousSecret: string | null
}

/** The same of endpoints `w`, as columns. A sealed secret beside one in clear is the one before it. */
export const signingSecrets = (sql: Sql) => sql`
  w.secret, case when w.secret is null then encode(w.sealed_secret, 'base64') end as "sealedSecret",
  case when w.previous_secret_until > now() then w.previous_secret end as "previousSecret",
  case when w.previous_secret_until > now() and w.previous_secret is null then encode(
    case when w.secret is not null and w.sealed_secret is not null then w.sealed_secret else w.sealed_previous_secret end,
    'base64') end as "sealedPreviousSecret"`

export interface EndpointRow extends EndpointSecrets {
  url: string
  /** The owner's own, sealed, as base64; null where there are none. */
  headers: string | null
  /** Maximum number of attempts in progress at once; null if the owner set no limit. */
  maxConcurrency: number | null
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
    select w.url, ${signingSecrets(sql)},
      encode(w.headers, 'base64') as headers, w.rate_per_second as "ratePerSecond",
      w.max_concurrency as "maxConcurrency",
      (select h.failing_since is not null from webhook_health h
        where h.workspace_id = w.workspace_id and h.webhook_id = w.id) is true as failing
    from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and ${isLiving(sql)}`
  return row ?? null
}

/** What the workspace's endpoints sign with, to find out for which of them something was signed. */
export const listSecrets = (sql: Sql, workspaceId: string) => sql<
  ({ id: string; url: string; replacedHash: string | null } & EndpointSecrets)[]
>`
  select w.id, w.url, ${signingSecrets(sql)}, encode(${hashBefore(sql)}, 'hex') as "replacedHash"
  from webhooks w where w.workspace_id = ${workspaceId} and w.deleted_at is null order by w.id`
