/** Removing a template, unless somebody writes by it. */
import { audited } from '../audited.ts'
import type { Ctx } from '../context.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { lockWorkspace } from '../locks.ts'
import { deleteTemplate, lockTemplate } from '../templates/index.ts'
import { verb } from '../verb.ts'
import { requireVersion } from '../version.ts'
import { refuseIfUsed } from './users.ts'

/**
 * Removes a template. 409 where something that is switched on, or under way, writes by it. The workspace is locked, as it
 * is by whoever switches something on: of the two, the second sees what the first did.
 */
export const removeTemplate = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  if (!isId(id)) throw notFound('template')
  const { workspaceId } = ctx.caller
  const remove = async ({ sql }: Ctx) => {
    const template = await lockTemplate(sql, workspaceId, id)
    if (!template) throw notFound('template')
    requireVersion(ctx, template)
    await lockWorkspace(sql, workspaceId)
    await refuseIfUsed(sql, { workspaceId, id }, 'Switch off or change what uses it first.')
    await deleteTemplate(sql, workspaceId, id)
    return template
  }
  await audited(ctx, remove, ({ name }) => ({
    action: 'deleteTemplate',
    target: { type: 'template', id },
    detail: { name },
  }))
})
