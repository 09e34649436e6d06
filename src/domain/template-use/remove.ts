/** Removing a template, unless somebody writes by it. */
import type { Sql } from '../../db/client.ts'
import { campaignsUsingTemplate } from '../campaigns/index.ts'
import { inTransaction } from '../context.ts'
import { DomainError, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { lockWorkspace } from '../locks.ts'
import { deleteTemplate, lockTemplate } from '../templates/index.ts'
import { verb } from '../verb.ts'
import { workflowsUsingTemplate } from '../workflows/index.ts'

/** What writes by a template, and by which name people know it. */
export interface TemplateUser {
  id: string
  name: string
}

/** Answers a few of those that write by a template, however many there are. */
type Asking = (sql: Sql, workspaceId: string, templateId: string) => Promise<TemplateUser[]>

/** Whoever may write by a template, in the words of a refusal: what one is called, and how to ask. */
const users: { noun: string; plural: string; ask: Asking }[] = [
  { noun: 'the workflow', plural: 'workflows', ask: workflowsUsingTemplate },
  { noun: 'the campaign', plural: 'campaigns', ask: campaignsUsingTemplate },
]

const remedy = 'Switch off or change what uses it first.'

/**
 * Removes a template. 409 where something that is switched on, or under way, writes by it. The workspace is locked, as it
 * is by whoever switches something on: of the two, the second sees what the first did.
 */
export const removeTemplate = verb({ by: 'owner' }, async (ctx, id: string): Promise<void> => {
  if (!isId(id)) throw notFound('template')
  const { workspaceId } = ctx.caller
  await inTransaction(ctx, async ({ sql }) => {
    if (!(await lockTemplate(sql, workspaceId, id))) throw notFound('template')
    await lockWorkspace(sql, workspaceId)
    await refuseIfUsed(sql, workspaceId, id)
    await deleteTemplate(sql, workspaceId, id)
  })
})

const refuseIfUsed = async (sql: Sql, workspaceId: string, id: string): Promise<void> => {
  const names: string[] = []
  const details: Record<string, string> = {}
  for (const { noun, plural, ask } of users) {
    const found = await ask(sql, workspaceId, id)
    if (found.length === 0) continue
    names.push(...found.map(({ name }) => `${noun} "${name}"`))
    details[plural] = found.map(one => one.id).join(', ')
  }
  if (names.length === 0) return
  throw new DomainError('conflict', `The template is used by ${listed(names)}. ${remedy}`, details)
}

const maxNamed = 5

const listed = (names: string[]): string => {
  const others = names.length - maxNamed
  if (others > 0) return `${names.slice(0, maxNamed).join(', ')} and ${others === 1 ? 'another' : `${others} others`}`
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
