/** The statements of runs: rows that fall due, are claimed, and are written back by whoever claimed them. */
import type { Fragment, Sql } from '../../db/client.ts'
import { beginning } from '../mailbox.ts'
import { type QueuedFor, type QueuedRows, queuedRows } from '../messages/index.ts'
import { type Told, tell, whatWasTold } from '../telling/index.ts'
import { type Parking, parking } from '../waits/index.ts'
import type { Facts } from './facts.ts'
import type { Advance, RunState } from './interpreter.ts'
import { queuedByVisits, type RecordedVisit, recordingVisits, tells } from './record.ts'
import { maxReach, type ReadCustomer, type ReadWorkspace } from './run-facts.ts'
import type { Definition } from './schema.ts'

/**
 * Milliseconds until the next run falls due, by the clock of the database: 0 or less where one is due already, null where
 * none waits, of those due at `from` or later. Those that somebody works on are not asked; should he die over one, it is
 * found by the poll.
 */
export const nextRunDue = async (sql: Sql, from = beginning): Promise<number | null> => {
  const [row] = await sql<{ dueInMs: number }[]>`
    select (extract(epoch from wake_at - clock_timestamp()) * 1000)::double precision as "dueInMs"
    from workflow_runs where wake_at >= ${from} and (claimed_until is null or claimed_until <= now())
    order by wake_at limit 1`
  return row?.dueInMs ?? null
}

/** How a run that is claimed was read. What became of it is written only while its row is still like this. */
interface Claim {
  workspaceId: string
  id: string
  /** This one included. */
  tries: number
  /** With all their digits, as the database writes them. */
  wakeAt: string
  claimedUntil: string
}

/** A run that is claimed, with all that a visit needs. */
export interface DueRun extends RunState, Claim {
  workflowId: string
  customerId: string
  /** When its event was recorded. */
  recordedAt: Date
  definition: Definition
  /** The templates that its definition names. */
  templateIds: string[]
  /** How far what arrived for it has been judged, where it was not told of all at once. */
  seenUpTo: string | null
  /** It may be woken by what happens: what arrived for it is to be read. */
  waits: boolean
  read: ReadForRun
}

/** What the claim read for a visit. */
export interface ReadForRun {
  data: Facts['data']
  event: Facts['event']
  customer: ReadCustomer
  workspace: ReadWorkspace
}

/** Runs that are claimed together. */
export interface ClaimedRuns {
  runs: DueRun[]
  /** What the database said the time was. */
  now: Date
  /** The run that has been due longest was tried before, and nobody came back to say how that ended. */
  suspected: boolean
  /** When the first run of all falls due, claimed or not, in milliseconds since 1970; null where none waits: see `Look`. */
  firstMs: number | null
}

/** Which runs to claim. */
export interface ClaimOptions {
  limit: number
  /** Nothing else is in hand: a run that was tried before may be taken, and is then taken by itself. */
  alone: boolean
  /** So long nobody else takes them. */
  claimMs: number
  /** No run is due before it. */
  from?: Date
}

/**
 * A claim takes no more runs once their events and versions come to so much; the rest stay due. It is what a process
 * holds in memory for each page of runs.
 */
const maxBytesRead = 4_000_000

/**
 * Claims the runs that have been due longest and reads all that visits to them need. One that was tried before may be
 * what its process died of: it is claimed by itself, so that no other is counted a try for its sake. Left joins: a run
 * that lacks something must be handed out all the same and end, or it would stay due forever. `lateral … offset 0` holds
 * the planner to one index probe for each run. Nobody waits until the claim is on disk: should PostgreSQL fall over before
 * it is, what was done under it is refused.
 */
export const claimDueRuns = async (
  sql: Sql,
  { limit, alone, claimMs, from = beginning }: ClaimOptions,
): Promise<ClaimedRuns> => {
  const [row] = await sql<ClaimedRow[]>`
    with due as materialized (
      select ctid as lies_at, workspace_id, id, workflow_id, version, event_id, wake_at, ${triesOf(sql, claimMs)} as tries
      from workflow_runs where wake_at >= ${from} and wake_at <= now() and (claimed_until is null or claimed_until <= now())
      order by wake_at limit ${limit} for update skip locked
    ), version as materialized (
      select asked.*, v.definition, v.template_ids, ${sizeOf(sql, 'v.definition')} as size
      from (select distinct workspace_id, workflow_id, version from due) asked
      left join lateral (
        select definition, template_ids from workflow_versions v
        where v.workspace_id = asked.workspace_id and v.workflow_id = asked.workflow_id and v.version = asked.version offset 0
      ) v on true
    ), weighed as (
      select due.*, e.found, e.type, e.data, e.created_at,
        row_number() over by_age as place,
        first_value(due.tries) over by_age > 0 as suspected,
        sum(coalesce(${sizeOf(sql, 'e.data')}, 0) + coalesce(v.size, 0)) over (by_age rows between unbounded preceding and 1 preceding) as size_before
      from due
      join version v using (workspace_id, workflow_id, version)
      left join lateral (
        select e.id as found, e.type, e.data, e.created_at from events e
        where e.workspace_id = due.workspace_id and e.id = due.event_id offset 0
      ) e on true
      window by_age as (order by due.wake_at, due.id)
    ), chosen as materialized (
      select * from weighed where coalesce(size_before, 0) < ${maxBytesRead}
        and case when suspected and ${alone}::boolean then place = 1 else tries = 0 end
    ), claimed as (
      update workflow_runs r
      set tries = c.tries + 1, claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond'
      from chosen c where r.workspace_id = c.workspace_id and r.ctid = c.lies_at and looked_up(r.id)
      returning r.*, c.place, c.found, c.type, c.data, c.created_at as recorded_at
    ), place as materialized (
      select asked.workspace_id, ${readingWorkspace(sql, sql`asked.workspace_id`)} as workspace
      from (select distinct workspace_id from chosen) asked
    )
    select now() as now, set_config('synchronous_commit', 'off', true),
      exists (select from weighed where suspected) as suspected,
      (select floor(extract(epoch from wake_at) * 1000)::double precision from workflow_runs
        where wake_at >= ${from} order by wake_at limit 1) as "firstMs",
      (select coalesce(json_agg(json_build_object('workflowId', workflow_id, 'version', version, 'definition', definition,
          'templateIds', coalesce(template_ids, '{}'))), '[]')
        from version where (workspace_id, workflow_id, version) in (select workspace_id, workflow_id, version from chosen)
      ) as definitions,
      (select coalesce(json_object_agg(workspace_id, workspace), '{}') from place) as workspaces,
      (select coalesce(json_agg(json_build_object(
          'workspaceId', r.workspace_id, 'id', r.id, 'tries', r.tries, 'wakeAt', r.wake_at::text,
          'claimedUntil', r.claimed_until::text, 'stepId', r.step_id, 'waiting', r.waiting, 'stepsTaken', r.steps_taken,
          'waitUntil', r.wait_until, 'answer', r.answer, 'used', r.used, 'seenUpTo', r.seen_up_to,
          'waits', exists (select from run_waits w where w.workspace_id = r.workspace_id and w.run_id = r.id)
            or exists (select from run_wakes w where w.workspace_id = r.workspace_id and w.run_id = r.id),
          'workflowId', r.workflow_id, 'version', r.version, 'customerId', r.customer_id, 'recordedAt', r.recorded_at,
          'read', json_build_object(
            'data', r.data,
            'event', json_build_object('id', r.found, 'type', r.type),
            'customer', ${readingCustomer(sql)}
          )
        ) order by r.place), '[]')
        from claimed r
        left join lateral (
          select * from customers p where p.workspace_id = r.workspace_id and p.id = r.customer_id offset 0
        ) p on true
      ) as runs`
  return runsOf(row!)
}

/** Of `customers p`, what a visit sees: the addresses on channels where there is no phone, which goes before them. */
export const readingCustomer = (sql: Sql) => sql`
  json_build_object('id', p.id, 'name', p.name, 'phone', p.phone, 'externalId', p.external_id, 'attributes', p.attributes,
    'optedIn', p.opted_in_at is not null, 'optedOut', p.opted_out_at is not null,
    'hasConversation', exists (select from conversations co where co.workspace_id = p.workspace_id and co.customer_id = p.id),
    'wrote', (
      select coalesce(json_agg(json_build_object('channelId', co.channel_id, 'at', co.last_inbound_at)), '[]') from (
        select co.channel_id, co.last_inbound_at from conversations co
        where co.workspace_id = p.workspace_id and co.customer_id = p.id and co.last_inbound_at is not null
        limit ${maxReach}) co),
    'handles', case when p.phone is null then (
      select coalesce(json_agg(json_build_object('channelId', h.channel_id, 'handle', h.handle) order by h.created_at desc), '[]')
      from (select h.channel_id, h.handle, h.created_at from handles h
        where h.workspace_id = p.workspace_id and h.customer_id = p.id limit ${maxReach}) h) else '[]' end)`

/** A workspace as visits see it. */
export const readingWorkspace = (sql: Sql, workspaceId: Fragment) => sql`
  (select json_build_object('timezone', w.timezone, 'planId', w.plan_id, 'channels', (
      select coalesce(json_agg(json_build_object('id', ch.id, 'kind', ch.kind, 'connected', ch.status <> 'disconnected')
        order by ch.status = 'disconnected', ch.id), '[]')
      from (select ch.id, ch.kind, ch.status from channels ch where ch.workspace_id = w.id
        order by ch.status = 'disconnected', ch.id limit ${maxReach}) ch))
    from workspaces w where w.id = ${workspaceId})`

/**
 * Tries that nobody came back from. A process of a release that knows no claims may have moved the run on under one, and
 * have left what the claim wrote: then it is due at a time after the claim, and none of its tries was in vain.
 */
const triesOf = (sql: Sql, claimMs: number) => sql`
  case when wake_at > claimed_until - ${claimMs} * interval '1 millisecond' then 0 else tries end`

interface ClaimedRow {
  firstMs: number | null
  now: Date
  suspected: boolean
  definitions: { workflowId: string; version: number; definition: Definition; templateIds: string[] }[]
  workspaces: Record<string, ReadWorkspace>
  runs: (Omit<DueRun, 'definition' | 'templateIds' | 'recordedAt' | 'read'> & {
    version: number
    recordedAt: string
    read: Omit<ReadForRun, 'workspace'>
  })[]
}

/** A version is handed over once, however many runs of it there are. */
const runsOf = ({ now, suspected, firstMs, definitions, workspaces, runs }: ClaimedRow): ClaimedRuns => {
  const byVersion = new Map(definitions.map(({ workflowId, version, ...of }) => [`${workflowId} ${version}`, of]))
  return {
    now,
    suspected,
    firstMs,
    runs: runs.map(({ version, ...run }) => ({
      ...run,
      // Of one that waits for time alone `wake_at` is all there is to it: it is due, so its time has come.
      waitUntil: run.waits ? run.waitUntil : null,
      recordedAt: new Date(run.recordedAt),
      // Null where the version is gone; then the visit fails, and the run ends.
      ...byVersion.get(`${run.workflowId} ${version}`)!,
      read: { ...run.read, workspace: workspaces[run.workspaceId]! },
    })),
  }
}

/** Writing a small value out only to measure it would cost more than all else that is done with it here. */
const smallBytes = 1000

/** About how much a json value comes to as text. What is small as it is stored, and not compressed, is small. */
const sizeOf = (sql: Sql, column: 'v.definition' | 'e.data') => sql`
  case when pg_column_size(${sql(column)}) < ${smallBytes} and pg_column_compression(${sql(column)}) is null
    then pg_column_size(${sql(column)}) else octet_length(${sql(column)}::text) end`

/**
 * The rows of `workflow_runs r` that are still as they were claimed, among `claims c`. Of two times that are both there,
 * `not distinct` is the same as `=`, and cannot be asked of the index of all that wait, which may be many.
 */
const asClaimed = (sql: Sql) => sql`
  r.workspace_id = c.workspace_id and r.id = c.id and looked_up(r.id) and r.status is not distinct from 'active' and r.tries = c.tries
    and r.wake_at is not distinct from c.was_due_at and r.claimed_until is not distinct from c.claimed_until`

/** Gives runs back that the database would not take for a fault of its own: the try does not count. */
export const giveBackRuns = (sql: Sql, runs: DueRun[]) => sql`
  update workflow_runs r set tries = r.tries - 1, claimed_until = null
  from json_to_recordset(${JSON.stringify(runs.map(claimOf))}::text::json) as c(workspace_id uuid, id uuid, tries smallint,
    was_due_at timestamptz, claimed_until timestamptz)
  where ${asClaimed(sql)}`

/** Puts a run off that could not be advanced, behind the others. The try counts. */
export const putOffRun = (sql: Sql, run: DueRun, ms: number) => sql`
  update workflow_runs r set wake_at = now() + ${ms} * interval '1 millisecond', claimed_until = null
  from json_to_recordset(${JSON.stringify([claimOf(run)])}::text::json) as c(workspace_id uuid, id uuid, tries smallint,
    was_due_at timestamptz, claimed_until timestamptz)
  where ${asClaimed(sql)}`

/**
 * Counts a try for the run that has been due longest, which could not even be claimed: it is put off, or ends with the
 * last of its tries. Null where somebody else has taken it since.
 */
export const failFirstDueRun = async (sql: Sql, { maxTries, waitMs }: { maxTries: number; waitMs: number }) => {
  const [row] = await sql<{ id: string; ended: boolean }[]>`
    with first as (
      select workspace_id, id, tries + 1 >= ${maxTries} as ends from workflow_runs
      where wake_at <= now() and (claimed_until is null or claimed_until <= now())
      order by wake_at limit 1 for update skip locked
    )
    update workflow_runs r set tries = r.tries + 1, claimed_until = null,
      status = case when ends then 'failed' else status end,
      end_reason = case when ends then 'internal_error' end,
      waiting = waiting and not ends,
      ended_at = case when ends then now() end,
      wake_at = case when not ends then now() + ${waitMs} * interval '1 millisecond' end
    from first where r.workspace_id = first.workspace_id and r.id = first.id and looked_up(r.id)
    returning r.id, ends as ended`
  return row ?? null
}

const claimOf = ({ workspaceId, id, tries, wakeAt, claimedUntil }: Claim) => ({
  workspace_id: workspaceId,
  id,
  tries,
  was_due_at: wakeAt,
  claimed_until: claimedUntil,
})

/** What became of a run. */
export type RunAdvance = Advance & {
  /** Null unless there is more to judge. */
  seenUpTo: string | null
  /** What arrived for it and was judged by the visit. */
  seen?: readonly string[]
}

/** Ends of which nothing is to be said but that they came. */
const doneReasons: ReadonlySet<string> = new Set(['completed', 'exited', 'exit_condition', 'opted_out'])

/**
 * Everything the steps did, in one statement: the runs move on, the trace grows, and each kind of effect is written as
 * its own noun says. Only of runs that are still as they were claimed: of one that ended meanwhile, as its customer was
 * erased, or that somebody else took since, nothing is written. Answers the channels that were given messages.
 */
export const recordAdvances = async (tx: Sql, advances: { run: DueRun; to: RunAdvance }[]): Promise<QueuedFor[]> => {
  const visits = advances.map(visitOf)
  const parkings = advances.flatMap(parkingOf)
  const telling = tells(visits)
  const statement = tx<{ queued: QueuedRows; told: Told | null }[]>`
    with stored as (
      update workflow_runs r set step_id = c.step_id, waiting = c.waiting, steps_taken = c.steps_taken, wake_at = c.wake_at,
        end_reason = c.end_reason, end_detail = c.end_detail, wait_until = c.wait_until, answer = c.answer,
        used = c.used, seen_up_to = c.seen_up_to,
        ended_at = case when c.wake_at is null then now() end, tries = 0, claimed_until = null,
        status = case when c.wake_at is not null then 'active' when c.end_reason = any(${[...doneReasons]}::text[]) then 'done' else 'failed' end
      from json_to_recordset(${JSON.stringify(advances.map(moveOf))}::text::json) as c(workspace_id uuid, id uuid,
        tries smallint, was_due_at timestamptz, claimed_until timestamptz, step_id text, waiting boolean,
        steps_taken integer, wake_at timestamptz, end_reason text, end_detail text, wait_until timestamptz, answer jsonb,
        used uuid[], seen_up_to uuid)
      where ${asClaimed(tx)}
      returning r.workspace_id, r.id
    ), ${recordingVisits(tx, visits)}${parkings.length > 0 ? tx`, ${parking(tx, parkings)}` : tx``}
    select ${queuedRows(tx)} as queued, ${telling ? whatWasTold(tx) : tx`null`} as told`
  const [row] = await tell(tx, statement)
  return queuedByVisits(visits, row!.queued)
}

/** A run ends after too many steps long before that. */
const maxUsed = 1000

const moveOf = ({ run, to }: { run: DueRun; to: RunAdvance }) => ({
  ...claimOf(run),
  step_id: to.state.stepId,
  waiting: to.state.waiting,
  steps_taken: to.state.stepsTaken,
  wake_at: to.wakeAt,
  end_reason: to.endReason,
  end_detail: to.endDetail,
  wait_until: to.state.waitUntil,
  answer: to.state.answer,
  // As PostgreSQL writes a list: of json it would take none.
  used: `{${to.state.used.slice(-maxUsed)}}`,
  seen_up_to: to.seenUpTo,
})

/** It waits, and at a step that it came to in this visit. */
export const isEntered = ({ run, to }: { run: DueRun; to: RunAdvance }): boolean =>
  to.state.waiting && to.state.stepsTaken !== run.stepsTaken

/** What it waits for from now on; none where it does not change: it waited for time alone and does so still. */
const parkingOf = ({ run, to }: { run: DueRun; to: RunAdvance }): Parking[] => {
  // Whoever knows the step at which it stands knows what it waits for there.
  if (to.unknownType !== null) return []
  const ended = to.wakeAt === null
  const waitsFor = ended ? [] : to.waitsFor
  const endsByOptOut = !ended && mayEndByOptOut(run.definition)
  if (!run.waits && waitsFor.length === 0 && !endsByOptOut) return []
  const { workspaceId, id: runId, customerId } = run
  const isNew = isEntered({ run, to })
  return [{ workspaceId, runId, customerId, waitsFor, endsByOptOut, ended, isNew, seen: to.seen ?? [] }]
}

const mayEndByOptOut = ({ exitOn = [] }: Definition): boolean => exitOn.some(exit => 'optOut' in exit)

const visitOf = ({
  run: { workspaceId, id, workflowId, customerId },
  to,
}: {
  run: DueRun
  to: RunAdvance
}): RecordedVisit => ({
  run: { workspaceId, id, workflowId, customerId },
  to,
})
