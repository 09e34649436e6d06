/** Builds the facts of an execution from the rows that were read. */
import { LRUCache } from 'lru-cache'
import { type Providers, providers } from '../../messaging/channels/index.ts'
import { findTemplates, type TemplateContent } from '../../messaging/templates/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Facts, RunChannel, RunFacts } from './facts.ts'

type Capabilities = Providers[keyof Providers]['capabilities']

/** Channel of a workspace, as read. */
export interface ChannelData {
  id: string
  kind: string
  connected: boolean
}

/** Workspace, as read. */
export interface WorkspaceData {
  timezone: string
  planId: string
  /** Connected channels first, in the order in which they were connected. */
  channels: readonly ChannelData[]
}

/** Customer of a run, as read. */
export type CustomerData = RunFacts['customer'] & {
  /** Time of the customer's last message on each channel. */
  wrote: readonly { channelId: string; at: string }[]
  /** Addresses of the customer on channels, newest first. Read only if the customer has no phone number. */
  handles: readonly { channelId: string; handle: string }[]
}

/**
 * Maximum number of channels of a workspace, and of conversations and addresses of a customer, that an execution reads.
 */
export const maxRowsRead = 100

export const buildFacts = (
  { data, event }: Pick<Facts, 'data' | 'event'>,
  { wrote, handles, ...customer }: CustomerData,
  { timezone, channels }: WorkspaceData,
  templates: RunFacts['templates'],
  plan: RunFacts['plan'],
): RunFacts => ({
  data,
  event,
  customer,
  channels: channels.map(channel => ({ ...channel, ...channelStateOf(channel, customer, wrote, handles) })),
  templates,
  timezone,
  plan,
})

const channelStateOf = (
  { id, kind }: ChannelData,
  { phone }: Facts['customer'],
  wrote: CustomerData['wrote'],
  handles: CustomerData['handles'],
): Pick<RunChannel, 'templates' | 'windowHours' | 'address' | 'windowClosesAt'> => {
  const { templates, freeFormWindowHours: windowHours } = capabilitiesOf(kind)
  const at = wrote.find(({ channelId }) => channelId === id)?.at
  return {
    templates,
    windowHours,
    address: phone ?? handles.find(({ channelId }) => channelId === id)?.handle ?? null,
    windowClosesAt:
      at === undefined || windowHours === null
        ? null
        : new Date(new Date(at).getTime() + windowHours * 3_600_000).toISOString(),
  }
}

/**
 * Returns the capabilities of a channel kind. An unknown kind gets defaults; this process sends nothing on it, and
 * sending checks again.
 */
const capabilitiesOf = (kind: string): Capabilities =>
  Object.hasOwn(providers, kind) ? providers[kind as keyof typeof providers].capabilities : unknownCapabilities

const unknownCapabilities: Capabilities = {
  freeFormWindowHours: null,
  templates: false,
  media: false,
  maxCharacters: 4096,
  rateLimit: null,
  isIdempotent: false,
  reportsRead: false,
}

/** Milliseconds for which the features of a plan are cached. */
const planCacheMs = 2000
const planCaches = new WeakMap<object, LRUCache<string, { workflows: boolean }>>()

/** Returns the features of plans. A separate query, because plans may be stored elsewhere than workspaces. */
export const readPlans = async (sql: Sql, ids: readonly string[]): Promise<Map<string, { workflows: boolean }>> => {
  let cache = planCaches.get(sql)
  if (!cache) planCaches.set(sql, (cache = new LRUCache({ max: 100, ttl: planCacheMs })))
  const missing = ids.filter(id => !cache.has(id))
  if (missing.length > 0) for (const { id, workflows } of await selectPlans(sql, missing)) cache.set(id, { workflows })
  return new Map(ids.map(id => [id, cache.get(id) ?? { workflows: false }]))
}

const selectPlans = (sql: Sql, ids: string[]) => sql<{ id: string; workflows: boolean }[]>`
  select id, coalesce((features ->> 'workflows')::boolean, false) as workflows from plans where id = any(${ids}::text[])`

/** Templates by workspace and by ID. */
export type TemplatesByWorkspace = Map<string, Record<string, TemplateContent>>

/** Reads the templates that the definitions of these runs name. */
export const readTemplates = async (
  sql: Sql,
  runs: readonly { workspaceId: string; templateIds?: readonly string[] }[],
): Promise<TemplatesByWorkspace> => {
  const idsByWorkspace = new Map<string, Set<string>>()
  for (const { workspaceId, templateIds = [] } of runs)
    if (templateIds.length > 0)
      idsByWorkspace.set(
        workspaceId,
        (idsByWorkspace.get(workspaceId) ?? new Set<string>()).union(new Set(templateIds)),
      )
  const templatesRead: TemplatesByWorkspace = new Map()
  for (const [workspaceId, ids] of idsByWorkspace)
    templatesRead.set(
      workspaceId,
      Object.fromEntries((await findTemplates(sql, workspaceId, [...ids])).map(one => [one.id, one])),
    )
  return templatesRead
}
