import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, pageSize } from '../../api/pages.ts'
import { pathOf } from '../../shell/paths.ts'
import { isText, useTexts } from '../../texts/index.tsx'
import { memberName } from '../team/members.ts'
import { endpointName } from '../webhooks/words.tsx'
import type { AuditFilters } from './filters.ts'

export type Entry = Schemas['AuditEntry']

/** One query for the list and the panel beside it: there is no address for one entry. */
export const useEntries = (filters: AuditFilters) =>
  hooks.useInfiniteQuery(
    'get',
    '/v1/audit',
    { params: { query: { limit: pageSize, ...filters } } },
    { ...byCursor, placeholderData: keepPreviousData },
  )

/** What was done, in words; an action that came later than this page is shown as it is called in the interface. */
export const useDeed = (): ((entry: Entry) => string) => {
  const say = useTexts()
  return ({ action }) => {
    const id = `audit.action.${action}`
    return isText(id) ? say(id) : action
  }
}

export const useActor = (): ((entry: Entry) => string) => {
  const say = useTexts()
  return ({ actor: { type, name } }) => {
    if (name === null) return say(`audit.actor.${type}`)
    return type === 'api_key' ? say('audit.key', { name }) : name
  }
}

const seldom = { staleTime: 60_000 }
const mostOfAPage = { params: { query: { limit: 100 } } }

/**
 * What it was called at the time; of an endpoint or a member, of whom no name was noted, what it is called now. null where
 * neither is known.
 */
export const useTargetName = (): ((entry: Entry) => string | null) => {
  const endpoints = hooks.useQuery('get', '/v1/webhooks', {}, seldom)
  const team = hooks.useQuery('get', '/v1/members', mostOfAPage, seldom)
  return ({ detail, target: { type, id } }) => {
    if (type === 'customer') return null
    const { name, host } = detail as { name?: unknown; host?: unknown }
    if (typeof name === 'string') return name
    const endpoint = type === 'webhook' ? endpoints.data?.data.find(one => one.id === id) : undefined
    if (endpoint) return endpointName(endpoint)
    const member = type === 'member' ? team.data?.data.find(one => one.id === id) : undefined
    if (member) return memberName(member)
    return typeof host === 'string' ? host : null
  }
}

/** Accounts, recoveries and sales have no page of their own. */
export const targetPath = ({ target: { type, id } }: Entry): string | null =>
  type === 'workspace' ? '/team/workspace' : pathOf(type, id)
