/** Removes a template unless it is in use. */
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
 * Removes a template. Throws 409 if an enabled workflow or an active campaign uses it. Locks the workspace, as enabling
 * a workflow or campaign does, so that the second of two concurrent calls sees the first.
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
