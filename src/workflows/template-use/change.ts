/** Changes a template if its users can still send with it. */
import { withAudit } from '../../accounts/audit/index.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { lockWorkspace } from '../../core/locks.ts'
import { verb } from '../../core/verb.ts'
import { requireVersion } from '../../core/version.ts'
import {
  type ChangeTemplate,
  changeLockedTemplate,
  lockTemplate,
  type Template,
} from '../../messaging/templates/index.ts'
import { rejectIfUsed } from './users.ts'

const remedy = 'They have no values for the new variables. Create another template, or first switch off or change them.'

/**
 * Changes the given fields and validates the resulting template as a whole. If two changes are concurrent, the second
 * includes the first. Throws 409 if a new variable is missing in an enabled workflow or an active campaign that uses
 * the template.
 */
export const changeTemplate = verb(
  { by: 'owner' },
  async (ctx, id: string, change: ChangeTemplate): Promise<Template> => {
    if (!isId(id)) throw notFound('template')
    const { workspaceId } = ctx.caller
    const update = async ({ sql }: Ctx) => {
      const before = await lockTemplate(sql, workspaceId, id)
      if (!before) throw notFound('template')
      requireVersion(ctx, before)
      const { changed, differs } = await changeLockedTemplate(sql, workspaceId, before, change)
      const knownNames = new Set(before.variables.map(({ name }) => name))
      if (changed.variables.some(({ name }) => !knownNames.has(name))) {
        await lockWorkspace(sql, workspaceId)
        await rejectIfUsed(sql, { workspaceId, id }, remedy)
      }
      return { changed, differs }
    }
    const { changed } = await withAudit(ctx, update, ({ changed: { name }, differs }) =>
      differs
        ? { action: 'changeTemplate', target: { type: 'template', id }, detail: { name, changed: Object.keys(change) } }
        : null,
    )
    return changed
  },
)
