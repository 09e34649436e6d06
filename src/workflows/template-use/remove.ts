/** Removes a template unless it is in use. */
import { withAudit } from '../../accounts/audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { lockWorkspace } from '../../core/locks.ts'
import { verb } from '../../core/verb.ts'
import { requireVersion } from '../../core/version.ts'
import { deleteTemplate, lockTemplate } from '../../messaging/templates/index.ts'
import { rejectIfUsed } from './users.ts'

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
    await rejectIfUsed(sql, { workspaceId, id }, 'Switch them off or change them first.')
    await deleteTemplate(sql, workspaceId, id)
    return template
  }
  await withAudit(ctx, remove, ({ name }) => ({
    action: 'deleteTemplate',
    target: { type: 'template', id },
    detail: { name },
  }))
})
