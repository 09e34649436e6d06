import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import { planLimitReached } from '../entitlements/index.ts'
import { DomainError } from '../errors.ts'
import { type Decision, decide, type Identity, identifyAlone } from './decide.ts'
import type { TriggerTypes } from './nearest.ts'
import type { Verdict } from './outcomes.ts'
import { readSnapshot } from './snapshot.ts'
import { findCustomersNamed, type IncomingEvent, type SeenEvent, sumUsage } from './sql.ts'

/** What would become of an event. */
export type Judged =
  | { kind: 'replay'; event: SeenEvent }
  | { kind: 'refuse'; error: DomainError }
  | { kind: 'record'; enrol: boolean; customerId: string; matchedWorkflows: number; verdicts: Verdict[] }

/** Judges an event as the writer would, and leaves it at that. */
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
  // The ids were made for runs that will not be.
  return {
    kind: 'record',
    enrol,
    customerId,
    matchedWorkflows,
    verdicts: verdicts.map(verdict => ({ ...verdict, runId: null })),
  }
}

/** Whom the event would be about: `enrol`, with an id of nobody yet, where it would enrol them. Throws its refusal. */
export const identifyOnly = async (sql: Sql, event: IncomingEvent): Promise<Identity> => {
  const identity = identifyAlone(event, await findCustomersNamed(sql, [event]))
  if (identity instanceof DomainError) throw identity
  return identity
}

/** How often, and after how many milliseconds each time, it is looked whether a run that is in the way has ended. */
const looksAgain = 40
const lookAgainMs = 25

/** As the writer would decide: where a run in the way may be about to end, once that is known. */
const decideAlone = async (sql: Sql, types: TriggerTypes, event: IncomingEvent): Promise<Decision | undefined> => {
  for (let looks = 0; ; looks++) {
    const [decision] = decide([event], await readSnapshot(sql, types, [event]), () => looks < looksAgain)
    if (decision?.kind !== 'later') return decision
    await sleep(lookAgainMs)
  }
}
