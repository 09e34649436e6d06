import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import { planLimitReached } from '../entitlements/index.ts'
import { DomainError } from '../errors.ts'
import { type Decision, decide, type Identity, identifyAlone } from './decide.ts'
import type { TriggerTypes } from './nearest.ts'
import type { Verdict } from './outcomes.ts'
import { readSnapshot } from './snapshot.ts'
import { findCustomersNamed, type IncomingEvent, type SeenEvent, sumUsage } from './sql.ts'

/** Result of deciding an event without recording it. */
export type Judged =
  | { kind: 'replay'; event: SeenEvent }
  | { kind: 'refuse'; error: DomainError }
  | { kind: 'record'; enrol: boolean; customerId: string; matchedWorkflows: number; verdicts: Verdict[] }

/** Decides an event like the writer, without recording it. */
export const judgeOnly = async (sql: Sql, types: TriggerTypes, event: IncomingEvent): Promise<Judged> => {
  const decision = await decideAlone(sql, types, event)
  if (decision?.kind === 'replay' || decision?.kind === 'refuse') return decision
  if (decision?.kind !== 'write') throw new Error('an event that is alone was told to stand back')
  const { monthlyLimit, workspaceId } = event
  if (monthlyLimit !== null) {
    const [usage] = await sumUsage(sql, [workspaceId])
    if ((usage?.recorded ?? 0) >= monthlyLimit)
      return { kind: 'refuse', error: planLimitReached('monthlyEvents', monthlyLimit) }
  }
  const { enrol, customerId, matchedWorkflows, verdicts } = decision.write
  // Removes the run ids, because the runs will not start.
  return {
    kind: 'record',
    enrol,
    customerId,
    matchedWorkflows,
    verdicts: verdicts.map(verdict => ({ ...verdict, runId: null })),
  }
}

/**
 * Returns the customer that the event would be about. If it would create the customer, `enrol` is true and the id is
 * unused. Throws the error if identification fails.
 */
export const identifyOnly = async (sql: Sql, event: IncomingEvent): Promise<Identity> => {
  const identity = identifyAlone(event, await findCustomersNamed(sql, [event]))
  if (identity instanceof DomainError) throw identity
  return identity
}

/** Maximum number of retries while a blocking run may be about to end, and the milliseconds between them. */
const looksAgain = 40
const lookAgainMs = 25

/** Decides one event like the writer. If a blocking run may be about to end, waits until that is known. */
const decideAlone = async (sql: Sql, types: TriggerTypes, event: IncomingEvent): Promise<Decision | undefined> => {
  for (let looks = 0; ; looks++) {
    const [decision] = decide([event], await readSnapshot(sql, types, [event]), () => looks < looksAgain)
    if (decision?.kind !== 'later') return decision
    await sleep(lookAgainMs)
  }
}
