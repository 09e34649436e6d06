/** Enforces the monthly event limit of a plan exactly, across concurrent calls and processes. */

import { planLimitReached } from '../accounts/entitlements/index.ts'
import { Failed } from '../platform/micro-batch.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { type EventWrite, findEventsByKey, sumUsage, tryLockUsage } from './sql.ts'

export const isLimited = ({ event }: EventWrite): boolean => event.monthlyLimit !== null

interface Admission {
  admitted: EventWrite[]
  /**
   * Events that are not admitted, by id. `Failed`: over the limit. `stood back`: deferred, because earlier deferred
   * events may use up the limit. `held`: another transaction has locked the monthly usage of the workspace.
   */
  others: Map<string, Failed | 'stood back' | 'held'>
}

/**
 * Admits limited events, in their order, as far as the limit allows. Admitted events must be written in the same
 * transaction, which locks the monthly usage of their workspaces until it ends. Never waits for that lock, because the
 * events of other workspaces in the batch would wait too.
 */
export const admit = async (tx: Sql, writes: EventWrite[]): Promise<Admission> => {
  const byWorkspace = Map.groupBy(writes, ({ event }) => event.workspaceId)
  const locked = new Set(await tryLockUsage(tx, [...byWorkspace.keys()]))
  const admission: Admission = { admitted: [], others: new Map() }
  if (locked.size === 0) return deferAll(writes, admission)
  // A second statement, because the snapshot of the first is older than the lock.
  const used = new Map((await sumUsage(tx, [...locked])).map(row => [row.workspaceId, row.recorded]))

  for (const [workspaceId, group] of byWorkspace) {
    const usedBefore = used.get(workspaceId) ?? 0
    const fits = group.every(
      ({ event, deferredBefore }) => usedBefore + group.length + deferredBefore <= event.monthlyLimit!,
    )
    if (!locked.has(workspaceId)) deferAll(group, admission)
    else if (fits) admission.admitted.push(...group)
    else admitUpToLimit(await withoutReplays(tx, group), usedBefore, admission)
  }
  return admission
}

const deferAll = (writes: EventWrite[], admission: Admission): Admission => {
  for (const { id } of writes) admission.others.set(id, 'held')
  return admission
}

/**
 * Removes events whose key was used since they were decided. A replay does not count towards the limit and is answered
 * with the first event. Removed events appear in no list, so the caller retries them and finds that event.
 */
const withoutReplays = async (tx: Sql, writes: EventWrite[]): Promise<EventWrite[]> => {
  const keyed = writes.map(({ event }) => event).filter(({ idempotencyKey }) => idempotencyKey !== null)
  if (keyed.length === 0) return writes
  const replays = await findEventsByKey(tx, keyed)
  const replayedKeys = new Set(replays.map(({ source, idempotencyKey }) => `${source} ${idempotencyKey}`))
  return writes.filter(({ event }) => !replayedKeys.has(`${event.source} ${event.idempotencyKey}`))
}

const admitUpToLimit = (writes: EventWrite[], usedBefore: number, { admitted, others }: Admission): void => {
  let used = usedBefore
  for (const write of writes) {
    const limit = write.event.monthlyLimit!
    if (used >= limit) others.set(write.id, new Failed(planLimitReached('monthlyEvents', limit)))
    else if (used + write.deferredBefore >= limit) others.set(write.id, 'stood back')
    else {
      admitted.push(write)
      used++
    }
  }
}
