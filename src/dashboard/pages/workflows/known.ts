/** Channels, templates and event fields that a step can refer to. */
import { hooks, type Schemas } from '../../api/client.ts'
import type { Definition } from './definition/types.ts'

const many = { params: { query: { limit: 100 } } }
const rarely = { staleTime: 60_000 }
const maxPaths = 60

const common = ['customer.name', 'customer.phone', 'customer.externalId', 'event.type', 'now']
const afterWait = ['answer.text']

const pathsIn = (value: unknown, path: string, found: string[]): string[] => {
  if (found.length >= maxPaths) return found
  if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value))
      if (/^[A-Za-z0-9_-]{1,100}$/.test(name)) pathsIn(part, `${path}.${name}`, found)
  } else found.push(path)
  return found
}

export interface Known {
  channels: Schemas['Channel'][]
  templates: Schemas['Template'][]
  paths: string[]
}

export const useKnown = (definition: Definition): Known => {
  const channels = hooks.useQuery('get', '/v1/channels', many, rarely)
  const templates = hooks.useQuery('get', '/v1/templates', many, rarely)
  const last = useLastEvent(definition.trigger.eventType)
  const waits = Object.values(definition.steps).some(({ type }) => type === 'wait_for')
  return {
    channels: channels.data?.data ?? [],
    templates: templates.data?.data ?? [],
    paths: [...pathsIn(last?.data ?? {}, 'data', []), ...(waits ? afterWait : []), ...common],
  }
}

/** Returns the newest event of the type, as an example of its fields. */
const useLastEvent = (type: string): Schemas['EventWithOutcomes'] | undefined => {
  const newest = useEventsOf(type, 1)?.[0]
  const event = hooks.useQuery(
    'get',
    '/v1/events/{id}',
    { params: { path: { id: newest?.id ?? '' } } },
    { enabled: newest !== undefined, ...rarely },
  )
  return event.data
}

export const useEventsOf = (type: string, limit: number): Schemas['ActivityEvent'][] | undefined =>
  hooks.useQuery(
    'get',
    '/v1/activity/events',
    { params: { query: { limit, type } } },
    { enabled: type.trim() !== '', ...rarely },
  ).data?.data

export const useTemplateName = (): ((id: string) => string | undefined) => {
  const templates = hooks.useQuery('get', '/v1/templates', many, rarely)
  return id => templates.data?.data.find(template => template.id === id)?.name
}
