/** How many more events a plan allows this month, exactly, however many arrive at once in however many processes. */
import { Failed } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { planLimitReached } from '../entitlements/index.ts'
import { type EventWrite, findEventsByKey, sumUsage, tryLockUsage } from './sql.ts'

export const isLimited = ({ event }: EventWrite): boolean => event.monthlyLimit !== null

interface Admission {
  admitted: EventWrite[]
  /**
   * By the event's id: refused, waiting for an event in front of it that would take the same place, or of a workspace
   * whose month somebody else holds.
   */
  others: Map<string, Failed | 'stood back' | 'held'>
}

/**
 * Divides the events, in their order, among those there is room for and those there is not. All of them are limited.
 * What is admitted must be written in the same transaction, which holds the month of each workspace until it ends. It
 * waits for no month that another holds: the events of other workspaces would wait with it.
 */
export const admit = async (tx: Sql, writes: EventWrite[]): Promise<Admission> => {
  const byWorkspace = Map.groupBy(writes, ({ event }) => event.workspaceId)
  const locked = new Set(await tryLockUsage(tx, [...byWorkspace.keys()]))
  const admission: Admission = { admitted: [], others: new Map() }
  if (locked.size === 0) return heldBack(writes, admission)
  // A second statement: the snapshot of the first is older than the lock.
  const used = new Map((await sumUsage(tx, [...locked])).map(row => [row.workspaceId, row.recorded]))

  for (const [workspaceId, its] of byWorkspace) {
    const before = used.get(workspaceId) ?? 0
    const fits = its.every(({ event, standingBack }) => before + its.length + standingBack <= event.monthlyLimit!)
    if (!locked.has(workspaceId)) heldBack(its, admission)
    else if (fits) admission.admitted.push(...its)
    else divide(await withoutReplays(tx, its), before, admission)
  }
  return admission
}

const heldBack = (writes: EventWrite[], admission: Admission): Admission => {
  for (const { id } of writes) admission.others.set(id, 'held')
  return admission
}

/**
 * Those whose key was not used since they were judged: a replay takes no place and is answered, not refused. The ones
 * left out are in no list, so that they go round again and find the first event.
 */
const withoutReplays = async (tx: Sql, writes: EventWrite[]): Promise<EventWrite[]> => {
  const keyed = writes.map(({ event }) => event).filter(({ idempotencyKey }) => idempotencyKey !== null)
  if (keyed.length === 0) return writes
  const replays = await findEventsByKey(tx, keyed)
  const seen = new Set(replays.map(({ source, idempotencyKey }) => `${source} ${idempotencyKey}`))
  return writes.filter(({ event }) => !seen.has(`${event.source} ${event.idempotencyKey}`))
}

const divide = (writes: EventWrite[], before: number, { admitted, others }: Admission): void => {
  let used = before
  for (const write of writes) {
    const limit = write.event.monthlyLimit!
    if (used >= limit) others.set(write.id, new Failed(planLimitReached('monthlyEvents', limit)))
    else if (used + write.standingBack >= limit) others.set(write.id, 'stood back')
    else {
      admitted.push(write)
      used++
    }
  }
}
