import type { Sql } from '../../db/client.ts'
import { audited } from '../audited.ts'
import type { Compared } from '../compared.ts'
import { requireRoom } from '../entitlements/index.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { verb } from '../verb.ts'
import { judgeTemplate } from './judge.ts'
import type { ChangeTemplate, CreateTemplate, Template } from './schema.ts'
import { findTemplate, insertTemplate, selectTemplates, type TemplateRow, updateTemplate } from './sql.ts'

/** Creates a template. It counts against the plan's allowance. */
export const createTemplate = verb({ by: 'owner' }, async (ctx, input: CreateTemplate): Promise<Template> => {
  const { name, category, body, variables = [], provider = null } = input
  const template = { name, category, body, variables, provider }
  judgeTemplate(template)
  const { workspaceId } = ctx.caller
  return audited(
    ctx,
    async ({ sql }) => {
      await requireRoom(sql, workspaceId, 'templates')
      return shape(await insertTemplate(sql, { workspaceId, ...template }))
    },
    ({ id }) => ({ action: 'createTemplate', target: { type: 'template', id }, detail: { name, category } }),
  )
})

export const listTemplates = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Template>> => {
    const page = pageRequest(query)
    return pageOf(await selectTemplates(sql, caller.workspaceId, page), page.limit, shape)
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
): Promise<{ changed: Template } & Compared> => {
  const template = { ...before, ...change }
  judgeTemplate(template)
  const { differs, ...row } = (await updateTemplate(sql, { ...template, workspaceId }))!
  return { changed: shape(row), differs }
}

const shape = ({ createdAt, updatedAt, ...row }: TemplateRow): Template => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
