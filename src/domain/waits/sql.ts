/**
 * What runs wait for besides time, and what arrives for them. The rows of `run_waits` say who waits for what, those of
 * `run_wakes` what arrived and was not judged yet: whoever records an arrival writes one in the same statement, and makes
 * the run due where nobody holds it. A run that is held is found by the poll of the pump.
 */
import type { Fragment, Sql } from '../../db/client.ts'
import type { EndReason } from '../run-words.ts'

/** What a run waits for, as its definition says. */
export interface WaitsFor {
  kind: 'event' | 'reply'
  /** Null of a reply. */
  eventType: string | null
}

/** Runs of one customer that wait for the same, and are woken by one arrival. */
const maxWoken = 100

/**
 * Parts of a statement, to be put behind its `with`: `rows`, (workspace_id, customer_id, arrival_id, event_type), wake the
 * runs of their customers that wait for such. Waits for no run that somebody holds. To stand last in its statement: what
 * it locks is held for the shortest time.
 */
const waking = (sql: Sql, kind: WaitsFor['kind'], rows: Fragment) => sql`
  woken as (
    insert into run_wakes (workspace_id, run_id, kind, arrival_id)
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
  ), roused as (${rousing(sql, sql`woken`)})`

/** Makes those of these runs, (workspace_id, run_id), due that wait and that nobody holds or works on. */
export const rousing = (sql: Sql, runs: Fragment) => sql`
  update workflow_runs r set wake_at = now()
  from (
    select held.workspace_id, held.id from (select distinct workspace_id, run_id from ${runs}) asked
    cross join lateral (
      select h.workspace_id, h.id from workflow_runs h
      where h.workspace_id = asked.workspace_id and h.id = asked.run_id and looked_up(h.id) and h.status = 'active'
        and h.wake_at > now() and (h.claimed_until is null or h.claimed_until <= now())
      for no key update skip locked
    ) held
  ) held
  where r.workspace_id = held.workspace_id and r.id = held.id and looked_up(r.id)
  returning r.workspace_id, r.id`

/** Wakes runs by events: `recorded` is (workspace_id, customer_id, id, type). Of other types than these none is looked at. */
export const wakingByEvents = (sql: Sql, recorded: Fragment, types: string[]) =>
  waking(
    sql,
    'event',
    sql`select workspace_id, customer_id, id, type from ${recorded} where type = any(${types}::text[])`,
  )

/**
 * Wakes runs by what their customers wrote: `rows` is (workspace_id, customer_id, message_id). What opts the customer out
 * answers no wait and is not to be among them.
 */
export const wakingByReplies = (sql: Sql, rows: Fragment) =>
  waking(sql, 'reply', sql`select workspace_id, customer_id, message_id, '' from ${rows}`)

/**
 * The newest run that waits for a reply of the customer of `row` (workspace_id, customer_id, opts_out), as an expression.
 * Null where none does, and where the reply opts the customer out.
 */
export const waitingForReply = (sql: Sql, row: Fragment) => sql`(
  select w.run_id from run_waits w
  where w.workspace_id = ${row}.workspace_id and w.customer_id = ${row}.customer_id and w.kind = 'reply'
    and w.event_type = '' and not ${row}.opts_out
  order by w.run_id desc limit 1)`

/** Runs of one customer that end together. */
const maxEndedTogether = 1000

/**
 * Parts of a statement, to be put behind its `with`: ends the runs of customers who opt out, `rows` (workspace_id,
 * customer_id), where their definition says so. One that somebody holds is left out: its next visit sees that the customer
 * opted out, and ends it.
 */
export const endingByOptOut = (sql: Sql, rows: Fragment) =>
  ending(
    sql,
    sql`select held.workspace_id, held.id from ${rows} as o
      cross join lateral (
        select w.run_id from run_waits w
        where w.workspace_id = o.workspace_id and w.customer_id = o.customer_id and w.kind = 'opt_out'
        order by w.run_id limit ${maxEndedTogether}
      ) w
      cross join lateral (
        select h.workspace_id, h.id from workflow_runs h
        where h.workspace_id = o.workspace_id and h.id = w.run_id and looked_up(h.id) and h.status = 'active'
        for no key update skip locked
      ) held`,
    { status: 'done', reason: 'opted_out' },
  )

/**
 * Parts of a statement: ends runs, `which` (workspace_id, id), wherever they stand, with all that they waited for; those
 * that end are `ended`. Whoever works on one finds that it has ended, and writes nothing.
 */
export const ending = (
  sql: Sql,
  which: Fragment,
  { status, reason }: { status: 'done' | 'failed' | 'stopped'; reason: EndReason },
) => sql`
  to_end as materialized (${which}),
  ended as (
    update workflow_runs r set status = ${status}, end_reason = ${reason}, waiting = false, wake_at = null,
      wait_until = null, ended_at = now(), claimed_until = null
    from to_end e where r.workspace_id = e.workspace_id and r.id = e.id and looked_up(r.id) and r.status = 'active'
    returning r.workspace_id, r.id
  ), ${forgetting(sql, sql`ended`)}`

/** Parts of a statement: what runs that have ended, (workspace_id, id), waited for, and what arrived for them, goes. */
const forgetting = (sql: Sql, runs: Fragment) => sql`
  unwaited as (
    delete from run_waits w using ${runs} r where w.workspace_id = r.workspace_id and w.run_id = r.id
  ), unwoken as (
    delete from run_wakes w using ${runs} r where w.workspace_id = r.workspace_id and w.run_id = r.id
  ), unlooked as (
    delete from run_looks l using ${runs} r where l.workspace_id = r.workspace_id and l.run_id = r.id
  )`

/** What a visit left a run waiting for. */
export interface Parking {
  workspaceId: string
  runId: string
  customerId: string
  /** All of it, in place of what it waited for before; empty where it waits for time alone, or has ended. */
  waitsFor: readonly WaitsFor[]
  /** An opt-out of the customer ends it. */
  endsByOptOut: boolean
  ended: boolean
  /** It has come to this wait only now. */
  isNew: boolean
  /** What arrived and was judged. */
  seen: readonly string[]
}

/**
 * Parts of a statement: the waits of runs it wrote, which are in its part `stored`, (workspace_id, id), become these. What
 * stays as it was is not touched.
 */
export const parking = (sql: Sql, parkings: readonly Parking[]) => sql`
  parked as materialized (
    select p.* from json_to_recordset(${JSON.stringify(parkings.map(rowOf))}::text::json)
      as p(workspace_id uuid, run_id uuid, ended boolean, is_new boolean, waits boolean)
    where (p.workspace_id, p.run_id) in (select workspace_id, id from stored)
  ), awaited as materialized (
    select w.workspace_id, w.customer_id, w.kind, w.event_type, w.run_id
    from json_to_recordset(${JSON.stringify(parkings.flatMap(waitsOf))}::text::json)
      as w(workspace_id uuid, customer_id uuid, kind text, event_type text, run_id uuid)
    join parked p on p.workspace_id = w.workspace_id and p.run_id = w.run_id
  ), unwaited as (
    delete from run_waits w using parked p
    where w.workspace_id = p.workspace_id and w.run_id = p.run_id
      and (w.kind, w.event_type, w.run_id) not in (select kind, event_type, run_id from awaited)
  ), waited as (
    insert into run_waits (workspace_id, customer_id, kind, event_type, run_id)
    select workspace_id, customer_id, kind, event_type, run_id from awaited on conflict do nothing
  ), unwoken as (
    delete from run_wakes w using parked p
    where w.workspace_id = p.workspace_id and w.run_id = p.run_id
      and (p.ended or (w.run_id, w.arrival_id) in (
        select s.run_id, s.arrival_id from json_to_recordset(${JSON.stringify(parkings.flatMap(seenOf))}::text::json)
          as s(run_id uuid, arrival_id uuid)))
  ), to_look as (
    insert into run_looks (workspace_id, run_id)
    select workspace_id, run_id from parked where is_new and waits
    on conflict (workspace_id, run_id) do update set parked_at = now()
  ), unlooked as (
    delete from run_looks l using parked p
    where not p.waits and l.workspace_id = p.workspace_id and l.run_id = p.run_id
  )`

const rowOf = ({ workspaceId, runId, ended, isNew, waitsFor, endsByOptOut }: Parking) => ({
  workspace_id: workspaceId,
  run_id: runId,
  ended,
  is_new: isNew,
  waits: waitsFor.length > 0 || endsByOptOut,
})

const waitsOf = ({ workspaceId, runId, customerId, waitsFor, endsByOptOut }: Parking) => [
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

const seenOf = ({ runId, seen }: Parking) => seen.map(id => ({ run_id: runId, arrival_id: id }))
