/** SQL statements for published versions. */

import type { PageRequest } from '../core/pagination.ts'
import type { Sql } from '../platform/postgres/client.ts'

export interface VersionRow {
  /** Version number in the form of a UUID, because list cursors are IDs. */
  id: string
  version: number
  publishedBy: string | null
  publishedAt: Date
}

const versionId = (sql: Sql) => sql`('00000000-0000-7000-8000-' || lpad(to_hex(version), 12, '0'))`

/** Returns the version number of such an ID. For any other UUID, it is usually above all versions. */
const versionOf = (id: string): number => Number.parseInt(id.slice(-8), 16)

export const selectVersions = (sql: Sql, workspaceId: string, workflowId: string, page: PageRequest) => sql<
  VersionRow[]
>`
  select ${versionId(sql)} as id, version, published_by as "publishedBy", published_at as "publishedAt"
  from workflow_versions where workspace_id = ${workspaceId} and workflow_id = ${workflowId}
    ${page.before === null ? sql`` : sql`and version < ${versionOf(page.before)}`}
  order by version desc limit ${page.limit + 1}`

export const findVersion = async (sql: Sql, workspaceId: string, workflowId: string, version: number) => {
  const [row] = await sql<(VersionRow & { definitionText: string })[]>`
    select ${versionId(sql)} as id, version, published_by as "publishedBy", published_at as "publishedAt",
      definition::text as "definitionText"
    from workflow_versions
    where workspace_id = ${workspaceId} and workflow_id = ${workflowId} and version = ${version}`
  return row ?? null
}

/** Number of newest versions that are never removed. An event being recorded may start a run of one of them. */
const minRetainedVersions = 100
/** Maximum number of versions that one statement removes. */
const maxPrunedPerStatement = 100

/**
 * Removes the oldest versions above `max` that no active run needs. Returns how many versions are left and how many
 * were removed. Lock the workflow's row first (`lockSwitch`).
 */
export const pruneVersions = async (tx: Sql, p: { workspaceId: string; workflowId: string; max: number }) => {
  const { workspaceId, workflowId } = p
  const [row] = await tx<{ left: number; removed: number }[]>`
    with counted as materialized (
      select count(*)::integer as versions, max(version) as newest from workflow_versions
      where workspace_id = ${workspaceId} and workflow_id = ${workflowId}
    ), unused as materialized (
      select v.version from workflow_versions v
      where v.workspace_id = ${workspaceId} and v.workflow_id = ${workflowId}
        and (select versions from counted) > ${p.max} and v.version <= (select newest from counted) - ${minRetainedVersions}
        and not exists (
          select from workflow_runs r
          where r.workspace_id = ${workspaceId} and r.workflow_id = ${workflowId} and r.version = v.version
            and r.status = 'active')
      order by v.version
      limit least(${maxPrunedPerStatement}, greatest((select versions from counted) - ${p.max}, 0))
    ), deleted_wait_events as (
      delete from workflow_wait_events a
      where a.workspace_id = ${workspaceId} and a.workflow_id = ${workflowId}
        and a.version = any(array(select version from unused))
    ), removed as (
      delete from workflow_versions v
      where v.workspace_id = ${workspaceId} and v.workflow_id = ${workflowId}
        and v.version = any(array(select version from unused))
      returning v.version
    )
    select (select versions from counted) - count(*)::integer as left, count(*)::integer as removed from removed`
  return row!
}
