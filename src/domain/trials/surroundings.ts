/** Reads everything except event and customer that determines what a run does. */
import type { Sql } from '../../db/client.ts'
import { providers } from '../channels/index.ts'
import type { Ctx } from '../context.ts'
import { findTemplates } from '../templates/index.ts'
import { type ChannelOfRun, type Definition, type RunFacts, referencesOf } from '../workflows/index.ts'
import { type ChannelToTry, type CustomerOfRun, findSurroundings } from './sql.ts'

/** Facts of a run without its event. Channels are computed for a given customer. */
export type Surroundings = Pick<RunFacts, 'templates' | 'timezone' | 'plan'> & {
  channelsOf(customer: CustomerOfRun): ChannelOfRun[]
  /** The workspace's own words, in compared form. */
  optOutWords: readonly string[] | null
}

export const readSurroundings = async (
  sql: Sql,
  caller: Ctx['caller'],
  definition: Definition,
  customerId: string | null,
): Promise<Surroundings> => {
  const { timezone, channels, words } = await findSurroundings(sql, caller.workspaceId, customerId)
  return {
    templates: await templatesOf(sql, caller.workspaceId, definition),
    timezone,
    plan: { workflows: caller.plan.features.workflows === true },
    optOutWords: words,
    channelsOf: customer => channels.map(channel => channelOf(channel, customer)),
  }
}

const templatesOf = async (sql: Sql, workspaceId: string, definition: Definition): Promise<RunFacts['templates']> => {
  const ids = referencesOf(definition).flatMap(({ kind, id }) => (kind === 'template' ? [id] : []))
  const templates = ids.length === 0 ? [] : await findTemplates(sql, workspaceId, [...new Set(ids)])
  return Object.fromEntries(templates.map(template => [template.id, template]))
}

const channelOf = ({ handle, lastInboundAt, ...channel }: ChannelToTry, customer: CustomerOfRun): ChannelOfRun => {
  const capabilities = Object.hasOwn(providers, channel.kind)
    ? providers[channel.kind as keyof typeof providers].capabilities
    : null
  const windowHours = capabilities?.freeFormWindowHours ?? null
  return {
    ...channel,
    templates: capabilities?.templates ?? false,
    windowHours,
    address: handle ?? customer.phone,
    windowClosesAt: windowHours !== null && lastInboundAt !== null ? closes(lastInboundAt, windowHours) : null,
  }
}

const closes = (lastInboundAt: string, hours: number): string =>
  new Date(new Date(lastInboundAt).getTime() + hours * 3_600_000).toISOString()
