import type { Sql } from '../../db/client.ts'
import { planLimitReached } from '../entitlements/index.ts'
import type { DomainError } from '../errors.ts'
import { decide } from './decide.ts'
import type { TriggerTypes } from './nearest.ts'
import type { Verdict } from './outcomes.ts'
import { readSnapshot } from './snapshot.ts'
import { type IncomingEvent, type SeenEvent, sumUsage } from './sql.ts'

/** What would become of an event. */
export type Judged =
  | { kind: 'replay'; event: SeenEvent }
  | { kind: 'refuse'; error: DomainError }
  | { kind: 'record'; enrol: boolean; customerId: string; matchedWorkflows: number; verdicts: Verdict[] }

/** Judges an event as the writer would, and leaves it at that. */
export const judgeOnly = async (sql: Sql, types: TriggerTypes, event: IncomingEvent): Promise<Judged> => {
  const [decision] = decide([event], await readSnapshot(sql, types, [event]))
  if (decision?.kind === 'replay' || decision?.kind === 'refuse') return decision
  if (decision?.kind !== 'write') throw new Error('an event that is alone was told to stand back')
  const { monthlyLimit, workspaceId } = event
  if (monthlyLimit !== null) {
    const [usage] = await sumUsage(sql, [workspaceId])
    if ((usage?.recorded ?? 0) >= monthlyLimit)
      return { kind: 'refuse', error: planLimitReached('monthlyEvents', monthlyLimit) }
  }
  const { enrol, customerId, matchedWorkflows, verdicts } = decision.write
  // The ids were made for runs that will not be.
  return {
    kind: 'record',
    enrol,
    customerId,
    matchedWorkflows,
    verdicts: verdicts.map(verdict => ({ ...verdict, runId: null })),
  }
}
