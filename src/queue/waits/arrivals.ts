/**
 * Reads what arrived for waiting runs, and finds arrivals that did not wake them.
 *
 * A transaction that records an arrival cannot see a run that is concurrently stored as waiting, and the reverse. So
 * arrivals are searched after the run was stored as waiting, which also finds earlier ones. The search is repeated when
 * all transactions open at that time have ended, and again before a wait times out.
 */

import { isOptOut } from '../../core/opt-out-words.ts'
import { createYield } from '../../platform/event-loop.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { minIdOf } from '../../platform/postgres/ids.ts'
import { resumeRuns } from './sql.ts'

/** An event or reply of the customer of a waiting run. */
export type Arrival =
  | { id: string; kind: 'event'; type: string; data: Record<string, unknown>; at: string }
  | { id: string; kind: 'reply'; text: string | null; at: string }

/** A run that is about to be executed. */
interface WaitingRun {
  workspaceId: string
  id: string
  /** Null if the wait has timed out. */
  waitUntil: string | null
  /** Id up to which the run has already checked arrivals that did not wake it. */
  evaluatedUpTo: string | null
}

/** Maximum number of events searched: of a type that is waited for, and of all other types, since the run began. */
const maxEventsSearched = 500
/** Maximum number of messages searched, in both directions. */
const maxMessagesSearched = 5000
/** Maximum number of arrivals per execution, and maximum bytes per page. Later arrivals follow in the next execution. */
const maxArrivals = 50
const maxBytes = 4_000_000
/** Maximum clock difference between the process that created an id and the database. */
const skew = '1 minute'

/** Arrivals for a run, and which of them woke it. */
export interface Arrivals {
  arrivals: Arrival[]
  /** Ids of arrivals stored in `run_arrivals`. They are deleted after evaluation. */
  seen: string[]
  /** True if there are more arrivals. */
  more: boolean
  /** Id of the last arrival, if those that did not wake the run were included; otherwise null. */
  evaluatedUpTo: string | null
}

/**
 * Returns the arrivals to be evaluated for these runs, by run id. If a wait has timed out, includes arrivals that did
 * not wake the run.
 */
export const readArrivals = async (
  sql: Sql,
  runs: readonly WaitingRun[],
  now: Date,
): Promise<Map<string, Arrivals>> => {
  if (runs.length === 0) return new Map()
  const requested = runs.map(({ workspaceId, id, waitUntil, evaluatedUpTo }) => ({
    workspace_id: workspaceId,
    run_id: id,
    timed_out: waitUntil === null || new Date(waitUntil) <= now,
    evaluated_up_to: evaluatedUpTo,
  }))
  const rows = await sql<ArrivalRow[]>`
    with requested as materialized (
      select a.*, r.customer_id, r.event_id, r.created_at, r.consumed_arrivals
      from json_to_recordset(${JSON.stringify(requested)}::text::json) as a(workspace_id uuid, run_id uuid, timed_out boolean,
        evaluated_up_to uuid)
      cross join lateral (
        select * from workflow_runs r where r.workspace_id = a.workspace_id and r.id = a.run_id and probe_index(r.id) offset 0
      ) r
    ), stored as (
      select a.workspace_id, a.run_id, w.kind, w.arrival_id, true as stored from requested a cross join lateral (
        select w.kind, w.arrival_id from run_arrivals w where w.workspace_id = a.workspace_id and w.run_id = a.run_id
        order by w.arrival_id limit ${maxArrivals + 1}
      ) w
    ), arrivals as (
      select distinct on (workspace_id, run_id, arrival_id) * from (
        table stored union all select f.*, false
        from requested a cross join lateral (${selectArrivals(sql, sql`(select a.workspace_id, a.run_id, a.customer_id, a.event_id, a.created_at, a.consumed_arrivals)`)}) f
        where a.timed_out and (a.evaluated_up_to is null or f.arrival_id > a.evaluated_up_to)
      ) all_arrivals order by workspace_id, run_id, arrival_id, stored desc
    ), loaded as (
      select a.*, e.type, e.data, coalesce(e.at, m.at) as at, m.text, coalesce(e.found, m.found) as found,
        row_number() over (partition by a.run_id order by a.arrival_id) as position,
        sum(coalesce(e.size, m.size, 0)) over (order by a.run_id, a.arrival_id rows between unbounded preceding and 1 preceding) as before
      from arrivals a
      left join lateral (
        select true as found, e.type, e.data, e.created_at as at, octet_length(e.data::text) as size from events e
        where a.kind = 'event' and e.workspace_id = a.workspace_id and e.id = a.arrival_id offset 0
      ) e on true
      left join lateral (
        select true as found, m.text, m.created_at as at, octet_length(coalesce(m.text, '')) as size from messages m
        where a.kind = 'reply' and m.workspace_id = a.workspace_id and m.id = a.arrival_id offset 0
      ) m on true
    )
    select run_id as "runId", arrival_id as id, kind, stored, found, at,
      position > ${maxArrivals} or coalesce(before, 0) >= ${maxBytes} as "isExcluded",
      case when position <= ${maxArrivals} and coalesce(before, 0) < ${maxBytes} then type end as type,
      case when position <= ${maxArrivals} and coalesce(before, 0) < ${maxBytes} then data end as data,
      case when position <= ${maxArrivals} and coalesce(before, 0) < ${maxBytes} then text end as text,
      case when kind = 'reply' then (
        select to_json(o.normalised) from opt_out_words o where o.workspace_id = loaded.workspace_id) end as words
    from loaded order by run_id, arrival_id`
  return groupByRun(rows, new Set(requested.filter(one => one.timed_out).map(one => one.run_id)))
}

interface ArrivalRow {
  runId: string
  id: string
  kind: 'event' | 'reply'
  stored: boolean
  /** Null if the event or message was removed. */
  found: boolean | null
  at: Date
  isExcluded: boolean
  type: string
  data: Record<string, unknown>
  text: string | null
  /** Opt-out words of the workspace in compared form, for a reply. */
  words: string[] | null
}

/** Evaluates every reply and yields to other work between them. */
const groupByRun = async (rows: ArrivalRow[], timedOut: ReadonlySet<string>): Promise<Map<string, Arrivals>> => {
  const runs = new Map<string, Arrivals>()
  const yieldIfDue = createYield()
  for (const row of rows) {
    await yieldIfDue()
    const ofRun = runs.get(row.runId) ?? { arrivals: [], seen: [], more: false, evaluatedUpTo: null }
    runs.set(row.runId, ofRun)
    // Keeps the order of ids: after the first arrival that is left out, all later ones are left out too.
    if (row.isExcluded || ofRun.more) ofRun.more = true
    else {
      if (timedOut.has(row.runId)) ofRun.evaluatedUpTo = row.id
      if (row.stored) ofRun.seen.push(row.id)
      // A reply that opts the customer out does not end a wait.
      if (row.found && !(row.kind === 'reply' && isOptOut(row.text, row.words))) ofRun.arrivals.push(toArrival(row))
    }
  }
  return runs
}

const toArrival = ({ id, kind, type, data, text, at }: ArrivalRow): Arrival =>
  kind === 'event' ? { id, kind, type, data, at: at.toISOString() } : { id, kind, text, at: at.toISOString() }

/**
 * Selects what arrived for `runs` (workspace_id, run_id, customer_id, event_id, created_at, used) since they began.
 * Includes every arrival that matches a wait, except those that ended an earlier wait of the run. Returns
 * (workspace_id, run_id, kind, arrival_id). Events whose type was waited for when they were recorded are found by type.
 * Other events are searched among the newest.
 */
const selectArrivals = (sql: Sql, runs: Fragment) => sql`
  select r.workspace_id, r.run_id, 'event'::text as kind, e.id as arrival_id
  from ${runs} r cross join lateral (
    select w.event_type from run_waits w where w.workspace_id = r.workspace_id and w.customer_id = r.customer_id
      and w.kind = 'event' and w.run_id = r.run_id offset 0
  ) w cross join lateral (
    select e.id, e.created_at from events e
    where e.workspace_id = r.workspace_id and e.customer_id = r.customer_id and e.type = w.event_type and e.awaited
      and e.id > ${minIdSince(sql)}
    order by e.id desc limit ${maxEventsSearched}
  ) e
  where ${isNewArrival(sql)}
  union all
  select r.workspace_id, r.run_id, 'event', e.id
  from ${runs} r cross join lateral (
    select array_agg(w.event_type) as types from run_waits w where w.workspace_id = r.workspace_id
      and w.customer_id = r.customer_id and w.kind = 'event' and w.run_id = r.run_id
  ) w cross join lateral (
    select e.id, e.type, e.created_at, e.awaited from events e
    where w.types is not null and e.workspace_id = r.workspace_id and e.customer_id = r.customer_id
      and e.id > ${minIdSince(sql)}
    order by e.id desc limit ${maxEventsSearched}
  ) e
  where e.type = any(w.types) and e.awaited is not true and ${isNewArrival(sql)}
  union all
  select r.workspace_id, r.run_id, 'reply', m.id
  from ${runs} r cross join lateral (
    select from run_waits w where w.workspace_id = r.workspace_id and w.customer_id = r.customer_id
      and w.kind = 'reply' and w.event_type = '' and w.run_id = r.run_id offset 0
  ) w cross join lateral (
    select m.id, m.direction, m.created_at from messages m
    where m.workspace_id = r.workspace_id and m.customer_id = r.customer_id and m.id > ${minIdSince(sql)}
    order by m.id desc limit ${maxMessagesSearched}
  ) m
  where m.direction = 'inbound' and m.created_at > r.created_at and m.id <> all(r.consumed_arrivals)`

/** Condition: event `e` is newer than the event of run `r` and ended none of its waits. */
const isNewArrival = (sql: Sql) => sql`
  e.id <> r.event_id and e.id <> all(r.consumed_arrivals)
  and (e.created_at > r.created_at or e.created_at = r.created_at and e.id > r.event_id)`

/** Smallest id of the time when run `r` began. */
export const minIdSince = (sql: Sql) => minIdOf(sql, sql`r.created_at - ${skew}::interval`)

/** Identifies a waiting run. */
export interface WaitingRunId {
  workspaceId: string
  runId: string
}

/**
 * Searches arrivals for waiting runs. Makes runs due that have an arrival, or that end because their customer opted
 * out. `last`: all transactions that were open when the runs were stored have ended, so the runs need no further
 * recheck. An arrival that was already evaluated and left the run waiting is evaluated again.
 */
export const recheckRuns = (sql: Sql, runs: readonly WaitingRunId[], { last }: { last: boolean }) => sql<
  WaitingRunId[]
>`
  with requested as materialized (
    select a.* from unnest(${runs.map(one => one.workspaceId)}::uuid[], ${runs.map(one => one.runId)}::uuid[])
      as a(workspace_id, run_id)
  ), waiting_runs as materialized (
    select a.*, r.customer_id, r.event_id, r.created_at, r.consumed_arrivals from requested a cross join lateral (
      select * from workflow_runs r where r.workspace_id = a.workspace_id and r.id = a.run_id and probe_index(r.id)
        and r.status = 'active' and r.waiting offset 0
    ) r
  ), arrivals as materialized (
    ${selectArrivals(sql, sql`waiting_runs`)}
  ), stored as (
    insert into run_arrivals (workspace_id, run_id, kind, arrival_id)
    select workspace_id, run_id, kind, arrival_id from arrivals on conflict do nothing
  ), deleted_rechecks as (
    delete from run_rechecks l using requested a where ${last} and l.workspace_id = a.workspace_id and l.run_id = a.run_id
  ), runs_to_resume as (
    select workspace_id, run_id from arrivals
    union
    select p.workspace_id, p.run_id from waiting_runs p
    where exists (select from run_arrivals w where w.workspace_id = p.workspace_id and w.run_id = p.run_id)
      or exists (select from run_waits w join customers c on c.workspace_id = w.workspace_id and c.id = w.customer_id
        where w.workspace_id = p.workspace_id and w.customer_id = p.customer_id and w.kind = 'opt_out'
          and w.event_type = '' and w.run_id = p.run_id and c.opted_out_at is not null)
  ), resumed_runs as (${resumeRuns(sql, sql`runs_to_resume`)})
  select workspace_id as "workspaceId", id as "runId" from resumed_runs`

/** Selects waiting runs that still need their recheck, oldest first, and the database time. */
export const findRunsToRecheck = async (sql: Sql, limit: number): Promise<{ runs: WaitingRunId[]; nowMs: number }> => {
  const [row] = await sql<{ runs: WaitingRunId[]; nowMs: number }[]>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::double precision as "nowMs",
      (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'runId', run_id)), '[]')
        from (select * from run_rechecks order by waiting_since limit ${limit}) l) as runs`
  return row!
}

/** Maximum number of runs per recheck statement, and of such statements per call. */
const maxRechecked = 500
const maxPages = 10

/**
 * Rechecks waiting runs after all transactions that were open when they were read have ended. If the process stops,
 * another process does the remaining rechecks.
 */
export class Rechecks {
  /** Runs to recheck, and the database time at which they were read. */
  #page: { runs: WaitingRunId[]; nowMs: number } | null = null

  constructor(
    private readonly sql: Sql,
    private readonly watermark: { readonly passedMs: number },
  ) {}

  async run(): Promise<void> {
    this.#page ??= await findRunsToRecheck(this.sql, maxRechecked * maxPages)
    const { runs, nowMs } = this.#page
    if (runs.length > 0 && this.watermark.passedMs <= nowMs) return
    this.#page = null
    for (let from = 0; from < runs.length; from += maxRechecked)
      await recheckRuns(this.sql, runs.slice(from, from + maxRechecked), { last: true })
  }
}

/** Maximum number of wakes per poll, oldest first. */
const maxPolled = 500

/**
 * Makes runs due whose wakes were stored while the run was locked or executing, and deletes wakes and waits of ended
 * runs. Usually finds nothing. Returns the number of runs made due.
 */
export const resumeWoken = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ resumed: number }[]>`
    with woken as materialized (
      select w.workspace_id, w.run_id, w.arrival_id, r.status is distinct from 'active' as has_ended
      from (select * from run_arrivals order by at limit ${maxPolled}) w
      left join lateral (
        select r.status from workflow_runs r where r.workspace_id = w.workspace_id and r.id = w.run_id and probe_index(r.id) offset 0
      ) r on true
    ), deleted_arrivals as (
      delete from run_arrivals w using woken o
      where o.has_ended and w.workspace_id = o.workspace_id and w.run_id = o.run_id and w.arrival_id = o.arrival_id
    ), deleted_waits as (
      delete from run_waits w using (select distinct workspace_id, run_id from woken where has_ended) o
      where w.workspace_id = o.workspace_id and w.run_id = o.run_id
    ), resumed_runs as (${resumeRuns(sql, sql`woken`)})
    select count(*)::integer as resumed from resumed_runs`
  return row!.resumed
}
