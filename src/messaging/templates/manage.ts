import { withAudit } from '../../accounts/audit/index.ts'
import { requireAllowance } from '../../accounts/entitlements/index.ts'
import type { DiffersColumn } from '../../core/changed-fields.ts'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { validateTemplate } from './policy.ts'
import type { ChangeTemplate, CreateTemplate, Template } from './schema.ts'
import { findTemplate, insertTemplate, selectTemplates, type TemplateRow, updateTemplate } from './sql.ts'

/** Creates a template. It counts against the plan's allowance. */
export const createTemplate = verb({ by: 'owner' }, async (ctx, input: CreateTemplate): Promise<Template> => {
  const { name, category, body, variables = [], provider = null } = input
  const template = { name, category, body, variables, provider }
  validateTemplate(template)
  const { workspaceId } = ctx.caller
  return withAudit(
    ctx,
    async ({ sql }) => {
      await requireAllowance(sql, workspaceId, 'templates')
      return shape(await insertTemplate(sql, { workspaceId, ...template }))
    },
    ({ id }) => ({ action: 'createTemplate', target: { type: 'template', id }, detail: { name, category } }),
  )
})

export const listTemplates = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Template>> => {
    const page = toPageRequest(query)
    return toPage(await selectTemplates(sql, caller.workspaceId, page), page, shape)
  },
)

export const readTemplate = verb({ by: 'member' }, async ({ sql, caller }, id: string): Promise<Template> => {
  const row = isId(id) ? await findTemplate(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('template')
  return shape(row)
})

/** Changes the given fields of a locked template and validates the result as a whole. */
export const changeLockedTemplate = async (
  sql: Sql,
  workspaceId: string,
  before: TemplateRow,
  change: ChangeTemplate,
): Promise<{ changed: Template } & DiffersColumn> => {
  const template = { ...before, ...change }
  validateTemplate(template)
  const { differs, ...row } = (await updateTemplate(sql, { ...template, workspaceId }))!
  return { changed: shape(row), differs }
}

const shape = ({ createdAt, updatedAt, ...row }: TemplateRow): Template => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
