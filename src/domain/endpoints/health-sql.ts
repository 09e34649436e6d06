/** What is remembered of how each endpoint does, and of the turns that one with a rate has given away. */
import type { Sql } from '../../db/client.ts'

/** How an endpoint did since that was last written down, by what its attempts came to. */
export interface Conduct {
  workspaceId: string
  webhookId: string
  /** When its last success began, whenever that was; null where none is known. */
  succeededAt: Date | null
  /** It succeeded since. */
  succeeded: boolean
  /** Attempts that failed after that, and when the first began. */
  failed: number
  firstFailedAt: Date | null
  /** The newest failure, whatever came after it. */
  lastFailure: { at: Date; statusCode: number | null; error: string | null } | null
}

/** An endpoint of which every attempt has failed for so long, and so many of them, is held. */
const failsForDays = 5
const failsTimes = 20

/**
 * Writes down how endpoints did, and holds those that have failed for too long; answers these. An endpoint that somebody
 * is changing is held with its next failure: nobody waits for it here.
 */
export const recordConduct = (sql: Sql, conducts: Conduct[]) => sql<{ workspaceId: string; webhookId: string }[]>`
  with input as materialized (
    select i.*, w.created_at from json_to_recordset(${JSON.stringify(conducts.map(rowOf))}::text::json) as i(workspace_id uuid,
      webhook_id uuid, succeeded_at timestamptz, succeeded boolean, failed integer, first_failed_at timestamptz,
      last_failed_at timestamptz, status_code smallint, error text)
    cross join lateral (select w.created_at from webhooks w
      where w.workspace_id = i.workspace_id and w.id = i.webhook_id and w.deleted_at is null offset 0) w
  ), recorded as (
    insert into webhook_health as h (workspace_id, webhook_id, failing_since, failed_attempts, healthy_since,
      last_success_at, last_failed_at, last_failed_status_code, last_failed_error)
    select workspace_id, webhook_id, first_failed_at, failed, case when succeeded then succeeded_at end, succeeded_at,
      last_failed_at, status_code, error
    from input order by workspace_id, webhook_id
    on conflict (workspace_id, webhook_id) do update set
      failing_since = case when excluded.healthy_since is null then coalesce(h.failing_since, excluded.failing_since)
        else excluded.failing_since end,
      failed_attempts = least(excluded.failed_attempts::bigint
        + case when excluded.healthy_since is null then h.failed_attempts else 0 end, 1000000),
      healthy_since = case when h.failing_since is null then coalesce(h.healthy_since, excluded.healthy_since)
        else coalesce(excluded.healthy_since, h.healthy_since) end,
      last_success_at = greatest(h.last_success_at, excluded.last_success_at),
      last_failed_at = coalesce(excluded.last_failed_at, h.last_failed_at),
      last_failed_status_code = case when excluded.last_failed_at is null then h.last_failed_status_code
        else excluded.last_failed_status_code end,
      last_failed_error = case when excluded.last_failed_at is null then h.last_failed_error
        else excluded.last_failed_error end
    returning workspace_id, webhook_id, failing_since, failed_attempts
  ), lasting as materialized (
    select w.workspace_id, w.id
    from recorded r cross join lateral (
      select w.workspace_id, w.id from webhooks w
      where w.workspace_id = r.workspace_id and w.id = r.webhook_id and w.enabled and w.held_at is null and w.deleted_at is null
      for no key update skip locked
    ) w
    where r.failing_since <= now() - ${failsForDays} * interval '1 day' and r.failed_attempts >= ${failsTimes}
  )
  update webhooks w set held_at = now(), held_by = 'service'
  from lasting where w.workspace_id = lasting.workspace_id and w.id = lasting.id
  returning w.workspace_id as "workspaceId", w.id as "webhookId"`

const rowOf = ({ workspaceId, webhookId, succeededAt, succeeded, failed, firstFailedAt, lastFailure }: Conduct) => ({
  workspace_id: workspaceId,
  webhook_id: webhookId,
  succeeded_at: succeededAt,
  succeeded,
  failed,
  first_failed_at: firstFailedAt,
  last_failed_at: lastFailure?.at ?? null,
  status_code: lastFailure?.statusCode ?? null,
  error: lastFailure?.error ?? null,
})

/** An endpoint that we hold, for whoever is told of it; null where it is not held by us any more. */
export const findHeld = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<{ name: string | null; url: string; heldAt: Date; failingSince: Date | null }[]>`
    select w.name, w.url, w.held_at as "heldAt", h.failing_since as "failingSince"
    from webhooks w left join webhook_health h on h.workspace_id = w.workspace_id and h.webhook_id = w.id
    where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and w.held_by = 'service' and w.deleted_at is null`
  if (!row) return null
  const { url, ...held } = row
  return { ...held, host: new URL(url).host }
}

/**
 * The days begin anew after which it is held for failing. What its last attempt came to stands until the next one: it may
 * be as broken as before, and nobody is to be told that all is well.
 */
export const failAnew = (sql: Sql, workspaceId: string, webhookId: string) => sql`
  update webhook_health set failing_since = now(), failed_attempts = 0
  where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and failing_since is not null`

/** It is another address: what the one before did counts no more. */
export const forgetFailing = (sql: Sql, workspaceId: string, webhookId: string) => sql`
  update webhook_health set failing_since = null, failed_attempts = 0, healthy_since = now()
  where workspace_id = ${workspaceId} and webhook_id = ${webhookId}`

export interface HealthRow {
  enabled: boolean
  heldAt: Date | null
  offSince: Date
  failingSince: Date | null
  healthySince: Date
  lastSuccessAt: Date | null
  lastFailure: { at: string; statusCode: number | null; error: string | null } | null
}

/** How the endpoint stands; null where there is none. */
export const findHealth = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<HealthRow[]>`
    select w.enabled, w.held_at as "heldAt", coalesce(w.off_since, w.updated_at) as "offSince",
      h.failing_since as "failingSince", coalesce(h.healthy_since, w.created_at) as "healthySince",
      h.last_success_at as "lastSuccessAt",
      case when h.last_failed_at is not null then json_build_object('at', h.last_failed_at,
        'statusCode', h.last_failed_status_code, 'error', h.last_failed_error) end as "lastFailure"
    from webhooks w left join webhook_health h on h.workspace_id = w.workspace_id and h.webhook_id = w.id
    where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and w.deleted_at is null`
  return row ?? null
}

/** Turns that were given to whoever asked. */
export interface Turns {
  /** How many; they are so far apart as `turnGapMs` says. */
  given: number
  /** Milliseconds until the first. */
  inMs: number
}

/**
 * Turns of a second are spread over a little more than one: an attempt that begins or arrives some milliseconds late, and
 * the next in time, are not to make one too many of any second that a receiver measures.
 */
const spreadMs = 1030

/** Milliseconds between two turns. */
export const turnGapMs = (ratePerSecond: number): number => spreadMs / ratePerSecond

/** Nobody is given turns further ahead than this: of a process that dies, they are lost. */
const aheadSeconds = 1
/** A time further away than this was written by a clock that has been set back since. */
const believedSeconds = 10

/**
 * Gives away up to `wanted` of the next turns of an endpoint with a rate, those within the next second. The row is the
 * guarantee: however many processes act for an endpoint, one after the other or, a lease lost, at once, no turn is given
 * twice.
 */
export const takeTurns = async (
  sql: Sql,
  p: { workspaceId: string; webhookId: string; ratePerSecond: number; wanted: number },
): Promise<Turns> => {
  const { ratePerSecond: rate, wanted } = p
  const gapMs = turnGapMs(rate)
  const every = sql`(interval '1 millisecond' * ${gapMs}::double precision)`
  const from = (until: ReturnType<typeof sql>) => sql`
    case when ${until} < now() + ${believedSeconds} * interval '1 second' then greatest(${until}, now()) else now() end`
  const [row] = await sql<{ given: number; inMs: number }[]>`
    insert into webhook_health as h (workspace_id, webhook_id, paced_until)
    values (${p.workspaceId}, ${p.webhookId}, now() + least(${wanted}::integer, ${rate}::integer) * ${every})
    on conflict (workspace_id, webhook_id) do update set paced_until = ${from(sql`h.paced_until`)} + ${every} * least(${wanted}::integer,
      greatest(0, 1 + floor(extract(epoch from now() + ${aheadSeconds} * interval '1 second' - (${from(sql`h.paced_until`)}))
        * 1000 / ${gapMs}::double precision - 0.001)))
    returning round(extract(epoch from new.paced_until - (${from(sql`old.paced_until`)})) * 1000 / ${gapMs}::double precision)::integer as given,
      (extract(epoch from (${from(sql`old.paced_until`)}) - now()) * 1000)::double precision as "inMs"`
  return row!
}
