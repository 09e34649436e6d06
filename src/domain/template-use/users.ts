/** Who writes by a template. */
import type { Sql } from '../../db/client.ts'
import { campaignsUsingTemplate } from '../campaigns/index.ts'
import { DomainError } from '../errors.ts'
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

/** 409 where something that is switched on, or under way, writes by it; in words that name who, and say what to do. */
export const refuseIfUsed = async (
  sql: Sql,
  { workspaceId, id }: { workspaceId: string; id: string },
  remedy: string,
): Promise<void> => {
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
