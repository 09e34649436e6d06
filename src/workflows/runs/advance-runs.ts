/** Advances runs: claims due runs, executes them outside a transaction and writes the results. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readPlans } from '../../accounts/workspace-access/index.ts'
import { recordChanges } from '../../core/changes/index.ts'
import type { Plan } from '../../core/plan.ts'
import { mergeAttributes } from '../../customers/index.ts'
import type { QueuedChannel } from '../../messaging/messages/index.ts'
import { createYield, type YieldIfDue } from '../../platform/event-loop.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type Arrivals, readArrivals, recheckRuns } from '../../queue/waits/index.ts'
import { effectLength } from './effects.ts'
import type { RunFacts } from './facts.ts'
import { failureCauseOf, isDatabaseFailure } from './failures.ts'
import { type Advance, advance } from './interpreter.ts'
import { buildFacts, readTemplates, type TemplatesByWorkspace } from './run-facts.ts'
import {
  type ClaimedRuns,
  type DueRun,
  failFirstDueRun,
  hasEnteredWait,
  postponeRun,
  type RunAdvance,
  recordAdvances,
  releaseRuns,
} from './sql.ts'

/** Callbacks for exceptional events. */
export interface RunObserver {
  /** Called when a run failed. It has ended as failed, or is tried again later. */
  onFailure(error: unknown, run: Pick<DueRun, 'id' | 'traceparent'>, ended: boolean): void
  /** Called when a page of runs could not be claimed or stored. Each run is then processed separately. */
  onPageFailure(error: unknown): void
  /** Called when a run reached a step of an unknown type. It waits for a process that knows the type. */
  onUnknownType(type: string, runId: string): void
  /** Called when written runs are due again within a second. A timer set earlier may be too late for them. */
  onDueSoon?(): void
  /** Called with the result of each execution. */
  onExecuted?(run: DueRun, result: RunAdvance): void
}

/** Number of attempts after which a run ends as failed, whatever the cause. */
export const maxAttempts = 3

/**
 * Executes claimed runs and writes the results. Returns the queued messages by channel.
 *
 * A run that our code cannot advance ends as failed, and so does one that the database rejects three times.
 *
 * Rejects if the database itself failed. Runs that were not written are then released, and the try does not count. If
 * `stopping` aborts while the database is unavailable, they stay claimed.
 */
export const advanceRuns = async (
  sql: Sql,
  { runs, now }: ClaimedRuns,
  observer: RunObserver,
  stopping: AbortSignal,
): Promise<QueuedChannel[]> => {
  try {
    const channels: QueuedChannel[] = []
    const sharedData = await readSharedData(sql, runs, now)
    const executed = await executeAll(runs, sharedData, now, observer)
    for (const batch of splitBatches(executed)) channels.push(...(await record(sql, batch, observer)))
    if (executed.some(({ result: { wakeAt } }) => wakeAt !== null && wakeAt.getTime() - now.getTime() < soonMs))
      observer.onDueSoon?.()
    return channels
  } catch (error) {
    await releaseUntilDone(sql, runs, stopping)
    throw error
  }
}

/** Milliseconds within which a worker polls again in any case. */
const soonMs = 1000

/** Data of an execution that the claim did not read. */
interface SharedData {
  arrived: Map<string, Arrivals>
  templates: TemplatesByWorkspace
  plans: Map<string, Plan>
}

const readSharedData = async (sql: Sql, runs: DueRun[], now: Date): Promise<SharedData> => {
  const [arrived, templates, plans] = await Promise.all([
    readArrivals(
      sql,
      runs.filter(({ waits }) => waits),
      now,
    ),
    readTemplates(sql, runs),
    readPlans(
      sql,
      runs.map(({ read }) => read.workspace.planId),
    ),
  ])
  return { arrived, templates, plans }
}

/** Run and the result of its execution. */
interface ExecutedRun {
  run: DueRun
  result: RunAdvance
}

const executeAll = async (
  runs: DueRun[],
  sharedData: SharedData,
  now: Date,
  observer: RunObserver,
): Promise<ExecutedRun[]> => {
  const yieldIfDue = createYield()
  const executed: ExecutedRun[] = []
  for (const run of runs) {
    const result = await executeRun(run, sharedData, now, observer, yieldIfDue)
    observer.onExecuted?.(run, result)
    executed.push({ run, result })
    const yielding = yieldIfDue()
    if (yielding) await yielding
  }
  return executed
}

const executeRun = async (
  run: DueRun,
  sharedData: SharedData,
  now: Date,
  { onFailure, onUnknownType }: RunObserver,
  yieldIfDue: YieldIfDue,
): Promise<RunAdvance> => {
  // The last try began and never returned a result.
  if (run.attempts > maxAttempts) {
    onFailure(new Error('the process ended in every attempt to advance it'), run, true)
    return failedAdvance(run)
  }
  try {
    const { arrivals, seen, more, evaluatedUpTo } = sharedData.arrived.get(run.id) ?? noArrivals
    const steps = advance(run.definition, run, factsFor(run, sharedData), arrivals, run.recordedAt, now, more)
    let step = steps.next()
    while (!step.done) {
      const yielding = yieldIfDue()
      if (yielding) await yielding
      step = steps.next()
    }
    const result = step.value
    if (result.unknownType !== null) onUnknownType(result.unknownType, run.id)
    const isUnfinished = more && result.wakeAt !== null
    return {
      ...enforceAttributeLimit(run, result),
      seen,
      wakeAt: isUnfinished ? now : result.wakeAt,
      evaluatedUpTo: isUnfinished ? evaluatedUpTo : null,
    }
  } catch (error) {
    onFailure(error, run, true)
    return failedAdvance(run)
  }
}

/** Drops attribute changes that exceed the customer's limit, and notes that in the trace. */
const enforceAttributeLimit = (run: DueRun, result: Advance): Advance => {
  let { attributes } = run.read.customer
  const rejected = new Set<number>()
  for (const effect of result.effects) {
    if (effect.kind !== 'set_attributes') continue
    const merged = mergeAttributes(attributes, effect.set)
    if (merged) attributes = merged
    else rejected.add(effect.position)
  }
  if (rejected.size === 0) return result
  return {
    ...result,
    effects: result.effects.filter(({ kind, position }) => kind !== 'set_attributes' || !rejected.has(position)),
    trace: result.trace.map(entry =>
      rejected.has(entry.position) ? { ...entry, outcome: 'skipped', detail: { reason: 'attributes_full' } } : entry,
    ),
  }
}

const noArrivals: Arrivals = { arrivals: [], seen: [], more: false, evaluatedUpTo: null }

const factsFor = (run: DueRun, { templates, plans }: SharedData): RunFacts => {
  const { workspace, customer, ...of } = run.read
  const workspaceTemplates = templates.get(run.workspaceId) ?? {}
  return buildFacts(of, customer, workspace, workspaceTemplates, plans.get(workspace.planId))
}

const failedAdvance = ({ stepId, stepsTaken, answer, consumedArrivals }: DueRun): RunAdvance => ({
  state: { stepId, waiting: false, stepsTaken, waitUntil: null, answer, consumedArrivals },
  evaluatedUpTo: null,
  wakeAt: null,
  endReason: 'internal_error',
  endDetail: null,
  waitsFor: [],
  unknownType: null,
  trace: [],
  effects: [],
})

/** Number of characters of effects after which a statement takes no more runs. */
const maxBatchCharacters = 1_000_000

function* splitBatches(executed: ExecutedRun[]): Generator<ExecutedRun[]> {
  let batch: ExecutedRun[] = []
  let characters = 0
  // A statement can change a row only once, so runs that change the same customer go into separate statements.
  const changed = new Set<string>()
  for (const one of executed) {
    const isChangingCustomer = one.result.effects.some(({ kind }) => kind === 'set_attributes')
    if (characters >= maxBatchCharacters || (isChangingCustomer && changed.has(one.run.customerId))) {
      yield batch
      batch = []
      characters = 0
      changed.clear()
    }
    batch.push(one)
    if (isChangingCustomer) changed.add(one.run.customerId)
    for (const effect of one.result.effects) characters += effectLength(effect)
  }
  if (batch.length > 0) yield batch
}

/**
 * Records runs together. If the database rejects them, records each one separately, so that one run cannot fail the
 * others.
 */
const record = async (sql: Sql, batch: ExecutedRun[], observer: RunObserver): Promise<QueuedChannel[]> => {
  try {
    const queued = await recordAdvances(sql, batch)
    recordChanges(
      sql,
      'run',
      batch.map(({ run }) => run),
    )
    await recheckWaiting(sql, batch)
    return queued
  } catch (error) {
    if (isDatabaseFailure(error)) throw error
    if (batch.length === 1) return await handleFailure(sql, batch[0]!.run, error, observer)
    observer.onPageFailure(error)
    const channels: QueuedChannel[] = []
    for (const one of batch) channels.push(...(await record(sql, [one], observer)))
    return channels
  }
}

/**
 * Checks for arrivals since the runs began to wait. An error is ignored, because the runs are scheduled for another
 * check.
 */
const recheckWaiting = async (sql: Sql, batch: ExecutedRun[]): Promise<void> => {
  const waiting = batch.filter(one => one.result.waitsFor.length > 0 && hasEnteredWait(one))
  if (waiting.length === 0) return
  const runs = waiting.map(({ run: { workspaceId, id } }) => ({ workspaceId, runId: id }))
  await recheckRuns(sql, runs, { last: false }).catch(() => {})
}

/** Milliseconds between attempts. */
const retryDelaysMs = [1000, 5000] as const
/**
 * Milliseconds between attempts if another transaction holds a lock. The last one is as long as a transaction of this
 * service can stay open.
 */
const lockRetryDelaysMs = [1000, 30_000] as const

/**
 * Ends a run immediately if it caused the error, otherwise after the third try. Until then the run is postponed, behind
 * the others.
 */
const handleFailure = async (
  sql: Sql,
  run: DueRun,
  error: unknown,
  observer: RunObserver,
): Promise<QueuedChannel[]> => {
  const cause = failureCauseOf(error)
  const delaysMs = cause === 'others' ? lockRetryDelaysMs : retryDelaysMs
  const delayMs = cause === 'run' ? undefined : delaysMs[run.attempts - 1]
  await (delayMs === undefined
    ? recordAdvances(sql, [{ run, result: failedAdvance(run) }])
    : postponeRun(sql, run, delayMs))
  recordChanges(sql, 'run', [run])
  observer.onFailure(error, run, delayMs === undefined)
  return []
}

/** Treats a run that cannot be claimed like one that failed. */
export const failUnclaimable = async (
  sql: Sql,
  error: unknown,
  observer: RunObserver,
  paused: readonly string[] = [],
): Promise<void> => {
  const run = await failFirstDueRun(sql, { maxAttempts, waitMs: retryDelaysMs[1], paused })
  if (run) observer.onFailure(error, { id: run.id, traceparent: null }, run.ended)
}

const releaseRetryMs = 250

/** Retries until the database accepts the release. A run must not end because the database was unavailable. */
const releaseUntilDone = async (sql: Sql, runs: DueRun[], stopping: AbortSignal): Promise<void> => {
  for (;;) {
    try {
      await releaseRuns(sql, runs)
      return
    } catch (error) {
      if (!isDatabaseFailure(error) || stopping.aborted) return
      await sleep(releaseRetryMs)
    }
  }
}
