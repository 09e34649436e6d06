import type { Sql } from '../platform/postgres/client.ts'
import {
  blockingEntryKeys,
  entryRuleOf,
  findBlockingRuns,
  findListeningWorkflows,
  type ListeningWorkflow,
} from '../workflows/index.ts'
import type { Snapshot } from './decide.ts'
import { findCustomersNamed, findEventsByKey, type IncomingEvent, type KnownCustomer } from './sql.ts'
import type { TriggerTypes } from './trigger-types.ts'

/** Reads everything that the decisions about these events depend on. */
export const readSnapshot = async (sql: Sql, types: TriggerTypes, events: IncomingEvent[]): Promise<Snapshot> => {
  const keyed = events.filter(event => event.idempotencyKey !== null)
  const pairs = new Map(events.map(({ workspaceId, type }) => [`${workspaceId} ${type}`, { workspaceId, type }]))
  const [replays, customers, listening] = await Promise.all([
    keyed.length > 0 ? findEventsByKey(sql, keyed) : [],
    findCustomersNamed(sql, events),
    findListeningWorkflows(sql, [...pairs.values()]),
  ])
  const { workflows, awaited } = listening
  for (const { workspaceId, type } of workflows) pairs.delete(`${workspaceId} ${type}`)
  const unmatched = [...pairs.values()].map(({ workspaceId }) => workspaceId)
  if (unmatched.length > 0) await types.refresh(sql, unmatched)
  const entries = candidateEntries(events, customers, workflows)
  const blocking = entries.length > 0 ? await findBlockingRuns(sql, entries) : []
  const nearest = (workspaceId: string, type: string) => types.nearest(workspaceId, type)
  return { replays, customers, listening: workflows, awaited, blocking, nearest }
}

/** Returns the entries of runs that could block the runs of these events, for workflows with an entry rule. */
const candidateEntries = (events: IncomingEvent[], customers: KnownCustomer[], workflows: ListeningWorkflow[]) => {
  const limited = workflows.filter(
    ({ enabled, version, type, triggerType, entry }) =>
      enabled && version !== null && type === triggerType && entryRuleOf(entry) !== null,
  )
  if (limited.length === 0) return []
  const lookup = new CustomerLookup(customers)
  return events.flatMap(event =>
    limited.flatMap(({ workspaceId, workflowId, type, entry }) =>
      workspaceId === event.workspaceId && type === event.type
        ? lookup.idsOf(event).flatMap(customerId =>
            blockingEntryKeys(entry, customerId, { data: event.data, event: { type } }).map(entryKey => ({
              workspaceId,
              workflowId,
              entryKey,
            })),
          )
        : [],
    ),
  )
}

/** Finds the customers that an event can be about, by each of its identifiers. */
class CustomerLookup {
  readonly #ids = new Map<string, string>()

  constructor(customers: KnownCustomer[]) {
    for (const { workspaceId, id, externalId, phone, inboundPhone = null } of customers) {
      this.#ids.set(`${workspaceId} id ${id}`, id)
      if (externalId !== null) this.#ids.set(`${workspaceId} external ${externalId}`, id)
      if ((phone ?? inboundPhone) !== null) this.#ids.set(`${workspaceId} phone ${phone ?? inboundPhone}`, id)
    }
  }

  idsOf({ workspaceId, customerId, externalId, phone }: IncomingEvent): string[] {
    const names = [`id ${customerId?.toLowerCase()}`, `external ${externalId}`, `phone ${phone}`]
    return [...new Set(names.flatMap(name => this.#ids.get(`${workspaceId} ${name}`) ?? []))]
  }
}
