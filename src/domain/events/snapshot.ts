import type { Sql } from '../../db/client.ts'
import {
  entryKeysInTheWay,
  findListeningWorkflows,
  findRunsInTheWay,
  type ListeningWorkflow,
  ruleOf,
} from '../workflows/index.ts'
import type { Snapshot } from './decide.ts'
import type { TriggerTypes } from './nearest.ts'
import { findCustomersNamed, findEventsByKey, type IncomingEvent, type KnownCustomer } from './sql.ts'

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
  const unheard = [...pairs.values()].map(({ workspaceId }) => workspaceId)
  if (unheard.length > 0) await types.refresh(sql, unheard)
  const entries = entriesOf(events, customers, workflows)
  const inTheWay = entries.length > 0 ? await findRunsInTheWay(sql, entries) : []
  const nearest = (workspaceId: string, type: string) => types.nearest(workspaceId, type)
  return { replays, customers, listening: workflows, awaited, inTheWay, nearest }
}

/** Returns the entries of runs that could block the runs of these events, for workflows with an entry rule. */
const entriesOf = (events: IncomingEvent[], customers: KnownCustomer[], workflows: ListeningWorkflow[]) => {
  const limited = workflows.filter(
    ({ enabled, version, type, triggerType, entry }) =>
      enabled && version !== null && type === triggerType && ruleOf(entry) !== null,
  )
  if (limited.length === 0) return []
  const named = new Named(customers)
  return events.flatMap(event =>
    limited.flatMap(({ workspaceId, workflowId, type, entry }) =>
      workspaceId === event.workspaceId && type === event.type
        ? named.of(event).flatMap(customerId =>
            entryKeysInTheWay(entry, customerId, { data: event.data, event: { type } }).map(entryKey => ({
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
class Named {
  readonly #ids = new Map<string, string>()

  constructor(customers: KnownCustomer[]) {
    for (const { workspaceId, id, externalId, phone, wroteFrom = null } of customers) {
      this.#ids.set(`${workspaceId} id ${id}`, id)
      if (externalId !== null) this.#ids.set(`${workspaceId} external ${externalId}`, id)
      if ((phone ?? wroteFrom) !== null) this.#ids.set(`${workspaceId} phone ${phone ?? wroteFrom}`, id)
    }
  }

  of({ workspaceId, customerId, externalId, phone }: IncomingEvent): string[] {
    const names = [`id ${customerId?.toLowerCase()}`, `external ${externalId}`, `phone ${phone}`]
    return [...new Set(names.flatMap(name => this.#ids.get(`${workspaceId} ${name}`) ?? []))]
  }
}
