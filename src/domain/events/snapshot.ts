import type { Sql } from '../../db/client.ts'
import { findListeningWorkflows } from '../workflows/index.ts'
import type { Snapshot } from './decide.ts'
import type { TriggerTypes } from './nearest.ts'
import { findCustomersNamed, findEventsByKey, type IncomingEvent } from './sql.ts'

/** Reads what the decisions about these events depend on. */
export const readSnapshot = async (sql: Sql, types: TriggerTypes, events: IncomingEvent[]): Promise<Snapshot> => {
  const keyed = events.filter(event => event.idempotencyKey !== null)
  const pairs = new Map(events.map(({ workspaceId, type }) => [`${workspaceId} ${type}`, { workspaceId, type }]))
  const [replays, customers, listening] = await Promise.all([
    keyed.length > 0 ? findEventsByKey(sql, keyed) : [],
    findCustomersNamed(sql, events),
    findListeningWorkflows(sql, [...pairs.values()]),
  ])
  for (const { workspaceId, type } of listening) pairs.delete(`${workspaceId} ${type}`)
  const unheard = [...pairs.values()].map(({ workspaceId }) => workspaceId)
  if (unheard.length > 0) await types.refresh(sql, unheard)
  return { replays, customers, listening, nearest: (workspaceId, type) => types.nearest(workspaceId, type) }
}
