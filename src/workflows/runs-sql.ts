/** SQL statements that list, read and stop runs. */

import { direction, isInRange, isOnPage, type PageRequest, type SizedRow, withinPageBytes } from '../core/pagination.ts'
import { findLastScanned } from '../core/scan.ts'
import type { EndReason, RunStatus } from '../core/statuses.ts'
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { endRuns } from '../queue/waits/index.ts'

export interface RunRow {
  id: string
  workflowId: string
  version: number
  customerId: string
  eventId: string
  status: RunStatus
  stepId: string | null
  wakeAt: Date | null
  endReason: EndReason | null
  endDetail: string | null
  createdAt: Date
  endedAt: Date | null
  /** Result of each step, as JSON. */
  stepsText: string
}

/** Formats a time like `toISOString` in JavaScript. */
const isoTime = (sql: Sql, time: Fragment) => sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Columns of `workflow_runs r` with the results of its steps. */
const runColumns = (sql: Sql) => sql`
  r.id, r.workflow_id as "workflowId", r.version, r.customer_id as "customerId", r.event_id as "eventId",
  case when r.status = 'active' and r.waiting then 'waiting' else r.status end as status, r.step_id as "stepId",
  r.wake_at as "wakeAt", r.end_reason as "endReason", r.end_detail as "endDetail", r.created_at as "createdAt",
  r.ended_at as "endedAt",
  coalesce((select json_agg(json_build_object('stepId', s.step_id, 'outcome', s.outcome, 'detail', s.detail,
      'at', ${isoTime(sql, sql`s.at`)}) order by s.position)
    from workflow_run_steps s where s.workspace_id = r.workspace_id and s.run_id = r.id), '[]')::text as "stepsText"`

export const findRun = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<RunRow[]>`
    select ${runColumns(sql)} from workflow_runs r where r.workspace_id = ${workspaceId} and r.id = ${id}`
  return row ?? null
}

/** Ends an active run, even if it is claimed. Returns false if it has ended or does not exist. */
export const stopRun = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const [row] = await sql<{ stopped: number }[]>`
    with ${endRuns(sql, sql`select ${workspaceId}::uuid as workspace_id, ${id}::uuid as id`, stopped)}
    select count(*)::integer as stopped from ended`
  return row!.stopped === 1
}

const stopped = { status: 'stopped', reason: 'stopped' } as const

/** Filter of a list of runs. */
export interface RunFilter {
  workspaceId: string
  workflowId: string
  status: RunStatus | undefined
  version: number | undefined
  customerId: string | undefined
  page: PageRequest
}

/** Returns whether the filter needs a scan: an index finds the runs of a workflow, and those of a customer. */
export const needsScan = ({ status, version, customerId }: RunFilter): boolean =>
  status !== undefined || version !== undefined || customerId !== undefined

/** Selects a page of runs, in the order of the page. A scan reads at most `maxScanned` rows. */
export const selectRuns = (sql: Sql, p: RunFilter, maxScanned: number) =>
  sql<(RunRow & SizedRow)[]>`${withinPageBytes(
    sql,
    p.page,
    sql`
  select r.*, octet_length(r."stepsText") as bytes from (select ${runColumns(sql)}
  from (
    select * from (select * from ${indexedRuns(sql, p)} order by r.id ${direction(sql, p.page)} limit ${needsScan(p) ? maxScanned : p.page.limit + 1}) r
    where true ${matchesFilter(sql, p)}
    order by r.id ${direction(sql, p.page)} limit ${p.page.limit + 1}
  ) r) r`,
  )}`

export const findLastScannedRun = (sql: Sql, p: RunFilter, maxScanned: number) =>
  findLastScanned(sql, p.page, sql`select r.id from ${indexedRuns(sql, p)}`, maxScanned)

/** Runs that an index finds: those of the customer, otherwise those of the workflow. */
const indexedRuns = (sql: Sql, p: RunFilter) => sql`
  workflow_runs r where r.workspace_id = ${p.workspaceId}
    and ${p.customerId === undefined ? sql`r.workflow_id = ${p.workflowId}` : sql`r.customer_id = ${p.customerId}`}
    ${isOnPage(sql, p.page, sql`r.id`)} ${isInRange(sql, p.page, sql`r.id`, sql`r.created_at`)}`

const matchesFilter = (sql: Sql, p: RunFilter) => sql`
  ${p.customerId === undefined ? sql`` : sql`and r.workflow_id = ${p.workflowId}`}
  ${p.version === undefined ? sql`` : sql`and r.version = ${p.version}`}
  ${p.status === undefined ? sql`` : isInStatus(sql, p.status)}`

/** Condition: a run waits if it is active at a step. */
const isInStatus = (sql: Sql, status: RunStatus) =>
  status === 'active' || status === 'waiting'
    ? sql`and r.status = 'active' and r.waiting = ${status === 'waiting'}`
    : sql`and r.status = ${status}`
