/** Builds the facts of an execution from the rows that were read. */
import type { Plan } from '../../core/plan.ts'
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

/** Without a plan, the run has no features. */
export const buildFacts = (
  { data, event }: Pick<Facts, 'data' | 'event'>,
  { wrote, handles, ...customer }: CustomerData,
  { timezone, channels }: WorkspaceData,
  templates: RunFacts['templates'],
  plan: Plan | undefined,
): RunFacts => ({
  data,
  event,
  customer,
  channels: channels.map(channel => ({ ...channel, ...channelStateOf(channel, customer, wrote, handles) })),
  templates,
  timezone,
  plan: { workflows: plan?.features.workflows === true },
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
