import { useQueryClient } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, pageSize } from '../../api/pages.ts'

export type Member = Schemas['Member']

/** Query shared by the list and its side panel, because the API has no path for a single member. */
export const useTeam = () =>
  hooks.useInfiniteQuery('get', '/v1/members', { params: { query: { limit: pageSize } } }, cursorPagination)

export const useInvalidateMembers = () => {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[1] === '/v1/members' || queryKey[1] === '/v1/entitlements',
    })
}

export const memberName = (member: Member): string => member.name || member.email

/** Lifetime of an invitation in milliseconds: 7 days. */
const invitationMs = 7 * 86_400_000

export const hasExpired = (member: Member): boolean =>
  member.status === 'invited' &&
  member.invitedAt !== null &&
  Date.now() - new Date(member.invitedAt).getTime() > invitationMs
