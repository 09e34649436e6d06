import type { Sql } from '../../platform/postgres/client.ts'
import { endRuns, type RunWaits, storeWaits } from '../../queue/waits/index.ts'
import type { Definition } from '../schema.ts'

interface WorkflowKey {
  workspaceId: string
  workflowId: string
}

/**
 * Stops a page of runs that started before `startedBy`, or of all runs while the workflow is disabled. Returns whether
 * runs are left, including locked ones, and whether the workflow is disabled.
 */
export const stopPage = async (sql: Sql, p: WorkflowKey & { startedBy: string; limit: number }) => {
  const isDisabled = sql`
    (select not w.enabled from workflows w where w.workspace_id = ${p.workspaceId} and w.id = ${p.workflowId})`
  const activeRuns = sql`
    select r.workspace_id, r.id from workflow_runs r
    where r.workspace_id = ${p.workspaceId} and r.workflow_id = ${p.workflowId} and r.status = 'active'
      and (r.created_at <= ${p.startedBy} or ${isDisabled})`
  const [row] = await sql<{ stopped: number; found: number; isDisabled: boolean | null }[]>`
    with ${endRuns(
      sql,
      sql`select * from (${activeRuns} order by r.version, r.step_id, r.id limit ${p.limit} for no key update skip locked) r`,
      { status: 'stopped', reason: 'stopped' },
    )}
    select count(*)::integer as stopped, (select count(*)::integer from (${activeRuns} limit ${p.limit + 1}) l) as found,
      ${isDisabled} as "isDisabled"
    from ended`
  // The stopped runs are included in `found`, because the statement reads the state before the update.
  return { stopped: row!.stopped, left: row!.found > row!.stopped, isDisabled: row!.isDisabled ?? true }
}

export const findDefinition = async (sql: Sql, p: WorkflowKey & { version: number }): Promise<Definition | null> => {
  const [row] = await sql<{ definition: Definition }[]>`
    select definition from workflow_versions
    where workspace_id = ${p.workspaceId} and workflow_id = ${p.workflowId} and version = ${p.version}`
  return row?.definition ?? null
}

/** Maximum number of (version, step) pairs to look up. */
const maxSteps = 2000

/**
 * Finds the steps, with their versions, at which runs of older versions are. It skips along the index: the cost depends
 * on the number of steps, not of runs.
 */
export const findOccupiedSteps = (sql: Sql, p: WorkflowKey & { version: number }) => sql<
  { version: number; stepId: string | null }[]
>`
  with recursive occupied as (
    (select r.version, r.step_id, 1 as number from workflow_runs r
      where r.workspace_id = ${p.workspaceId} and r.workflow_id = ${p.workflowId} and r.status = 'active'
        and r.version < ${p.version}
      order by r.version, r.step_id limit 1)
    union all
    select next.version, next.step_id, occupied.number + 1 from occupied cross join lateral (
      (select r.version, r.step_id from workflow_runs r
        where r.workspace_id = ${p.workspaceId} and r.workflow_id = ${p.workflowId} and r.status = 'active'
          and r.version = occupied.version and (r.step_id > occupied.step_id)
        order by r.step_id limit 1)
      union all
      (select r.version, r.step_id from workflow_runs r
        where r.workspace_id = ${p.workspaceId} and r.workflow_id = ${p.workflowId} and r.status = 'active'
          and r.version = occupied.version and r.step_id is null and occupied.step_id is not null
        limit 1)
      union all
      (select r.version, r.step_id from workflow_runs r
        where r.workspace_id = ${p.workspaceId} and r.workflow_id = ${p.workflowId} and r.status = 'active'
          and r.version > occupied.version and r.version < ${p.version}
        order by r.version, r.step_id limit 1)
      limit 1
    ) next
    where occupied.number < ${maxSteps}
  )
  select version, step_id as "stepId" from occupied`

/** Run to move to another version, as it was read. */
export interface MovingRun {
  id: string
  customerId: string
  stepId: string | null
  waiting: boolean
  /** Timestamp text with full precision. */
  wakeAt: string
  waitUntil: string | null
  /** Time when the last step was entered. Null before the first step. */
  enteredAt: Date | null
  /** Value of the customer's attribute `timezone`, and the time zone of the workspace. */
  customerZone: unknown
  workspaceZone: string
}

/** Returns runs at a step of a version, ordered by ID. */
export const selectRunsAtStep = (
  sql: Sql,
  p: WorkflowKey & { version: number; stepId: string | null; after: string | null; limit: number },
) => sql<MovingRun[]>`
  select r.id, r.customer_id as "customerId", r.step_id as "stepId", r.waiting, r.wake_at::text as "wakeAt",
    r.wait_until::text as "waitUntil", entered.at as "enteredAt", p.zone as "customerZone", w.timezone as "workspaceZone"
  from workflow_runs r
  join workspaces w on w.id = r.workspace_id
  left join lateral (
    select s.at from workflow_run_steps s where s.workspace_id = r.workspace_id and s.run_id = r.id
    order by s.position desc limit 1
  ) entered on true
  left join lateral (
    select c.attributes -> 'timezone' as zone from customers c
    where c.workspace_id = r.workspace_id and c.id = r.customer_id offset 0
  ) p on true
  where r.workspace_id = ${p.workspaceId} and r.workflow_id = ${p.workflowId} and r.status = 'active'
    and r.version = ${p.version} and ${p.stepId === null ? sql`r.step_id is null` : sql`r.step_id = ${p.stepId}`}
    ${p.after === null ? sql`` : sql`and r.id > ${p.after}`}
  order by r.id limit ${p.limit}`

interface RunMove {
  run: MovingRun
  wakeAt: string
  waitUntil: string | null
  wait: RunWaits
}

/** Moves the runs that are unchanged and not claimed. Returns their number. Skips locked rows. */
export const moveRunsTo = async (sql: Sql, p: WorkflowKey & { version: number }, moves: RunMove[]): Promise<number> => {
  const rows = moves.map(({ run, wakeAt, waitUntil }) => ({
    id: run.id,
    step_id: run.stepId,
    waiting: run.waiting,
    was_due_at: run.wakeAt,
    wake_at: wakeAt,
    wait_until: waitUntil,
  }))
  const [row] = await sql<{ moved: number }[]>`
    with stored as (
      update workflow_runs r set version = ${p.version}, wake_at = greatest(m.wake_at, now()), wait_until = m.wait_until
      from (
        select m.*, locked.workspace_id from json_to_recordset(${JSON.stringify(rows)}::text::json)
          as m(id uuid, step_id text, waiting boolean, was_due_at timestamptz, wake_at timestamptz, wait_until timestamptz)
        cross join lateral (
          select h.workspace_id from workflow_runs h
          where h.workspace_id = ${p.workspaceId} and h.id = m.id and probe_index(h.id) and h.status = 'active'
            and h.version < ${p.version} and h.step_id is not distinct from m.step_id and h.waiting = m.waiting
            and h.wake_at = m.was_due_at and (h.claimed_until is null or h.claimed_until <= now())
          for no key update skip locked
        ) locked
      ) m
      where r.workspace_id = ${p.workspaceId} and r.id = m.id and probe_index(r.id)
      returning r.workspace_id, r.id
    ), ${storeWaits(
      sql,
      moves.map(move => move.wait),
    )}
    select count(*)::integer as moved from stored`
  return row!.moved
}
