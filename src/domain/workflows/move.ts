/** Runs of a workflow that are stopped together, or go on by another version: in pages, by a task that may be repeated. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../db/client.ts'
import { enqueue, type Tasks } from '../tasks.ts'
import type { Parking } from '../waits/index.ts'
import { durationMs } from './duration.ts'
import { waitedForBy } from './exit-on.ts'
import { findDefinition, findStepsOfRuns, type MovingRun, moveRunsTo, selectRunsAt, stopPage } from './move-sql.ts'
import type { Definition } from './schema.ts'
import { type Step, stepTypeOf } from './steps/index.ts'
import { zoneFor } from './time-of-day.ts'

/** Runs of one statement. */
const pageSize = 200
/** Runs that somebody holds are come back to so often; then the task fails, and is run again a little later. */
const maxPasses = 40
const passMs = 250

/**
 * Milliseconds between one look for runs and the next: whoever recorded an event at that moment may have decided before the
 * switch, and written a run after it. None of them is about for longer than all of these together.
 */
const lookAgainMs = [500, 1500, 8000, 30_000]

/** Has the runs of a workflow stopped that was switched off then, in the transaction of the switch. */
export const stopRunsLater = (sql: Sql, of: Tasks['stop_runs'], inMs = 0): Promise<void> =>
  enqueue(sql, 'stop_runs', of, `stop:${of.workflowId}`, inMs)

/** Stops them. While the workflow stays off it is looked again for those that came late. */
export const stopRunsOf = async (sql: Sql, of: Tasks['stop_runs']): Promise<void> => {
  const isOff = await stopAll(sql, of)
  const looks = of.looks ?? 0
  if (isOff && looks < lookAgainMs.length) await stopRunsLater(sql, { ...of, looks: looks + 1 }, lookAgainMs[looks])
}

/** Answers whether the workflow is off. */
const stopAll = async (sql: Sql, { workspaceId, workflowId, startedBy }: Tasks['stop_runs']): Promise<boolean> => {
  for (let pass = 0; pass < maxPasses; pass++) {
    const { stopped, left, isOff } = await stopPage(sql, { workspaceId, workflowId, startedBy, limit: pageSize })
    if (!left) return isOff
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

/** When its wait is over by the new version, counted from when it began; at once where the step waits no more. */
const moved = (run: MovingRun, to: Definition, before: Definition | null) => {
  const { stepId, waiting, wakeAt, waitUntil } = run
  const step = stepId === null || !waiting ? undefined : to.steps[stepId]
  const type = step && stepTypeOf(step)
  if (!step || !type) return { wakeAt, waitUntil }
  const was = before?.steps[stepId!]
  if (was && isDeepStrictEqual(was, step)) return { wakeAt, waitUntil }
  const began = beganAt(run, was)
  const end = type.endOfWait?.(step, began, zoneFor(run.customerZone, run.workspaceZone)) ?? began
  return { wakeAt: end.toISOString(), waitUntil: end.toISOString() }
}

/** A wait for so long ends so long after it began; of one for a time of day the trace says when it did. */
const beganAt = ({ waitUntil, wakeAt, enteredAt }: MovingRun, was: Step | undefined): Date => {
  const end = new Date(waitUntil ?? wakeAt)
  const ms = was === undefined ? Number.NaN : lengthOf(was)
  return Number.isNaN(ms) ? (enteredAt ?? end) : new Date(end.getTime() - ms)
}

/** In milliseconds; NaN where it is no time that is counted from when the wait began. */
const lengthOf = (step: Step): number => {
  if (step.type === 'delay' && 'for' in step && typeof step.for === 'string') return durationMs(step.for) ?? Number.NaN
  return step.type === 'wait_for' ? (durationMs(step.timeout) ?? Number.NaN) : Number.NaN
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
