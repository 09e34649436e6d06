/** Channels, templates and event fields that a step can refer to. */
import { hooks, type Schemas } from '../../api/client.ts'
import type { Definition } from './definition/types.ts'

const firstPage = { params: { query: { limit: 100 } } }
const cacheOptions = { staleTime: 60_000 }
const maxPaths = 60

const commonPaths = ['customer.name', 'customer.phone', 'customer.externalId', 'event.type', 'now']
const waitPaths = ['answer.text']

const collectPaths = (value: unknown, path: string, collected: string[]): string[] => {
  if (collected.length >= maxPaths) return collected
  if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value))
      if (/^[A-Za-z0-9_-]{1,100}$/.test(name)) collectPaths(child, `${path}.${name}`, collected)
  } else collected.push(path)
  return collected
}

export interface References {
  channels: Schemas['Channel'][]
  templates: Schemas['Template'][]
  paths: string[]
}

export const useReferences = (definition: Definition): References => {
  const channels = hooks.useQuery('get', '/v1/channels', firstPage, cacheOptions)
  const templates = hooks.useQuery('get', '/v1/templates', firstPage, cacheOptions)
  const lastEvent = useLastEvent(definition.trigger.eventType)
  const hasWait = Object.values(definition.steps).some(({ type }) => type === 'wait_for')
  return {
    channels: channels.data?.data ?? [],
    templates: templates.data?.data ?? [],
    paths: [...collectPaths(lastEvent?.data ?? {}, 'data', []), ...(hasWait ? waitPaths : []), ...commonPaths],
  }
}

/** Returns the newest event of the type, as an example of its fields. */
const useLastEvent = (type: string): Schemas['EventWithOutcomes'] | undefined => {
  const newest = useEventsOfType(type, 1)?.[0]
  const event = hooks.useQuery(
    'get',
    '/v1/events/{id}',
    { params: { path: { id: newest?.id ?? '' } } },
    { enabled: newest !== undefined, ...cacheOptions },
  )
  return event.data
}

export const useEventsOfType = (type: string, limit: number): Schemas['ActivityEvent'][] | undefined =>
  hooks.useQuery(
    'get',
    '/v1/activity/events',
    { params: { query: { limit, type } } },
    { enabled: type.trim() !== '', ...cacheOptions },
  ).data?.data

/** Returns a template that is not among the newest 100. Undefined without an id, and until it is loaded. */
export const useTemplate = (id: string): Schemas['Template'] | undefined =>
  hooks.useQuery('get', '/v1/templates/{id}', { params: { path: { id } } }, { enabled: id !== '', ...cacheOptions })
    .data

export const useTemplateName = (): ((id: string) => string | undefined) => {
  const templates = hooks.useQuery('get', '/v1/templates', firstPage, cacheOptions)
  return id => templates.data?.data.find(template => template.id === id)?.name
}
