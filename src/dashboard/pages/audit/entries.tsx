import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, pageSize } from '../../api/pages.ts'
import { pathOf } from '../../shell/paths.ts'
import { isText, useTexts } from '../../texts/index.tsx'
import { memberName } from '../team/members.ts'
import { endpointName } from '../webhooks/words.tsx'
import type { AuditFilters } from './filters.ts'

export type Entry = Schemas['AuditEntry']

/** Query shared by the list and its side panel, because the API has no path for a single entry. */
export const useEntries = (filters: AuditFilters) =>
  hooks.useInfiniteQuery(
    'get',
    '/v1/audit',
    { params: { query: { limit: pageSize, ...filters } } },
    { ...byCursor, placeholderData: keepPreviousData },
  )

/** Returns the text of an action. An action without a text, from a newer server, is shown by its API name. */
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
 * Returns the name of a target at the time of the action. For endpoints and members, whose names are not recorded, it
 * returns the current name. Returns null if neither is known.
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

/** Returns the page of a target. Accounts, recoveries and sales have no page, so it returns null for them. */
export const targetPath = ({ target: { type, id } }: Entry): string | null =>
  type === 'workspace' ? '/team/workspace' : pathOf(type, id)
