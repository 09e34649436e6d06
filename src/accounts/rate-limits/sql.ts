import type { Sql } from '../../platform/postgres/client.ts'

/** Report of one process about one caller. */
export interface Admission {
  callerId: string
  callerType: 'api_key' | 'user'
  /** Calls admitted since the process began to track the caller. */
  admitted: number
  /** Number of calls by which the caller's allowance is below full, as far as the process knows. */
  missing: number
}

/** Report of another process. */
export interface PeerAdmission extends Admission {
  processId: string
  /** Age of the report in seconds. */
  age: number
}

/** Seconds without a heartbeat after which a process counts as dead. */
const aliveSeconds = 5

/**
 * Writes the heartbeat and the reports of this process. Returns the reports that other live processes made within
 * `maxAgeSeconds`. One statement without a disk flush, because the tables are unlogged. `others` is the number of other
 * live processes.
 */
export const exchangeAdmissions = async (
  sql: Sql,
  p: { processId: string; keyIds: readonly string[]; reports: Admission[]; maxAgeSeconds: number },
): Promise<{ others: number; peers: PeerAdmission[] }> => {
  const reports = p.reports.map(one => ({
    caller_id: one.callerId,
    caller_type: one.callerType,
    admitted: one.admitted,
    missing: one.missing,
  }))
  const [row] = await sql<{ others: number; peers: PeerAdmission[] | null }[]>`
    with heartbeat as (
      insert into http_processes (id, key_ids, alive_until)
      values (${p.processId}, ${p.keyIds as string[]}, clock_timestamp() + make_interval(secs => ${aliveSeconds}))
      on conflict (id) do update set alive_until = excluded.alive_until
    ), ${reports.length > 0 ? upsertReports(sql, p.processId, reports) : sql``}
    others as materialized (
      select id from http_processes where id <> ${p.processId} and alive_until > clock_timestamp()
    )
    select (select count(*)::integer from others) as others,
      (select json_agg(json_build_object('processId', r.process_id, 'callerId', r.caller_id, 'callerType', r.caller_type,
          'admitted', r.admitted, 'missing', r.missing, 'age', extract(epoch from clock_timestamp() - r.at)))
        from others join rate_limit_usage r on r.process_id = others.id
        where r.at > clock_timestamp() - make_interval(secs => ${p.maxAgeSeconds})) as peers`
  return { others: row!.others, peers: row!.peers ?? [] }
}

const upsertReports = (sql: Sql, processId: string, reports: object[]) => sql`
  reports as (
    insert into rate_limit_usage (process_id, caller_id, caller_type, admitted, missing)
    select ${processId}, caller_id, caller_type, admitted, missing
    from json_to_recordset(${JSON.stringify(reports)}::text::json)
      as i(caller_id uuid, caller_type text, admitted bigint, missing double precision)
    on conflict (process_id, caller_id) do update
    set admitted = excluded.admitted, missing = excluded.missing, at = clock_timestamp()
  ),`

/** Returns whether a process of the service answers requests, or sent its last heartbeat less than a minute ago. */
export const isServing = async (sql: Sql): Promise<boolean> => {
  const rows =
    await sql`select 1 from http_processes where alive_until > clock_timestamp() - interval '1 minute' limit 1`
  return rows.length > 0
}

/** Removes the process when it stops, so that the others need not wait for its timeout. */
export const deleteProcess = (sql: Sql, processId: string) => sql`
  with removed_reports as (delete from rate_limit_usage where process_id = ${processId})
  delete from http_processes where id = ${processId}`

/**
 * Deletes rows of dead processes, reports older than ten minutes, and at most `limit` old sign-in attempts. Uses
 * `now()`, because an index cannot be searched with a volatile clock.
 */
export const deleteStaleAdmissions = (sql: Sql, limit: number) => sql`
  with dead_processes as (delete from http_processes where alive_until < now() - interval '1 minute'),
  reports as (delete from rate_limit_usage where at < now() - interval '10 minutes')
  delete from sign_in_attempts
  where last_at < now() - interval '10 minutes' and key_hash = any(array(
    select key_hash from sign_in_attempts where last_at < now() - interval '10 minutes' order by last_at limit ${limit}))`

/**
 * Counts an attempt if fewer than `max` were made in the ten minutes before. The row lock makes this exact: concurrent
 * attempts see all earlier ones.
 */
export const takeSignInAttempt = async (sql: Sql, keyHash: string, max: number) => {
  const recent = sql`array(select one from unnest(t.attempts) as one where one > now() - interval '10 minutes' order by one)`
  const [row] = await sql<{ admitted: boolean; retryAfterSeconds: number }[]>`
    insert into sign_in_attempts as t (key_hash, attempts, last_at) values (decode(${keyHash}, 'hex'), array[now()], now())
    on conflict (key_hash) do update set
      attempts = case when cardinality(${recent}) < ${max} then ${recent} || now() else ${recent} end,
      last_at = case when cardinality(${recent}) < ${max} then now() else t.last_at end
    returning coalesce((select count(*) from unnest(old.attempts) as one where one > now() - interval '10 minutes'), 0) < ${max}
      as admitted,
      extract(epoch from new.attempts[1] + interval '10 minutes' - clock_timestamp())::double precision as "retryAfterSeconds"`
  return row!
}

/** Days without a sign-in after which a network is no longer known. */
const knownDays = 90
/** Maximum number of known networks per account; the newest are kept. */
const maxKnownNetworks = 20

/** Returns whether the account has signed in from there before. */
export const isKnownNetwork = async (sql: Sql, keyHash: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from known_networks
    where key_hash = decode(${keyHash}, 'hex') and last_at > now() - make_interval(days => ${knownDays})`
  return rows.length === 1
}

/** A number of attempts within a period. `keyHash` is the digest of the budget's owner. */
export interface Budget {
  keyHash: string
  attempts: number
}

/**
 * Takes an attempt from each budget that has one left. Returns for each budget whether it was taken, and when the next
 * one is available. A full budget can be used in one burst; then it refills evenly. Rows are locked in the given order.
 * An exhausted budget stays unchanged. All budgets cover `seconds`.
 */
export const takeFromBudgets = async (sql: Sql, budgets: Budget[], seconds: number) => {
  const window = sql`make_interval(secs => ${seconds}::double precision)`
  // Uses the clock after the row lock is held, because transactions that waited for it began in a different order.
  const fullAt = sql`greatest(b.full_at, clock_timestamp()) + (excluded.full_at - now())`
  const rows = await sql<{ keyHash: string; admitted: boolean; secondsToFull: number }[]>`
    insert into attempt_budgets as b (key_hash, full_at)
    select decode(key_hash, 'hex'), now() + ${window} / attempts
    from unnest(${budgets.map(({ keyHash }) => keyHash)}::text[], ${budgets.map(({ attempts }) => attempts)}::integer[])
      with ordinality as budget(key_hash, attempts, position)
    order by position
    on conflict (key_hash) do update set
      -- The millisecond is for what dividing has rounded up.
      full_at = case when ${fullAt} <= clock_timestamp() + ${window} + interval '1 millisecond' then ${fullAt} else b.full_at end
    returning encode(new.key_hash, 'hex') as "keyHash", new.full_at is distinct from old.full_at as admitted,
      extract(epoch from new.full_at - clock_timestamp())::double precision as "secondsToFull"`
  return budgets.map(({ keyHash, attempts }) => {
    const { admitted, secondsToFull } = rows.find(row => row.keyHash === keyHash)!
    return { admitted, retryAfterSeconds: secondsToFull + seconds / attempts - seconds }
  })
}

/** Records that the account has signed in from there. A known row is updated at most once a day. */
export const upsertKnownNetwork = async (sql: Sql, userId: string, keyHash: string): Promise<void> => {
  await sql`
    with upserted as (
      insert into known_networks as k (key_hash, user_id) values (decode(${keyHash}, 'hex'), ${userId})
      on conflict (key_hash) do update set last_at = now() where k.last_at < now() - interval '1 day'
      returning 1
    )
    delete from known_networks where key_hash = any(array(
      select key_hash from known_networks
      where user_id = ${userId} and key_hash <> decode(${keyHash}, 'hex') and exists (select 1 from upserted)
      order by last_at desc offset ${maxKnownNetworks - 1} limit 100 for update skip locked))`
}

/** Deletes at most `limit` full budgets. */
export const deleteFullBudgets = (sql: Sql, limit: number) => sql`
  delete from attempt_budgets where full_at < now() and key_hash = any(array(
    select key_hash from attempt_budgets where full_at < now() order by full_at limit ${limit}))`

/** Deletes at most `limit` expired known networks. */
export const deleteOldNetworks = (sql: Sql, limit: number) => sql`
  delete from known_networks where last_at < now() - make_interval(days => ${knownDays}) and key_hash = any(array(
    select key_hash from known_networks where last_at < now() - make_interval(days => ${knownDays}) order by last_at limit ${limit}))`
