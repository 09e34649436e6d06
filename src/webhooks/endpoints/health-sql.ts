/** Stored health of endpoints, and the reservations of their rate limiters. */
import type { Sql } from '../../platform/postgres/client.ts'
import { draftEvents, insertIntoOutbox } from '../outbound-events/index.ts'
import { hostOf } from './sql.ts'

/** Health sample of an endpoint: its attempts since the last sample was stored. */
export interface EndpointHealthSample {
  workspaceId: string
  webhookId: string
  /** Start of the latest success, also if it is older than this sample. Null if none is known. */
  succeededAt: Date | null
  /** True if an attempt succeeded within this sample. */
  succeeded: boolean
  /** Number of failed attempts after that success, and the start of the first one. */
  failed: number
  firstFailedAt: Date | null
  /** The latest failure, even if a success followed it. */
  lastFailure: { at: Date; statusCode: number | null; error: string | null } | null
}

/** Days of continuous failure, and number of failed attempts, after which an endpoint is held. */
const holdAfterDays = 5
const holdAfterFailures = 20

/** Seconds between two reports of an endpoint that alternates between failure and success (contract 10.4). */
const reportIntervalSeconds = 60

/** Minutes of continuous failure after which the owners get a mail, so that a short failure causes none. */
const mailAfterMinutes = 5
/** Minutes between two mails about an endpoint that alternates between failure and success (contract 11.6). */
const mailIntervalMinutes = 60

/**
 * Stores health samples, and holds endpoints that have failed for too long. Skips the hold if another transaction has
 * locked the endpoint, to avoid waiting; its next failure repeats the check. Returns the held endpoints, and those whose
 * owners get a mail because they have failed for minutes. The row stores the time of the mail, one for each failure.
 *
 * Emits `endpoint.failing` if the failure is not reported yet, `endpoint.recovered` after a reported one, and
 * `endpoint.held`. The row stores what was reported, so that an outage has one event in all processes.
 */
export const upsertHealthSamples = (sql: Sql, samples: EndpointHealthSample[]) => {
  const isFailing = sql`(excluded.failing_since is not null or excluded.healthy_since is null and h.failing_since is not null)`
  const isReportDue = sql`coalesce(h.reported_at < now() - ${reportIntervalSeconds} * interval '1 second', true)`
  const minutes = (count: number) => sql`${count} * interval '1 minute'`
  const isMailDue = sql`${isFailing} and excluded.healthy_since is null
    and h.failing_since <= now() - ${minutes(mailAfterMinutes)}
    and coalesce(h.mailed_at < h.failing_since and h.mailed_at <= now() - ${minutes(mailIntervalMinutes)}, true)`
  const endpoint = { webhookId: sql`webhook_id`, name: sql`name`, host: hostOf(sql) }
  return sql<{ workspaceId: string; webhookId: string; isHeld: boolean }[]>`
  with input as materialized (
    select i.*, w.name, w.url from json_to_recordset(${JSON.stringify(samples.map(toRow))}::text::json) as i(workspace_id uuid,
      webhook_id uuid, succeeded_at timestamptz, succeeded boolean, failed integer, first_failed_at timestamptz,
      last_failed_at timestamptz, status_code smallint, error text)
    cross join lateral (select w.name, w.url from webhooks w
      where w.workspace_id = i.workspace_id and w.id = i.webhook_id and w.deleted_at is null offset 0) w
  ), recorded as (
    insert into webhook_health as h (workspace_id, webhook_id, failing_since, failed_attempts, healthy_since,
      last_success_at, last_failed_at, last_failed_status_code, last_failed_error, reported_failing, reported_at)
    select workspace_id, webhook_id, first_failed_at, failed, case when succeeded then succeeded_at end, succeeded_at,
      last_failed_at, status_code, error, first_failed_at is not null, case when first_failed_at is not null then now() end
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
        else excluded.last_failed_error end,
      reported_failing = ${isFailing} and (h.reported_failing or ${isReportDue}),
      reported_at = case when ${isFailing} and not h.reported_failing and ${isReportDue} then now() else h.reported_at end,
      mailed_at = case when ${isMailDue} then now() else h.mailed_at end
    returning workspace_id, webhook_id, new.failing_since, new.failed_attempts, old.failing_since as failed_since,
      coalesce(old.reported_failing, false) as was_reported, new.reported_failing as is_reported,
      new.mailed_at is distinct from old.mailed_at as is_mail_due
  ), to_hold as materialized (
    select w.workspace_id, w.id as webhook_id
    from recorded r cross join lateral (
      select w.workspace_id, w.id from webhooks w
      where w.workspace_id = r.workspace_id and w.id = r.webhook_id and w.enabled and w.held_at is null and w.deleted_at is null
      for no key update skip locked
    ) w
    where r.failing_since <= now() - ${holdAfterDays} * interval '1 day' and r.failed_attempts >= ${holdAfterFailures}
  ), reported as (
    ${insertIntoOutbox(
      sql,
      sql`${draftEvents(sql, 'endpoint.failing', {
        rows: sql`recorded join input using (workspace_id, webhook_id) where is_reported and not was_reported`,
        workspaceId: sql`workspace_id`,
        data: {
          ...endpoint,
          failingSince: sql`failing_since`,
          statusCode: sql`status_code`,
          error: sql`error`,
        },
      })} union all ${draftEvents(sql, 'endpoint.recovered', {
        rows: sql`recorded join input using (workspace_id, webhook_id) where was_reported and not is_reported`,
        workspaceId: sql`workspace_id`,
        data: { ...endpoint, failingSince: sql`failed_since`, recoveredAt: sql`succeeded_at` },
      })} union all ${draftEvents(sql, 'endpoint.held', {
        rows: sql`to_hold join recorded using (workspace_id, webhook_id) join input using (workspace_id, webhook_id)`,
        workspaceId: sql`workspace_id`,
        data: { ...endpoint, heldBy: sql`'service'`, heldAt: sql`now()`, failingSince: sql`failing_since` },
      })}`,
    )}
  ), held as (
    update webhooks w set held_at = now(), held_by = 'service'
    from to_hold where w.workspace_id = to_hold.workspace_id and w.id = to_hold.webhook_id
    returning w.workspace_id, w.id as webhook_id
  )
  select workspace_id as "workspaceId", webhook_id as "webhookId", true as "isHeld" from held
  union all select workspace_id, webhook_id, false from recorded r
  where is_mail_due and not exists (select from to_hold h where h.workspace_id = r.workspace_id and h.webhook_id = r.webhook_id)`
}

const toRow = ({
  workspaceId,
  webhookId,
  succeededAt,
  succeeded,
  failed,
  firstFailedAt,
  lastFailure,
}: EndpointHealthSample) => ({
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

/** Returns an endpoint that the service holds. Returns null if it no longer does. */
export const findHeldEndpoint = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<{ name: string | null; url: string; heldAt: Date; failingSince: Date | null }[]>`
    select w.name, w.url, w.held_at as "heldAt", h.failing_since as "failingSince"
    from webhooks w left join webhook_health h on h.workspace_id = w.workspace_id and h.webhook_id = w.id
    where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and w.held_by = 'service' and w.deleted_at is null`
  if (!row) return null
  const { url, ...held } = row
  return { ...held, host: new URL(url).host }
}

/** Returns an endpoint whose last attempt failed, and that is neither held nor off. Returns null otherwise. */
export const findFailingEndpoint = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<
    { name: string | null; url: string; failingSince: Date; statusCode: number | null; error: string | null }[]
  >`
    select w.name, w.url, h.failing_since as "failingSince", h.last_failed_status_code as "statusCode",
      h.last_failed_error as error
    from webhooks w join webhook_health h on h.workspace_id = w.workspace_id and h.webhook_id = w.id
    where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and h.failing_since is not null and w.enabled
      and w.held_at is null and w.deleted_at is null`
  if (!row) return null
  const { url, ...failing } = row
  return { ...failing, host: new URL(url).host }
}

/**
 * Restarts the period after which a failing endpoint is held. The endpoint stays failing until its next attempt,
 * because it may still be broken.
 */
export const restartFailurePeriod = (sql: Sql, workspaceId: string, webhookId: string) => sql`
  update webhook_health set failing_since = now(), failed_attempts = 0
  where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and failing_since is not null`

/**
 * Resets the failures of an endpoint whose URL changed, because they belong to the old URL. Emits `endpoint.recovered`
 * if they were reported.
 */
export const resetFailures = (sql: Sql, workspaceId: string, webhookId: string) => sql`
  with reset as (
    update webhook_health set failing_since = null, failed_attempts = 0, healthy_since = now(), reported_failing = false
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId}
    returning workspace_id, webhook_id, old.failing_since, old.reported_failing
  )
  ${insertIntoOutbox(
    sql,
    draftEvents(sql, 'endpoint.recovered', {
      rows: sql`reset cross join lateral (select w.name, w.url from webhooks w
        where w.workspace_id = reset.workspace_id and w.id = reset.webhook_id) w where reported_failing`,
      workspaceId: sql`workspace_id`,
      data: {
        webhookId: sql`webhook_id`,
        name: sql`name`,
        host: hostOf(sql),
        failingSince: sql`failing_since`,
        recoveredAt: sql`now()`,
      },
    }),
  )}`

export interface HealthRow {
  enabled: boolean
  heldAt: Date | null
  disabledAt: Date
  failingSince: Date | null
  healthySince: Date
  lastSuccessAt: Date | null
  lastFailure: { at: string; statusCode: number | null; error: string | null } | null
}

/** Returns the state of the endpoint, or null if it does not exist. */
export const findHealth = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<HealthRow[]>`
    select w.enabled, w.held_at as "heldAt", coalesce(w.disabled_at, w.updated_at) as "disabledAt",
      h.failing_since as "failingSince", coalesce(h.healthy_since, w.created_at) as "healthySince",
      h.last_success_at as "lastSuccessAt",
      case when h.last_failed_at is not null then json_build_object('at', h.last_failed_at,
        'statusCode', h.last_failed_status_code, 'error', h.last_failed_error) end as "lastFailure"
    from webhooks w left join webhook_health h on h.workspace_id = w.workspace_id and h.webhook_id = w.id
    where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and w.deleted_at is null`
  return row ?? null
}

/** Reserved permits of a rate limiter. */
export interface PermitReservation {
  /** Number of permits. `permitIntervalMs` is the time between two of them. */
  given: number
  /** Milliseconds until the first permit. */
  inMs: number
}

/**
 * Milliseconds over which the permits of one second are spread. Slightly more than 1000, because attempts can start or
 * arrive some milliseconds early or late. A receiver must not measure more than the rate in any second.
 */
const spreadMs = 1030

/** Returns the milliseconds between two permits. */
export const permitIntervalMs = (ratePerSecond: number): number => spreadMs / ratePerSecond

/** Maximum time for which permits are reserved in advance. If a process dies, its reservations are lost. */
const maxReservedSeconds = 1
/** Maximum plausible distance of a stored time. A later time was written before the clock was set back. */
const maxPlausibleSeconds = 10

/**
 * Reserves up to `wanted` permits of an endpoint with a rate, within the next second. The row is the guarantee: even if
 * several processes serve the endpoint because a lease was lost, no permit is reserved twice.
 */
export const reservePermits = async (
  sql: Sql,
  p: { workspaceId: string; webhookId: string; ratePerSecond: number; wanted: number },
): Promise<PermitReservation> => {
  const { ratePerSecond: rate, wanted } = p
  const intervalMs = permitIntervalMs(rate)
  const interval = sql`(interval '1 millisecond' * ${intervalMs}::double precision)`
  const clampedStart = (until: ReturnType<typeof sql>) => sql`
    case when ${until} < now() + ${maxPlausibleSeconds} * interval '1 second' then greatest(${until}, now()) else now() end`
  const [row] = await sql<{ given: number; inMs: number }[]>`
    insert into webhook_health as h (workspace_id, webhook_id, reserved_until)
    values (${p.workspaceId}, ${p.webhookId}, now() + least(${wanted}::integer, ${rate}::integer) * ${interval})
    on conflict (workspace_id, webhook_id) do update set reserved_until = ${clampedStart(sql`h.reserved_until`)} + ${interval} * least(${wanted}::integer,
      greatest(0, 1 + floor(extract(epoch from now() + ${maxReservedSeconds} * interval '1 second' - (${clampedStart(sql`h.reserved_until`)}))
        * 1000 / ${intervalMs}::double precision - 0.001)))
    returning round(extract(epoch from new.reserved_until - (${clampedStart(sql`old.reserved_until`)})) * 1000 / ${intervalMs}::double precision)::integer as given,
      (extract(epoch from (${clampedStart(sql`old.reserved_until`)}) - now()) * 1000)::double precision as "inMs"`
  return row!
}
