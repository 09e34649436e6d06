import { setTimeout as sleep } from 'node:timers/promises'
import { planLimitReached } from '../accounts/entitlements/index.ts'
import { DomainError } from '../core/errors.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { type Decision, decide, type Identity, identifySingle } from './decide.ts'
import type { Verdict } from './outcomes.ts'
import { readSnapshot } from './snapshot.ts'
import { type ExistingEvent, findCustomersNamed, type IncomingEvent, sumUsage } from './sql.ts'
import type { TriggerTypes } from './trigger-types.ts'

/** Result of deciding an event without recording it. */
export type CheckDecision =
  | { kind: 'replay'; event: ExistingEvent }
  | { kind: 'refuse'; error: DomainError }
  | { kind: 'record'; enrol: boolean; customerId: string; matchedWorkflows: number; verdicts: Verdict[] }

/** Decides an event like the writer, without recording it. */
export const decideOnly = async (sql: Sql, types: TriggerTypes, event: IncomingEvent): Promise<CheckDecision> => {
  const decision = await decideSingle(sql, types, event)
  if (decision?.kind === 'replay' || decision?.kind === 'refuse') return decision
  if (decision?.kind !== 'write') throw new Error('a single event was deferred')
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
  const identity = identifySingle(event, await findCustomersNamed(sql, [event]))
  if (identity instanceof DomainError) throw identity
  return identity
}

/** Maximum number of retries while a blocking run may be about to end, and the milliseconds between them. */
const maxRechecks = 40
const recheckMs = 25

/** Decides one event like the writer. If a blocking run may be about to end, waits until that is known. */
const decideSingle = async (sql: Sql, types: TriggerTypes, event: IncomingEvent): Promise<Decision | undefined> => {
  for (let rechecks = 0; ; rechecks++) {
    const [decision] = decide([event], await readSnapshot(sql, types, [event]), () => rechecks < maxRechecks)
    if (decision?.kind !== 'later') return decision
    await sleep(recheckMs)
  }
}
