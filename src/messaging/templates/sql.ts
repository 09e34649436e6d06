import { type DiffersColumn, differsColumn } from '../../core/changed-fields.ts'
import { type PageRequest, type SizedRow, withinPageBytes } from '../../core/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { TemplateContent } from './content.ts'

export interface TemplateRow extends TemplateContent {
  createdAt: Date
  updatedAt: Date
}

const content = (sql: Sql) => sql`id, name, category, body, variables, provider`

const columns = (sql: Sql) => sql`${content(sql)}, created_at as "createdAt", updated_at as "updatedAt"`

export type NewTemplate = Omit<TemplateContent, 'id'> & { workspaceId: string }

export const insertTemplate = async (sql: Sql, p: NewTemplate) => {
  const [row] = await sql<TemplateRow[]>`
    insert into templates (workspace_id, name, category, body, variables, provider)
    values (${p.workspaceId}, ${p.name}, ${p.category}, ${p.body}, ${JSON.stringify(p.variables)}::text::jsonb,
      ${p.provider && JSON.stringify(p.provider)}::text::jsonb)
    returning ${columns(sql)}`
  return row!
}

export const selectTemplates = (sql: Sql, workspaceId: string, page: PageRequest) =>
  sql<(TemplateRow & SizedRow)[]>`${withinPageBytes(
    sql,
    page,
    sql`
    select ${columns(sql)}, octet_length(body) + octet_length(variables::text) as bytes from templates
    where workspace_id = ${workspaceId} ${page.before === null ? sql`` : sql`and id < ${page.before}`}
    order by id desc limit ${page.limit + 1}`,
  )}`

export const findTemplate = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<TemplateRow[]>`
    select ${columns(sql)} from templates where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/** Returns those of these templates that exist in the workspace. */
export const findTemplates = (sql: Sql, workspaceId: string, ids: string[]): Promise<TemplateContent[]> =>
  sql<TemplateContent[]>`
    select ${content(sql)} from templates where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`

/** Locks a template until the transaction ends. Returns null if it does not exist. */
export const lockTemplate = async (tx: Sql, workspaceId: string, id: string) => {
  const [row] = await tx<TemplateRow[]>`
    select ${columns(tx)} from templates where workspace_id = ${workspaceId} and id = ${id} for update`
  return row ?? null
}

export const updateTemplate = async (sql: Sql, p: NewTemplate & { id: string }) => {
  const [row] = await sql<(TemplateRow & DiffersColumn)[]>`
    update templates set name = ${p.name}, category = ${p.category}, body = ${p.body},
      variables = ${JSON.stringify(p.variables)}::text::jsonb,
      provider = ${p.provider && JSON.stringify(p.provider)}::text::jsonb, updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where workspace_id = ${p.workspaceId} and id = ${p.id}
    returning ${columns(sql)}, ${differsColumn(sql)}`
  return row ?? null
}

/** Deletes a template. Returns false if it does not exist. */
export const deleteTemplate = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const rows = await sql`delete from templates where workspace_id = ${workspaceId} and id = ${id} returning id`
  return rows.length === 1
}
