import type { Fragment, Sql } from '../../db/client.ts'
import { type Measured, type PageRequest, withinAnswer } from '../pagination.ts'
import type { Condition } from './condition.ts'
import type { Definition } from './schema.ts'

export interface WorkflowRow {
  id: string
  name: string
  enabled: boolean
  triggerType: string
  publishedVersion: number | null
  draft: Definition
  createdAt: Date
  updatedAt: Date
}

/** One of a list: its draft as PostgreSQL writes it. */
export type ListedWorkflow = Omit<WorkflowRow, 'draft'> & { draftText: string }

const columns = (sql: Sql) => sql`
  id, name, enabled, trigger_type as "triggerType", published_version as "publishedVersion", draft,
  created_at as "createdAt", updated_at as "updatedAt"`

export const insertWorkflow = async (sql: Sql, p: { workspaceId: string; name: string; draft: Definition }) => {
  const [row] = await sql<WorkflowRow[]>`
    insert into workflows (workspace_id, name, draft, trigger_type)
    values (${p.workspaceId}, ${p.name}, ${JSON.stringify(p.draft)}::text::jsonb, ${p.draft.trigger.eventType})
    returning ${columns(sql)}`
  return row!
}

export const selectWorkflows = (sql: Sql, workspaceId: string, page: PageRequest) =>
  sql<(ListedWorkflow & Measured)[]>`${withinAnswer(
    sql,
    sql`
  select ${columns(sql)}, octet_length(draft::text) as bytes from workflows
  where workspace_id = ${workspaceId} ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`,
    sql`id, name, enabled, "triggerType", "publishedVersion", draft::text as "draftText", "createdAt", "updatedAt"`,
  )}`

export const findWorkflow = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WorkflowRow[]>`
    select ${columns(sql)} from workflows where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/** Whether the workflow is switched on, which it stays until the transaction ends; null when there is none. */
export const lockSwitch = async (tx: Sql, workspaceId: string, id: string): Promise<boolean | null> => {
  const [row] = await tx<{ enabled: boolean }[]>`
    select enabled from workflows where workspace_id = ${workspaceId} and id = ${id} for no key update`
  return row?.enabled ?? null
}

/** Changes what is given. The trigger follows the draft only until something is published. */
export const updateWorkflow = async (
  sql: Sql,
  p: { workspaceId: string; id: string; name: string | null; draft: Definition | null; enabled: boolean | null },
) => {
  const draft = p.draft && JSON.stringify(p.draft)
  const [row] = await sql<WorkflowRow[]>`
    update workflows set
      name = coalesce(${p.name}, name),
      draft = coalesce(${draft}::text::jsonb, draft),
      trigger_type = case when published_version is null
        then coalesce(${p.draft?.trigger.eventType ?? null}, trigger_type) else trigger_type end,
      enabled = coalesce(${p.enabled}, enabled),
      updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id}
    returning ${columns(sql)}`
  return row ?? null
}

/**
 * Makes the draft the next published version. The row lock of the update numbers two simultaneous publications one
 * after the other; `draft` is what was checked, and a draft that changed meanwhile is not published.
 */
export const insertVersion = async (
  sql: Sql,
  p: { workspaceId: string; id: string; userId: string; draft: Definition },
) => {
  const draft = JSON.stringify(p.draft)
  const [row] = await sql<WorkflowRow[]>`
    with published as (
      update workflows set published_version = coalesce(published_version, 0) + 1,
        trigger_type = draft #>> '{trigger,eventType}', updated_at = now()
      where workspace_id = ${p.workspaceId} and id = ${p.id} and draft = ${draft}::text::jsonb
      returning *
    ), version as (
      insert into workflow_versions (workspace_id, workflow_id, version, definition, published_by)
      select workspace_id, id, published_version, draft, ${p.userId} from published
    )
    select ${columns(sql)} from published`
  return row ?? null
}

/** Those of these channels that the workspace has. */
export const findChannels = (sql: Sql, workspaceId: string, ids: string[]) => sql<{ id: string }[]>`
  select id from channels where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`

export interface ListeningWorkflow {
  workspaceId: string
  /** The type that was asked for. */
  type: string
  /** The type that the workflow names: the same, or the same in another spelling. */
  triggerType: string
  workflowId: string
  name: string
  enabled: boolean
  version: number | null
  /** The published trigger's filter, if it has one and the type is the same. */
  where: Condition | null
}

/**
 * Every workflow that names one of these event types, switched on and published or not. Those that name it in another
 * spelling only are among them: they are not started by it, and perhaps were meant.
 */
export const findListeningWorkflows = (sql: Sql, pairs: { workspaceId: string; type: string }[]) => sql<
  ListeningWorkflow[]
>`
  select asked.workspace_id as "workspaceId", asked.type, w.trigger_type as "triggerType", w.id as "workflowId", w.name,
    w.enabled, w.published_version as version, v.definition #> '{trigger,where}' as where
  from unnest(${pairs.map(pair => pair.workspaceId)}::uuid[], ${pairs.map(pair => pair.type)}::text[]) as asked(workspace_id, type)
  join workflows w on w.workspace_id = asked.workspace_id
    and event_type_spelling(w.trigger_type) = event_type_spelling(asked.type)
  left join workflow_versions v on w.trigger_type = asked.type
    and v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.published_version
  order by w.id`

/** What the workflows of these workspaces listen to, and how many name each type; most listened to first. */
export const countTriggerTypes = (sql: Sql, workspaceIds: string[]) => sql<
  { workspaceId: string; type: string; workflows: number }[]
>`
  select workspace_id as "workspaceId", trigger_type as type, count(*) as workflows
  from workflows where workspace_id = any(${workspaceIds}::uuid[])
  group by workspace_id, trigger_type order by count(*) desc, trigger_type`

export interface RunRow {
  id: string
  workflowId: string
  version: number
  customerId: string
  eventId: string
  status: 'active' | 'done' | 'failed'
  stepId: string | null
  wakeAt: Date | null
  endReason: string | null
  createdAt: Date
  endedAt: Date | null
  /** What each step did, as JSON. */
  stepsText: string
}

/** A time as it is answered: as JavaScript would write it. */
const isoTime = (sql: Sql, time: Fragment) => sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const selectRuns = (sql: Sql, workspaceId: string, workflowId: string, page: PageRequest) =>
  sql<(RunRow & Measured)[]>`${withinAnswer(
    sql,
    sql`
  select r.*, octet_length(r."stepsText") as bytes from (select r.id, r.workflow_id as "workflowId", r.version, r.customer_id as "customerId", r.event_id as "eventId", r.status,
    r.step_id as "stepId", r.wake_at as "wakeAt", r.end_reason as "endReason", r.created_at as "createdAt",
    r.ended_at as "endedAt",
    coalesce((select json_agg(json_build_object('stepId', s.step_id, 'outcome', s.outcome, 'detail', s.detail,
        'at', ${isoTime(sql, sql`s.at`)}) order by s.position)
      from workflow_run_steps s where s.workspace_id = r.workspace_id and s.run_id = r.id), '[]')::text as "stepsText"
  from workflow_runs r
  where r.workspace_id = ${workspaceId} and r.workflow_id = ${workflowId}
    ${page.before === null ? sql`` : sql`and r.id < ${page.before}`}
  order by r.id desc limit ${page.limit + 1}) r`,
  )}`
