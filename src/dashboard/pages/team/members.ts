import { useQueryClient } from '@tanstack/react-query'
import { api, Failure, hooks, type Schemas } from '../../api/client.ts'
import type { paths } from '../../api/generated.ts'
import { cursorPagination, pageSize } from '../../api/pages.ts'

export type Member = Schemas['Member']
/** An invited person. Only a service account has neither an address nor an invitation. */
export type Invited = Schemas['InvitedMember'] & { email: string; invitation: Schemas['Invitation'] }

/** Roles, the more common one first. */
export const roles = ['agent', 'owner'] as const satisfies Member['role'][]

/** Query shared by the list and its side panel, because the API has no path for a single member. */
export const useTeam = () =>
  hooks.useInfiniteQuery('get', '/v1/members', { params: { query: { limit: pageSize } } }, cursorPagination)

/** Returns true for a path whose responses depend on the members. */
export const changesMembers = (path: keyof paths): boolean => path === '/v1/members' || path === '/v1/entitlements'

export const useInvalidateMembers = () => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ predicate: ({ queryKey }) => changesMembers(queryKey[1] as keyof paths) })
}

export const memberName = (member: Member): string => member.name || member.email || ''

/** Lifetime of an invitation in milliseconds: 7 days. */
const invitationMs = 7 * 86_400_000

export const hasExpired = (member: Member): boolean =>
  member.status === 'invited' &&
  member.invitedAt !== null &&
  Date.now() - new Date(member.invitedAt).getTime() > invitationMs

/** Counts the people who have joined, the pending invitations and the service accounts. */
export const countMembers = (all: Member[]) => {
  const people = all.filter(({ kind }) => kind === 'person')
  const members = people.filter(({ status }) => status === 'active').length
  return { members, invited: people.length - members, services: all.length - people.length }
}

/** Withdraws an invitation, or removes a member. */
export const removeMember = (id: string): Promise<unknown> =>
  api.DELETE('/v1/members/{id}', { params: { path: { id } } })

export const inviteMember = async (body: Schemas['InviteMember']): Promise<Invited> =>
  (await api.POST('/v1/members', { body })).data as Invited

/**
 * Replaces an invitation with a new one. The API replaces an expired one by itself; a valid one is withdrawn first. A
 * repeat after a failure finds it withdrawn.
 */
export const inviteAgain = async (member: Member, body: Schemas['InviteMember']): Promise<Invited> => {
  if (!hasExpired(member))
    await removeMember(member.id).catch((error: unknown) => {
      if (!(error instanceof Failure && error.status === 404)) throw error
    })
  return inviteMember(body)
}
