/** Queries that several parts of the inbox share. */
import { useQueryClient } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import type { paths } from '../../api/generated.ts'
import { useSession } from '../../shell/session.tsx'

const seldomMs = 60_000
const mostOfAPage = 100

/** Refetches the responses of the given paths. */
export const useAnew = () => {
  const queries = useQueryClient()
  return (...of: (keyof paths)[]): Promise<unknown> =>
    Promise.all(of.map(path => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === path })))
}

/** Refetches the data of one customer only, because lists load the data of many customers. */
export const useAnewOf = () => {
  const queries = useQueryClient()
  return (customerId: string): Promise<unknown> =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [, path, init] }) =>
        String(path).startsWith('/v1/customers/{id}') &&
        (init as { params: { path: { id: string } } }).params.path.id === customerId,
    })
}

/** Members who have joined, the current person first. */
export const useTeam = (): { userId: string; name: string }[] => {
  const { user } = useSession()
  const members = hooks.useQuery(
    'get',
    '/v1/members',
    { params: { query: { limit: mostOfAPage } } },
    { staleTime: seldomMs },
  )
  return (members.data?.data ?? [])
    .flatMap(({ userId, name, email }) => (userId === null ? [] : [{ userId, name: name || email }]))
    .sort((a, b) => Number(b.userId === user.id) - Number(a.userId === user.id) || a.name.localeCompare(b.name))
}

export const useChannels = (): Schemas['Channel'][] | undefined =>
  hooks.useQuery('get', '/v1/channels', { params: { query: { limit: mostOfAPage } } }, { staleTime: seldomMs }).data
    ?.data

export const useTemplates = (): Schemas['Template'][] | undefined =>
  hooks.useQuery('get', '/v1/templates', { params: { query: { limit: mostOfAPage } } }, { staleTime: seldomMs }).data
    ?.data

export const useCustomer = (id: string): Schemas['Customer'] | undefined =>
  hooks.useQuery('get', '/v1/customers/{id}', { params: { path: { id } } }, { staleTime: seldomMs }).data
