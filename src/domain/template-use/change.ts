/** Changing a template, as far as those who write by it can go on. */
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
 * Changes what is given. What it is then is judged as a whole: of two changes at once, the second with the first in it. A
 * variable that is new is 409 where something that is switched on, or under way, writes by the template without it.
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
