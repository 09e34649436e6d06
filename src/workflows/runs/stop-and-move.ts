/** Tasks that stop all runs of a workflow, or move them to another version. They work in pages and can be repeated. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { durationMs } from '../../core/duration.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { enqueue, type Tasks } from '../../queue/tasks.ts'
import type { RunWaits } from '../../queue/waits/index.ts'
import { awaitedByExits } from '../exit-on.ts'
import type { Definition } from '../schema.ts'
import { type Step, stepTypeOf } from '../steps/index.ts'
import {
  findDefinition,
  findOccupiedSteps,
  type MovingRun,
  moveRunsTo,
  selectRunsAtStep,
  stopPage,
} from './stop-and-move-sql.ts'
import { zoneFor } from './time-of-day.ts'

/** Number of runs per statement. */
const pageSize = 200
/**
 * Maximum number of passes for locked runs. The stop task counts only passes without progress, then fails and is
 * retried. The move task leaves the remaining runs on their version.
 */
const maxPasses = 40
const passMs = 250

/**
 * Milliseconds between repeated checks for new runs. A transaction that records an event may have read the switch
 * before the change, and write a run after it. No such transaction lasts longer than the sum of these times.
 */
const recheckDelaysMs = [500, 1500, 8000, 30_000]

/** Enqueues the task that stops the runs of a disabled workflow, in the transaction of the change. */
export const enqueueStopRuns = (sql: Sql, task: Tasks['stop_runs'], inMs = 0): Promise<void> =>
  enqueue(sql, 'stop_runs', task, `stop:${task.workflowId}`, inMs)

/** Stops the runs. While the workflow stays disabled, it checks again for runs that were written late. */
export const stopWorkflowRuns = async (sql: Sql, task: Tasks['stop_runs']): Promise<void> => {
  const isDisabled = await stopAll(sql, task)
  const passes = task.passes ?? 0
  if (isDisabled && passes < recheckDelaysMs.length)
    await enqueueStopRuns(sql, { ...task, passes: passes + 1 }, recheckDelaysMs[passes])
}

/** Returns whether the workflow is disabled. */
const stopAll = async (sql: Sql, { workspaceId, workflowId, startedBy }: Tasks['stop_runs']): Promise<boolean> => {
  for (let pass = 0; pass < maxPasses; pass++) {
    const { stopped, left, isDisabled } = await stopPage(sql, { workspaceId, workflowId, startedBy, limit: pageSize })
    if (!left) return isDisabled
    if (stopped > 0) pass = 0
    else await sleep(passMs)
  }
  throw new Error('runs that must be stopped are locked')
}

/** Version of a workflow to which runs are moved. */
interface Version {
  workspaceId: string
  workflowId: string
  version: number
}

/**
 * Moves runs of older versions to this one if it still has their current step. Other runs finish with their own
 * version.
 *
 * The wait conditions and durations of the new version then apply, counted from the start of the wait.
 */
export const moveRuns = async (sql: Sql, target: Version): Promise<void> => {
  const definition = await findDefinition(sql, target)
  if (!definition) return
  for (let pass = 0; pass < maxPasses; pass++) {
    const left = await movePass(sql, target, definition)
    if (left === 0) return
    await sleep(passMs)
  }
}

/** Returns how many runs could not be moved because they were claimed or had changed. */
const movePass = async (sql: Sql, target: Version, definition: Definition): Promise<number> => {
  let left = 0
  for (const { version, stepId } of await findOccupiedSteps(sql, target)) {
    if (stepId !== null && !Object.hasOwn(definition.steps, stepId)) continue
    const previousDefinition = await findDefinition(sql, { ...target, version })
    for (let after: string | null = null; ; ) {
      const page: MovingRun[] = await selectRunsAtStep(sql, { ...target, version, stepId, after, limit: pageSize })
      if (page.length === 0) break
      const moves = page.map(run => ({
        run,
        ...rescheduleWait(run, definition, previousDefinition),
        wait: waitOf(run, target, definition),
      }))
      left += page.length - (await moveRunsTo(sql, target, moves))
      after = page.at(-1)!.id
    }
  }
  return left
}

/**
 * Returns the end of the wait according to the new version, counted from its start. If the step no longer waits, the
 * wait is over immediately.
 */
const rescheduleWait = (run: MovingRun, target: Definition, previousDefinition: Definition | null) => {
  const { stepId, waiting, wakeAt, waitUntil } = run
  const step = stepId === null || !waiting ? undefined : target.steps[stepId]
  const type = step && stepTypeOf(step)
  if (!step || !type) return { wakeAt, waitUntil }
  const previousStep = previousDefinition?.steps[stepId!]
  if (previousStep && isDeepStrictEqual(previousStep, step)) return { wakeAt, waitUntil }
  const began = waitBeganAt(run, previousStep)
  const end = type.endOfWait?.(step, began, zoneFor(run.customerZone, run.workspaceZone)) ?? began
  return { wakeAt: end.toISOString(), waitUntil: end.toISOString() }
}

/**
 * Returns the start of a wait. For a duration it is computed from the end; for a time of day it is read from the trace.
 */
const waitBeganAt = ({ waitUntil, wakeAt, enteredAt }: MovingRun, previousStep: Step | undefined): Date => {
  const end = new Date(waitUntil ?? wakeAt)
  const ms = previousStep === undefined ? Number.NaN : waitLengthOf(previousStep)
  return Number.isNaN(ms) ? (enteredAt ?? end) : new Date(end.getTime() - ms)
}

/** Returns the length of the wait in milliseconds, or NaN if it is not a duration. */
const waitLengthOf = (step: Step): number => {
  if (step.type === 'delay' && 'for' in step && typeof step.for === 'string') return durationMs(step.for) ?? Number.NaN
  return step.type === 'wait_for' ? (durationMs(step.timeout) ?? Number.NaN) : Number.NaN
}

const waitOf = (
  { id, customerId, stepId, waiting }: MovingRun,
  { workspaceId }: Version,
  { steps, exitOn }: Definition,
): RunWaits => {
  const step = waiting && stepId !== null ? steps[stepId] : undefined
  const ofStep = step ? (stepTypeOf(step)?.waitsFor?.(step) ?? []) : []
  const waitsFor = waiting ? [...awaitedByExits(exitOn), ...ofStep] : []
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
