import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination } from '../../api/pages.ts'
import { hasPage, type RecordLink, recordLink } from '../../shell/paths.ts'
import { isText, useTranslate } from '../../texts/index.tsx'
import { memberName } from '../team/members.ts'
import { endpointName } from '../webhooks/delivery-status.tsx'
import { type AuditFilters, auditParams } from './filters.ts'

export type Entry = Schemas['AuditEntry']

/** Query shared by the list and its side panel, because the API has no path for a single entry. */
export const useEntries = (filters: AuditFilters) =>
  hooks.useInfiniteQuery('get', '/v1/audit', auditParams(filters), {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })

/** Returns the text of an action. An action without a text, from a newer server, is shown by its API name. */
export const useActionText = (): ((entry: Entry) => string) => {
  const t = useTranslate()
  return ({ action }) => {
    const id = `audit.action.${action}`
    return isText(id) ? t(id) : action
  }
}

export const useActorText = (): ((entry: Entry) => string) => {
  const t = useTranslate()
  return ({ actor: { type, name } }) => {
    if (name === null) return t(`audit.actor.${type}`)
    return type === 'api_key' ? t('audit.key', { name }) : name
  }
}

/** Returns the text of an actor with the access token if one was used. */
export const useActorViaText = (): ((entry: Entry) => string) => {
  const t = useTranslate()
  const actor = useActorText()
  return entry => (entry.via ? t('audit.actorVia', { name: actor(entry), token: entry.via.name }) : actor(entry))
}

const cacheOptions = { staleTime: 60_000 }
const firstPage = { params: { query: { limit: 100 } } }

/**
 * Returns the name of a target at the time of the action. For endpoints and members, whose names are not recorded, it
 * returns the current name. Returns null if neither is known.
 */
export const useTargetName = (): ((entry: Entry) => string | null) => {
  const endpoints = hooks.useQuery('get', '/v1/webhooks', {}, cacheOptions)
  const team = hooks.useQuery('get', '/v1/members', firstPage, cacheOptions)
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

/**
 * Returns the page of a target: for a token of a service account, the account. Tokens of people, accounts and
 * recoveries have no page, so it returns null for them.
 */
export const targetLink = ({ detail, target: { type, id } }: Entry): RecordLink | null => {
  if (type === 'access_token' && typeof detail.memberId === 'string') return recordLink('member', detail.memberId)
  return hasPage(type) ? recordLink(type, id) : null
}
