/** Runs of a workflow that are stopped together, or go on by another version: in pages, by a task that may be repeated. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import type { Parking } from '../waits/index.ts'
import { durationMs } from './duration.ts'
import { waitedForBy } from './exit-on.ts'
import { findDefinition, findStepsOfRuns, type MovingRun, moveRunsTo, selectRunsAt, stopPage } from './move-sql.ts'
import type { Definition } from './schema.ts'
import { type Step, stepTypeOf } from './steps/index.ts'

/** Runs of one statement. */
const pageSize = 200
/** Runs that somebody holds are come back to so often; then the task fails, and is run again a little later. */
const maxPasses = 40
const passMs = 250

/** Stops the runs of a workflow that had begun by then. */
export const stopRunsOf = async (
  sql: Sql,
  { workspaceId, workflowId, startedBy }: { workspaceId: string; workflowId: string; startedBy: string },
): Promise<void> => {
  for (let pass = 0; pass < maxPasses; pass++) {
    const { stopped, left } = await stopPage(sql, { workspaceId, workflowId, startedBy, limit: pageSize })
    if (!left) return
    if (stopped > 0) pass = 0
    else await sleep(passMs)
  }
  throw new Error('runs that are to be stopped are held by somebody')
}

/** A version of a workflow that runs are to go on by. */
interface Version {
  workspaceId: string
  workflowId: string
  version: number
}

/**
 * Has runs of older versions go on by this one where the step at which they stand is there: the others finish on theirs.
 * What a run waits for, and how long, is then as the new version says, counted from when its wait began.
 */
export const moveRuns = async (sql: Sql, to: Version): Promise<void> => {
  const definition = await findDefinition(sql, to)
  if (!definition) return
  for (let pass = 0; pass < maxPasses; pass++) {
    const left = await moveOnce(sql, to, definition)
    if (left === 0) return
    await sleep(passMs)
  }
}

/** Answers how many could not be moved because somebody works on them. */
const moveOnce = async (sql: Sql, to: Version, definition: Definition): Promise<number> => {
  let left = 0
  for (const { version, stepId } of await findStepsOfRuns(sql, to)) {
    if (stepId !== null && !Object.hasOwn(definition.steps, stepId)) continue
    const before = await findDefinition(sql, { ...to, version })
    for (let after: string | null = null; ; ) {
      const page: MovingRun[] = await selectRunsAt(sql, { ...to, version, stepId, after, limit: pageSize })
      if (page.length === 0) break
      const moves = page.map(run => ({
        run,
        ...moved(run, definition, before),
        parking: parkingOf(run, to, definition),
      }))
      left += page.length - (await moveRunsTo(sql, to, moves))
      after = page.at(-1)!.id
    }
  }
  return left
}

/** A wait that is longer in the new version lasts so much longer, and one that is shorter so much shorter. */
const moved = ({ stepId, waiting, wakeAt, waitUntil }: MovingRun, to: Definition, before: Definition | null) => {
  const more = stepId === null || !waiting ? 0 : waitOf(to.steps[stepId]) - waitOf(before?.steps[stepId])
  if (Number.isNaN(more) || more === 0) return { wakeAt, waitUntil }
  const shifted = new Date(new Date(waitUntil ?? wakeAt).getTime() + more).toISOString()
  return { wakeAt: shifted, waitUntil: shifted }
}

/** NaN where it is no time that is counted from when the wait began. */
const waitOf = (step: Step | undefined): number => {
  if (step?.type === 'delay' && 'for' in step && typeof step.for === 'string') return durationMs(step.for) ?? Number.NaN
  return step?.type === 'wait_for' ? (durationMs(step.timeout) ?? Number.NaN) : Number.NaN
}

const parkingOf = (
  { id, customerId, stepId, waiting }: MovingRun,
  { workspaceId }: Version,
  { steps, exitOn }: Definition,
): Parking => {
  const step = waiting && stepId !== null ? steps[stepId] : undefined
  const ofStep = step ? (stepTypeOf(step)?.waitsFor?.(step) ?? []) : []
  const waitsFor = waiting ? [...waitedForBy(exitOn), ...ofStep] : []
  return {
    workspaceId,
    runId: id,
    customerId,
    waitsFor,
    endsByOptOut: waiting && (exitOn ?? []).some(exit => 'optOut' in exit),
    ended: false,
    isNew: true,
    seen: [],
  }
}
