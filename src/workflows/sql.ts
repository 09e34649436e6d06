import { type DiffersColumn, differsColumn } from '../core/changed-fields.ts'
import type { Condition } from '../core/conditions/index.ts'
import { lockWorkspace } from '../core/locks.ts'
import { type SizedRow, withinPageBytes } from '../core/pagination.ts'
import { hasWords } from '../core/word-search.ts'
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { minIdSince } from '../queue/waits/index.ts'
import type { Draft, DraftError } from './draft-schema.ts'
import type { Entry } from './runs/entry.ts'
import type { Definition, WorkflowSort } from './schema.ts'

export interface WorkflowRow {
  id: string
  name: string
  enabled: boolean
  triggerType: string
  publishedVersion: number | null
  draft: Draft
  draftErrors: DraftError[]
  archivedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Workflow in a list, with the draft as text from PostgreSQL. */
export type ListedWorkflow = Omit<WorkflowRow, 'draft'> & { draftText: string }

const columns = (sql: Sql) => sql`
  id, name, enabled, trigger_type as "triggerType", published_version as "publishedVersion", draft,
  draft_errors as "draftErrors", archived_at as "archivedAt", created_at as "createdAt", updated_at as "updatedAt"`

export const insertWorkflow = async (
  sql: Sql,
  p: { workspaceId: string; name: string; draft: Draft; draftErrors: DraftError[]; eventType: string },
) => {
  const [row] = await sql<WorkflowRow[]>`
    insert into workflows (workspace_id, name, draft, draft_errors, trigger_type)
    values (${p.workspaceId}, ${p.name}, ${JSON.stringify(p.draft)}::text::jsonb,
      ${JSON.stringify(p.draftErrors)}::text::jsonb, ${p.eventType})
    returning ${columns(sql)}`
  return row!
}

/** Locks the workspace until the transaction ends and returns how many workflows it has. */
export const lockAndCountWorkflows = async (tx: Sql, workspaceId: string): Promise<number> => {
  await lockWorkspace(tx, workspaceId)
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from workflows where workspace_id = ${workspaceId}`
  return row!.count
}

/**
 * Deletes a workflow with its versions and returns its name. Returns null if it is enabled or has active runs. Lock the
 * row first (`lockSwitch`).
 */
export const removeWorkflow = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<{ name: string }[]>`
    with removed as (
      delete from workflows w
      where w.workspace_id = ${workspaceId} and w.id = ${id} and not w.enabled and not exists (
        select from workflow_runs r
        where r.workspace_id = ${workspaceId} and r.workflow_id = ${id} and r.status = 'active')
      returning w.id, w.name
    ), deleted_wait_events as (
      delete from workflow_wait_events a
      where a.workspace_id = ${workspaceId} and a.workflow_id = any(array(select id from removed))
    )
    select name from removed`
  return row ?? null
}

export interface WorkflowFilter {
  workspaceId: string
  archived: boolean
  /** Part of the name. Null selects all. */
  text: string | null
  triggerType: string | null
  enabled: boolean | null
}

/** Page of the list of workflows. It starts after the workflow with this id and name, or at the beginning. */
export interface WorkflowPage {
  limit: number
  sort: WorkflowSort
  after: { id: string; name: string } | null
}

/** Name without regard to case, as in the index of names. */
const nameKey = (sql: Sql, name: Fragment) => sql`lower(${name} collate pg_c_utf8)`

/** Selects a page of the workspace's workflows, of which there are at most 500. */
export const selectWorkflows = (
  sql: Sql,
  { workspaceId, archived, text, triggerType, enabled }: WorkflowFilter,
  { limit, sort, after }: WorkflowPage,
) => {
  const isByName = sort === 'name' || sort === 'name_descending'
  const isAscending = sort === 'oldest' || sort === 'name'
  const direction = isAscending ? sql`asc` : sql`desc`
  const order = isByName ? sql`"nameKey" ${direction}, id ${direction}` : sql`id ${direction}`
  const key = isByName ? sql`(${nameKey(sql, sql`name`)}, id)` : sql`id`
  const last =
    after && (isByName ? sql`(${nameKey(sql, sql`${after.name}::text`)}, ${after.id}::uuid)` : sql`${after.id}::uuid`)
  return sql<(ListedWorkflow & SizedRow)[]>`${withinPageBytes(
    sql,
    {},
    sql`
  select ${columns(sql)}, ${nameKey(sql, sql`name`)} as "nameKey", octet_length(draft::text) as bytes from workflows
  where workspace_id = ${workspaceId} and archived_at is ${archived ? sql`not null` : sql`null`}
    ${text === null ? sql`` : sql`and ${hasWords(sql, sql`name`, text)}`}
    ${triggerType === null ? sql`` : sql`and trigger_type = ${triggerType}`}
    ${enabled === null ? sql`` : sql`and enabled = ${enabled}`}
    ${last === null ? sql`` : sql`and ${key} ${isAscending ? sql`>` : sql`<`} ${last}`}
  order by ${order} limit ${limit + 1}`,
    sql`id, name, enabled, "triggerType", "publishedVersion", draft::text as "draftText", "draftErrors",
      "archivedAt", "createdAt", "updatedAt"`,
    order,
  )}`
}

export const findWorkflow = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<WorkflowRow[]>`
    select ${columns(sql)} from workflows where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/** Locks the workflow until the transaction ends and returns its switch. Null if it does not exist. */
export const lockSwitch = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<{ enabled: boolean; archived: boolean }[]>`
    select enabled, archived_at is not null as archived from workflows
    where workspace_id = ${workspaceId} and id = ${id} for no key update`
  return row ?? null
}

/** Locks the workflow until the transaction ends and returns the time of its last change. Null if it does not exist. */
export const lockWorkflow = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<{ updatedAt: Date }[]>`
    select updated_at as "updatedAt" from workflows
    where workspace_id = ${workspaceId} and id = ${id} for no key update`
  return row ?? null
}

/** Updates the given fields. Before the first publication, the trigger type follows the draft. */
export const updateWorkflow = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    name: string | null
    draft: Draft | null
    /** Errors of the draft. Null without a draft. */
    draftErrors: DraftError[] | null
    /** Event type of the draft. Null if it has no valid one. */
    eventType: string | null
    enabled: boolean | null
    archived: boolean | null
    /** User who makes the change. */
    userId: string
  },
) => {
  const draft = p.draft && JSON.stringify(p.draft)
  const draftErrors = p.draftErrors && JSON.stringify(p.draftErrors)
  const [row] = await sql<(WorkflowRow & DiffersColumn)[]>`
    update workflows set
      name = coalesce(${p.name}, name),
      draft = coalesce(${draft}::text::jsonb, draft),
      draft_errors = coalesce(${draftErrors}::text::jsonb, draft_errors),
      trigger_type = case when published_version is null
        then coalesce(${p.eventType}, trigger_type) else trigger_type end,
      enabled = coalesce(${p.enabled}, enabled),
      archived_at = case when ${p.archived}::boolean then coalesce(archived_at, now())
        when not ${p.archived}::boolean then null else archived_at end,
      switched_at = case when enabled <> ${p.enabled}::boolean then now() else switched_at end,
      switched_by = case when enabled <> ${p.enabled}::boolean then ${p.userId}::uuid else switched_by end,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where workspace_id = ${p.workspaceId} and id = ${p.id}
    returning ${columns(sql)}, ${differsColumn(sql)}`
  return row ?? null
}

/**
 * Publishes the draft as the next version. The row lock makes concurrent publications get consecutive numbers.
 *
 * `draft` is the checked definition; if the stored draft has changed, nothing is published. `awaits` are the event
 * types that its runs can wait for.
 */
export const insertVersion = async (
  sql: Sql,
  p: { workspaceId: string; id: string; userId: string; draft: Definition; awaits: string[]; templateIds: string[] },
) => {
  const draft = JSON.stringify(p.draft)
  const [row] = await sql<WorkflowRow[]>`
    with published as (
      update workflows set published_version = coalesce(published_version, 0) + 1,
        trigger_type = draft #>> '{trigger,eventType}', updated_at = greatest(now(), updated_at + interval '1 millisecond')
      where workspace_id = ${p.workspaceId} and id = ${p.id} and draft = ${draft}::text::jsonb
      returning *
    ), version as (
      insert into workflow_versions (workspace_id, workflow_id, version, definition, published_by, template_ids)
      select workspace_id, id, published_version, draft, ${p.userId}, ${p.templateIds}::uuid[] from published
    ), inserted_wait_events as (
      insert into workflow_wait_events (workspace_id, event_type, workflow_id, version)
      select workspace_id, type, id, published_version from published, unnest(${p.awaits}::text[]) as inserted_wait_events(type)
    )
    select ${columns(sql)} from published`
  return row ?? null
}

/** Returns those of the channels that exist in the workspace and are not disconnected. */
export const findChannels = (sql: Sql, workspaceId: string, ids: string[]) => sql<{ id: string }[]>`
  select id from channels
  where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and status <> 'disconnected'`

/** Maximum number of workflows named in a response. */
const maxNamed = 20

/** Returns enabled workflows whose published version uses the template, oldest first. */
export const workflowsUsingTemplate = (sql: Sql, workspaceId: string, templateId: string) => sql<
  { id: string; name: string }[]
>`
  select w.id, w.name from workflows w
  join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.published_version
  where w.workspace_id = ${workspaceId} and w.enabled
    and exists (select from jsonb_path_query(v.definition, '$.steps.*.templateId') as named(id)
      where lower(named.id #>> '{}') = ${templateId.toLowerCase()})
  order by w.id limit ${maxNamed}`

export interface ListeningWorkflow {
  workspaceId: string
  /** Event type that was requested. */
  type: string
  /** Event type of the workflow: equal, or equal except for the spelling. */
  triggerType: string
  workflowId: string
  name: string
  enabled: boolean
  version: number | null
  /** Filter of the published trigger. Null without one, or if only the spelling matches. */
  where: Condition | null
  /** Entry limit of the published version, if any. */
  entry?: Entry | null
  /** Time and user of the last change of `enabled`. Null if it never changed. */
  switchedAt?: Date | null
  switchedBy?: string | null
}

/** Workflows that listen to event types, and the types that runs may wait for. */
export interface EventListeners {
  workflows: ListeningWorkflow[]
  awaited: { workspaceId: string; type: string }[]
}

/**
 * Finds all workflows that name one of these event types, whether enabled, published or neither. Omits archived ones.
 *
 * Includes workflows with another spelling of the type: the event does not start them, but may have been meant to. Also
 * returns the types that any version waits for or exits on.
 */
export const findListeningWorkflows = async (
  sql: Sql,
  pairs: { workspaceId: string; type: string }[],
): Promise<EventListeners> => {
  const rows = await sql<(Omit<ListeningWorkflow, 'workflowId'> & { workflowId: string | null })[]>`
    with requested as materialized (
      select * from unnest(${pairs.map(pair => pair.workspaceId)}::uuid[], ${pairs.map(pair => pair.type)}::text[])
        as requested(workspace_id, type)
    )
    select requested.workspace_id as "workspaceId", requested.type, w.trigger_type as "triggerType", w.id as "workflowId", w.name,
      w.enabled, w.published_version as version, v.definition #> '{trigger,where}' as where,
      v.definition -> 'entry' as entry, w.switched_at as "switchedAt", w.switched_by as "switchedBy"
    from requested
    join workflows w on w.workspace_id = requested.workspace_id
      and event_type_spelling(w.trigger_type) = event_type_spelling(requested.type) and w.trigger_type <> ''
      and w.archived_at is null
    left join workflow_versions v on w.trigger_type = requested.type
      and v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.published_version
    union all
    select requested.workspace_id, requested.type, requested.type, null, null, null, null, null, null, null, null
    from requested where exists (
      select from workflow_wait_events a where a.workspace_id = requested.workspace_id and a.event_type = requested.type)
    order by 4`
  return {
    workflows: rows.filter((row): row is ListeningWorkflow => row.workflowId !== null),
    awaited: rows.filter(row => row.workflowId === null),
  }
}

/** Run that prevents another run of its workflow. */
export interface BlockingRun {
  workspaceId: string
  workflowId: string
  entryKey: string
  runId: string
  since: Date
  ended: boolean
  /** Whether an arrival for it has not been evaluated. The run may be about to end. */
  unevaluated: boolean
}

/** Maximum number of recent events of a customer to check for one that a run has not seen. */
const maxEventsScanned = 50

/** Returns the runs with these keys that can prevent another run. The condition matches that of the index. */
export const findBlockingRuns = (
  sql: Sql,
  entries: Pick<BlockingRun, 'workspaceId' | 'workflowId' | 'entryKey'>[],
) => sql<BlockingRun[]>`
  select requested.workspace_id as "workspaceId", requested.workflow_id as "workflowId", requested.entry_key as "entryKey",
    r.id as "runId", r.created_at as since, r.ended_at is not null as ended,
    r.ended_at is null and ${hasUnevaluatedArrival(sql)} as unevaluated
  from unnest(${entries.map(one => one.workspaceId)}::uuid[], ${entries.map(one => one.workflowId)}::uuid[],
    ${entries.map(one => one.entryKey)}::text[]) as requested(workspace_id, workflow_id, entry_key)
  cross join lateral (select * from workflow_runs r
    where r.workspace_id = requested.workspace_id and r.workflow_id = requested.workflow_id and r.entry_key = requested.entry_key
      and r.entry_key is not null and (r.ended_at is null or r.entry_key like 'once:%') offset 0) r`

/** Maximum time between the start of storing a wait and its visibility. A recorder that starts later sees the wait. */
const maxWaitCommitDelay = '1 second'

/**
 * Condition: run `r` has an arrival that was not evaluated.
 *
 * Either an arrival was stored for it. Or the run did not wait yet when an event of its customer was recorded that its
 * version waits for or exits on.
 */
const hasUnevaluatedArrival = (sql: Sql) => sql`(
  exists (select from run_arrivals w where w.workspace_id = r.workspace_id and w.run_id = r.id)
  or exists (
      select from (
        select e.type, e.created_at from events e
        where e.workspace_id = r.workspace_id and e.customer_id = r.customer_id and e.id > ${minIdSince(sql)}
          and e.id <> r.event_id and e.id <> all(r.consumed_arrivals)
        order by e.id desc limit ${maxEventsScanned}
      ) e
      join workflow_wait_events a on a.workspace_id = r.workspace_id and a.event_type = e.type
        and a.workflow_id = r.workflow_id and a.version = r.version
      where e.created_at >= r.created_at and (
        not r.waiting or r.wake_at <= now() or r.claimed_until > now()
        or exists (select from run_rechecks l where l.workspace_id = r.workspace_id and l.run_id = r.id
          and e.created_at < l.waiting_since + ${maxWaitCommitDelay}::interval))))`

/** Returns the trigger types of these workspaces with their number of workflows, most used first. */
export const countTriggerTypes = (sql: Sql, workspaceIds: string[]) => sql<
  { workspaceId: string; type: string; workflows: number }[]
>`
  select workspace_id as "workspaceId", trigger_type as type, count(*) as workflows
  from workflows where workspace_id = any(${workspaceIds}::uuid[]) and trigger_type <> '' and archived_at is null
  group by workspace_id, trigger_type order by count(*) desc, trigger_type`

/** Workflow with recently failed runs. */
export interface FailingWorkflow {
  id: string
  name: string
  /** Number of failed runs, and the times of the first and the last failure. */
  failed: number
  since: Date
  lastAt: Date
  /** End reason of the last failed run. */
  endReason: string
}

/** Returns workflows whose runs failed in the last day, based on the newest `maxRuns` failed runs. */
export const findFailingWorkflows = (
  sql: Sql,
  { workspaceId, since, maxRuns, limit }: { workspaceId: string; since: Date; maxRuns: number; limit: number },
) => sql<FailingWorkflow[]>`
  select f.workflow_id as id, w.name, f.failed, f.since, f.last_at as "lastAt", f.end_reason as "endReason"
  from (
    select workflow_id, count(*)::integer as failed, min(ended_at) as since, max(ended_at) as last_at,
      (array_agg(end_reason order by ended_at desc))[1] as end_reason
    from (
      select r.workflow_id, r.ended_at, r.end_reason from workflow_runs r
      where r.workspace_id = ${workspaceId} and r.status = 'failed' and r.end_reason <> 'customer_erased'
        and r.ended_at >= ${since}
      order by r.ended_at desc limit ${maxRuns}
    ) recent
    group by workflow_id order by failed desc, workflow_id limit ${limit}
  ) f
  join workflows w on w.workspace_id = ${workspaceId} and w.id = f.workflow_id`
