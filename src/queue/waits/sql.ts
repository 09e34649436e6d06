/**
 * Waits of runs, other than for time, and arrivals for them. A row of `run_waits` is a wait; a row of `run_arrivals` is an
 * arrival that is not evaluated yet. The statement that records an arrival also inserts its wake, and makes the run due
 * unless it is locked. A locked run is found by the worker's poll.
 */

import type { EndReason } from '../../core/statuses.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** A wait as the workflow definition states it. */
export interface Wait {
  kind: 'event' | 'reply'
  /** Null for a reply. */
  eventType: string | null
}

/** Maximum number of runs of one customer that one arrival wakes. */
const maxWoken = 100

/**
 * SQL parts to be placed after a `with`: `rows` (workspace_id, customer_id, arrival_id, event_type) wake the runs that
 * wait for them. Locked runs are skipped. Add it last to the statement, so that its locks are held as briefly as
 * possible.
 */
const wakeRuns = (sql: Sql, kind: Wait['kind'], rows: Fragment) => sql`
  woken as (
    insert into run_arrivals (workspace_id, run_id, kind, arrival_id)
    select a.workspace_id, w.run_id, ${kind}, a.arrival_id
    from (${rows}) as a(workspace_id, customer_id, arrival_id, event_type)
    cross join lateral (
      select w.run_id from run_waits w
      where w.workspace_id = a.workspace_id and w.customer_id = a.customer_id and w.kind = ${kind}
        and w.event_type = a.event_type
      order by w.run_id desc limit ${maxWoken}
    ) w
    on conflict do nothing
    returning workspace_id, run_id
  ), resumed_runs as (${resumeRuns(sql, sql`woken`)})`

/** Makes those of these runs (workspace_id, run_id) due that are waiting and neither locked nor claimed. */
export const resumeRuns = (sql: Sql, runs: Fragment) => sql`
  update workflow_runs r set wake_at = now()
  from (
    select locked.workspace_id, locked.id from (select distinct workspace_id, run_id from ${runs}) requested
    cross join lateral (
      select h.workspace_id, h.id from workflow_runs h
      where h.workspace_id = requested.workspace_id and h.id = requested.run_id and probe_index(h.id) and h.status = 'active'
        and h.wake_at > now() and (h.claimed_until is null or h.claimed_until <= now())
      for no key update skip locked
    ) locked
  ) locked
  where r.workspace_id = locked.workspace_id and r.id = locked.id and probe_index(r.id)
  returning r.workspace_id, r.id`

/**
 * Wakes runs by events: `recorded` is (workspace_id, customer_id, id, type). Only events of the given types are
 * checked.
 */
export const wakeRunsByEvents = (sql: Sql, recorded: Fragment, types: string[]) =>
  wakeRuns(
    sql,
    'event',
    sql`select workspace_id, customer_id, id, type from ${recorded} where type = any(${types}::text[])`,
  )

/**
 * Wakes runs by customer replies: `rows` is (workspace_id, customer_id, message_id). Replies that opt the customer out
 * must be excluded, because they do not end a wait.
 */
export const wakeRunsByReplies = (sql: Sql, rows: Fragment) =>
  wakeRuns(sql, 'reply', sql`select workspace_id, customer_id, message_id, '' from ${rows}`)

/**
 * SQL expression: the newest run that waits for a reply of the customer of `row` (workspace_id, customer_id, opts_out).
 * Null if there is none, or if the reply opts the customer out.
 */
export const newestRunWaitingForReply = (sql: Sql, row: Fragment) => sql`(
  select w.run_id from run_waits w
  where w.workspace_id = ${row}.workspace_id and w.customer_id = ${row}.customer_id and w.kind = 'reply'
    and w.event_type = '' and not ${row}.opts_out
  order by w.run_id desc limit 1)`

/** Maximum number of runs of one customer that end in one statement. */
const maxEndedTogether = 1000

/**
 * SQL parts to be placed after a `with`: ends runs of customers who opt out, `rows` (workspace_id, customer_id), if
 * their definition requires it. Skips locked runs: their next execution reads the opt-out and ends them.
 */
export const endRunsByOptOut = (sql: Sql, rows: Fragment) =>
  endRuns(
    sql,
    sql`select locked.workspace_id, locked.id from ${rows} as o
      cross join lateral (
        select w.run_id from run_waits w
        where w.workspace_id = o.workspace_id and w.customer_id = o.customer_id and w.kind = 'opt_out'
        order by w.run_id limit ${maxEndedTogether}
      ) w
      cross join lateral (
        select h.workspace_id, h.id from workflow_runs h
        where h.workspace_id = o.workspace_id and h.id = w.run_id and probe_index(h.id) and h.status = 'active'
        for no key update skip locked
      ) locked`,
    { status: 'done', reason: 'opted_out' },
  )

/**
 * SQL parts that end runs, `runs` (workspace_id, id), in any state, and delete their waits. `ended` holds the runs
 * that ended. A worker that is executing one of them detects this and writes nothing.
 */
export const endRuns = (
  sql: Sql,
  runs: Fragment,
  { status, reason, detail }: { status: 'done' | 'failed' | 'stopped'; reason: EndReason; detail?: string },
) => sql`
  ending_runs as materialized (${runs}),
  ended as (
    update workflow_runs r set status = ${status}, end_reason = ${reason}, waiting = false, wake_at = null,
      wait_until = null, ended_at = now(), claimed_until = null
      ${detail === undefined ? sql`` : sql`, end_detail = ${detail}`}
    from ending_runs e where r.workspace_id = e.workspace_id and r.id = e.id and probe_index(r.id) and r.status = 'active'
    returning r.workspace_id, r.id
  ), ${deleteWaits(sql, sql`ended`)}`

/** SQL parts that delete the waits, wakes and rechecks of ended runs (workspace_id, id). */
const deleteWaits = (sql: Sql, runs: Fragment) => sql`
  deleted_waits as (
    delete from run_waits w using ${runs} r where w.workspace_id = r.workspace_id and w.run_id = r.id
  ), deleted_arrivals as (
    delete from run_arrivals w using ${runs} r where w.workspace_id = r.workspace_id and w.run_id = r.id
  ), deleted_rechecks as (
    delete from run_rechecks l using ${runs} r where l.workspace_id = r.workspace_id and l.run_id = r.id
  )`

/** Waits of a run after an execution. */
export interface RunWaits {
  workspaceId: string
  runId: string
  customerId: string
  /** All waits, replacing the previous ones. Empty if the run waits only for time or has ended. */
  waitsFor: readonly Wait[]
  /** True if an opt-out of the customer ends the run. */
  endsByOptOut: boolean
  ended: boolean
  /** True if the run has just reached this wait. */
  isNew: boolean
  /** Ids of arrivals that were evaluated. */
  seen: readonly string[]
}

/**
 * SQL parts that replace the waits of the runs in the part `stored` (workspace_id, id). Unchanged rows are not written.
 */
export const storeWaits = (sql: Sql, runWaits: readonly RunWaits[]) => sql`
  waiting_runs as materialized (
    select p.* from json_to_recordset(${JSON.stringify(runWaits.map(toRow))}::text::json)
      as p(workspace_id uuid, run_id uuid, ended boolean, is_new boolean, waits boolean)
    where (p.workspace_id, p.run_id) in (select workspace_id, id from stored)
  ), new_waits as materialized (
    select w.workspace_id, w.customer_id, w.kind, w.event_type, w.run_id
    from json_to_recordset(${JSON.stringify(runWaits.flatMap(toWaitRows))}::text::json)
      as w(workspace_id uuid, customer_id uuid, kind text, event_type text, run_id uuid)
    join waiting_runs p on p.workspace_id = w.workspace_id and p.run_id = w.run_id
  ), deleted_waits as (
    delete from run_waits w using waiting_runs p
    where w.workspace_id = p.workspace_id and w.run_id = p.run_id
      and (w.kind, w.event_type, w.run_id) not in (select kind, event_type, run_id from new_waits)
  ), inserted_waits as (
    insert into run_waits (workspace_id, customer_id, kind, event_type, run_id)
    select workspace_id, customer_id, kind, event_type, run_id from new_waits on conflict do nothing
  ), deleted_arrivals as (
    delete from run_arrivals w using waiting_runs p
    where w.workspace_id = p.workspace_id and w.run_id = p.run_id
      and (p.ended or (w.run_id, w.arrival_id) in (
        select s.run_id, s.arrival_id from json_to_recordset(${JSON.stringify(runWaits.flatMap(toSeenRows))}::text::json)
          as s(run_id uuid, arrival_id uuid)))
  ), inserted_rechecks as (
    insert into run_rechecks (workspace_id, run_id)
    select workspace_id, run_id from waiting_runs where is_new and waits
    on conflict (workspace_id, run_id) do update set waiting_since = now()
  ), deleted_rechecks as (
    delete from run_rechecks l using waiting_runs p
    where not p.waits and l.workspace_id = p.workspace_id and l.run_id = p.run_id
  )`

const toRow = ({ workspaceId, runId, ended, isNew, waitsFor, endsByOptOut }: RunWaits) => ({
  workspace_id: workspaceId,
  run_id: runId,
  ended,
  is_new: isNew,
  waits: waitsFor.length > 0 || endsByOptOut,
})

const toWaitRows = ({ workspaceId, runId, customerId, waitsFor, endsByOptOut }: RunWaits) => [
  ...waitsFor.map(({ kind, eventType }) => ({
    workspace_id: workspaceId,
    customer_id: customerId,
    kind: kind as string,
    event_type: eventType ?? '',
    run_id: runId,
  })),
  ...(endsByOptOut
    ? [{ workspace_id: workspaceId, customer_id: customerId, kind: 'opt_out', event_type: '', run_id: runId }]
    : []),
]

const toSeenRows = ({ runId, seen }: RunWaits) => seen.map(id => ({ run_id: runId, arrival_id: id }))
