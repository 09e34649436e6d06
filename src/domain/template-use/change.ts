/** Changes a template if its users can still send with it. */
import { audited } from '../audited.ts'
import type { Ctx } from '../context.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { lockWorkspace } from '../locks.ts'
import { type ChangeTemplate, changeLockedTemplate, lockTemplate, type Template } from '../templates/index.ts'
import { verb } from '../verb.ts'
import { requireVersion } from '../version.ts'
import { refuseIfUsed } from './users.ts'

const remedy =
  'They give no value for the variables that are new: make another template, or switch off or change what uses this one first.'

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
    const changeIt = async ({ sql }: Ctx) => {
      const before = await lockTemplate(sql, workspaceId, id)
      if (!before) throw notFound('template')
      requireVersion(ctx, before)
      const { changed, differs } = await changeLockedTemplate(sql, workspaceId, before, change)
      const known = new Set(before.variables.map(({ name }) => name))
      if (changed.variables.some(({ name }) => !known.has(name))) {
        await lockWorkspace(sql, workspaceId)
        await refuseIfUsed(sql, { workspaceId, id }, remedy)
      }
      return { changed, differs }
    }
    const { changed } = await audited(ctx, changeIt, ({ changed: { name }, differs }) =>
      differs
        ? { action: 'changeTemplate', target: { type: 'template', id }, detail: { name, changed: Object.keys(change) } }
        : null,
    )
    return changed
  },
)
