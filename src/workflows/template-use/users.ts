/** Finds the users of a template. */

import { DomainError } from '../../core/errors.ts'
import { campaignsUsingTemplate } from '../../messaging/campaigns/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { workflowsUsingTemplate } from '../index.ts'

/** A workflow or campaign that uses a template. */
export interface TemplateUser {
  id: string
  name: string
}

/** Returns a few users of a template, even if there are many. */
type FindUsers = (sql: Sql, workspaceId: string, templateId: string) => Promise<TemplateUser[]>

/** Kinds of users, with their names for errors and their queries. */
const users: { noun: string; plural: string; findUsers: FindUsers }[] = [
  { noun: 'the workflow', plural: 'workflows', findUsers: workflowsUsingTemplate },
  { noun: 'the campaign', plural: 'campaigns', findUsers: campaignsUsingTemplate },
]

/**
 * Throws 409 if an enabled workflow or an active campaign uses the template. The error names the users and the remedy.
 */
export const rejectIfUsed = async (
  sql: Sql,
  { workspaceId, id }: { workspaceId: string; id: string },
  remedy: string,
): Promise<void> => {
  const names: string[] = []
  const details: Record<string, string> = {}
  for (const { noun, plural, findUsers } of users) {
    const found = await findUsers(sql, workspaceId, id)
    if (found.length === 0) continue
    names.push(...found.map(({ name }) => `${noun} "${name}"`))
    details[plural] = found.map(one => one.id).join(', ')
  }
  if (names.length === 0) return
  throw new DomainError('conflict', `The template is used by ${joinNames(names)}. ${remedy}`, details)
}

const maxNamed = 5

const joinNames = (names: string[]): string => {
  const others = names.length - maxNamed
  if (others > 0) return `${names.slice(0, maxNamed).join(', ')} and ${others === 1 ? 'another' : `${others} others`}`
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
