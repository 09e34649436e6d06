/** Reads everything except event and customer that determines what a run does. */

import type { Ctx } from '../../core/context.ts'
import { providers } from '../../messaging/channels/index.ts'
import { findTemplates } from '../../messaging/templates/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type Definition, type RunChannel, type RunFacts, referencesOf } from '../../workflows/index.ts'
import { findEnvironment, type RunCustomer, type TrialChannel } from './sql.ts'

/** Facts of a run without its event. Channels are computed for a given customer. */
export type TrialEnvironment = Pick<RunFacts, 'templates' | 'timezone' | 'plan'> & {
  channelsOf(customer: RunCustomer): RunChannel[]
  /** The workspace's own words, in compared form. */
  optOutWords: readonly string[] | null
}

export const readEnvironment = async (
  sql: Sql,
  caller: Ctx['caller'],
  definition: Definition,
  customerId: string | null,
): Promise<TrialEnvironment> => {
  const { timezone, channels, words } = await findEnvironment(sql, caller.workspaceId, customerId)
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

const channelOf = ({ handle, lastInboundAt, ...channel }: TrialChannel, customer: RunCustomer): RunChannel => {
  const capabilities = Object.hasOwn(providers, channel.kind)
    ? providers[channel.kind as keyof typeof providers].capabilities
    : null
  const windowHours = capabilities?.freeFormWindowHours ?? null
  return {
    ...channel,
    templates: capabilities?.templates ?? false,
    windowHours,
    address: handle ?? customer.phone,
    windowClosesAt: windowHours !== null && lastInboundAt !== null ? windowCloseOf(lastInboundAt, windowHours) : null,
  }
}

const windowCloseOf = (lastInboundAt: string, hours: number): string =>
  new Date(new Date(lastInboundAt).getTime() + hours * 3_600_000).toISOString()
