/** Queries that several parts of the inbox share. */
import { useQueryClient } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useSession } from '../../shell/session.tsx'

const cacheMs = 60_000
const maxPageSize = 100

/** Refetches what a person's action in a conversation changes: its record, the lists, the statistics and the badge. */
export const useRefreshConversation = () => {
  const invalidate = useInvalidate()
  return (): Promise<unknown> => invalidate('/v1/conversations', '/v1/conversations/{id}', '/v1/inbox/stats')
}

/** Refetches the data of one customer only, because lists load the data of many customers. */
export const useInvalidateCustomer = () => {
  const queries = useQueryClient()
  return (customerId: string): Promise<unknown> =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [, path, init] }) =>
        String(path).startsWith('/v1/customers/{id}') &&
        (init as { params: { path: { id: string } } }).params.path.id === customerId,
    })
}

/** A member who has joined, or a service account. */
export interface TeamMember {
  userId: string
  name: string
  kind: Schemas['MemberKind']
}

/** Members who have joined and service accounts, the current person first. */
export const useTeam = (): TeamMember[] => {
  const { user } = useSession()
  const members = hooks.useQuery(
    'get',
    '/v1/members',
    { params: { query: { limit: maxPageSize } } },
    { staleTime: cacheMs },
  )
  return (members.data?.data ?? [])
    .flatMap(({ userId, name, email, kind }) => (userId === null ? [] : [{ userId, name: name || email || '', kind }]))
    .sort((a, b) => Number(b.userId === user.id) - Number(a.userId === user.id) || a.name.localeCompare(b.name))
}

/** Returns the members that a conversation can be assigned to: people. */
export const toAssignees = (team: TeamMember[]): TeamMember[] => team.filter(({ kind }) => kind === 'person')

export const useChannels = (): Schemas['Channel'][] | undefined =>
  hooks.useQuery('get', '/v1/channels', { params: { query: { limit: maxPageSize } } }, { staleTime: cacheMs }).data
    ?.data

export const useTemplates = (): Schemas['Template'][] | undefined =>
  hooks.useQuery('get', '/v1/templates', { params: { query: { limit: maxPageSize } } }, { staleTime: cacheMs }).data
    ?.data
