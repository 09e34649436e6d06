/** Advances runs: claims due runs, executes them outside a transaction and writes the results. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import { mergedAttributes } from '../customers/index.ts'
import type { QueuedFor } from '../messages/index.ts'
import { noteChanges } from '../stream/index.ts'
import { inTurns, type Rest } from '../turns.ts'
import { type Arrived, lookForArrivals, readArrivals } from '../waits/index.ts'
import { blameOf, isFailureOfDatabase } from './blame.ts'
import { lengthOf } from './effects.ts'
import type { RunFacts } from './facts.ts'
import { type Advance, advance } from './interpreter.ts'
import { factsOf, type ReadTemplates, readPlans, readTemplates } from './run-facts.ts'
import {
  type ClaimedRuns,
  type DueRun,
  failFirstDueRun,
  giveBackRuns,
  isEntered,
  putOffRun,
  type RunAdvance,
  recordAdvances,
} from './run-sql.ts'

/** Callbacks for exceptional events. */
export interface RunObserver {
  /** Called when a run failed. It has ended as failed, or is tried again later. */
  onFailure(error: unknown, runId: string, ended: boolean): void
  /** Called when a page of runs could not be claimed or stored. Each run is then processed separately. */
  onPageFailure(error: unknown): void
  /** Called when a run reached a step of an unknown type. It waits for a process that knows the type. */
  onUnknownType(type: string, runId: string): void
  /** Called when written runs are due again within a second. A timer set earlier may be too late for them. */
  onDueSoon?(): void
}

/** Number of tries after which a run ends as failed, whatever the cause. */
export const maxTries = 3

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
): Promise<QueuedFor[]> => {
  try {
    const channels: QueuedFor[] = []
    const beside = await readBeside(sql, runs, now)
    const visited = await visit(runs, beside, now, observer)
    for (const part of inParts(visited)) channels.push(...(await record(sql, part, observer)))
    if (visited.some(({ to: { wakeAt } }) => wakeAt !== null && wakeAt.getTime() - now.getTime() < soonMs))
      observer.onDueSoon?.()
    return channels
  } catch (error) {
    await giveBack(sql, runs, stopping)
    throw error
  }
}

/** Milliseconds within which a worker polls again in any case. */
const soonMs = 1000

/** Data of an execution that the claim did not read. */
interface Beside {
  arrived: Map<string, Arrived>
  templates: ReadTemplates
  plans: Map<string, { workflows: boolean }>
}

const readBeside = async (sql: Sql, runs: DueRun[], now: Date): Promise<Beside> => {
  const planIds = new Set(runs.map(({ read }) => read.workspace.planId))
  const [arrived, templates, plans] = await Promise.all([
    readArrivals(
      sql,
      runs.filter(({ waits }) => waits),
      now,
    ),
    readTemplates(sql, runs),
    readPlans(sql, [...planIds]),
  ])
  return { arrived, templates, plans }
}

/** Run and the result of its execution. */
interface Visited {
  run: DueRun
  to: RunAdvance
}

const visit = async (runs: DueRun[], beside: Beside, now: Date, observer: RunObserver): Promise<Visited[]> => {
  const rest = inTurns()
  const visited: Visited[] = []
  for (const run of runs) {
    visited.push({ run, to: await visitOne(run, beside, now, observer, rest) })
    const resting = rest()
    if (resting) await resting
  }
  return visited
}

const visitOne = async (
  run: DueRun,
  beside: Beside,
  now: Date,
  { onFailure, onUnknownType }: RunObserver,
  rest: Rest,
): Promise<RunAdvance> => {
  // The last try began and never returned a result.
  if (run.tries > maxTries) {
    onFailure(new Error('the process ended in each try to advance it'), run.id, true)
    return failed(run)
  }
  try {
    const { arrivals, seen, more, seenUpTo } = beside.arrived.get(run.id) ?? nothingArrived
    const steps = advance(run.definition, run, factsFor(run, beside), arrivals, run.recordedAt, now, more)
    let step = steps.next()
    while (!step.done) {
      const resting = rest()
      if (resting) await resting
      step = steps.next()
    }
    const to = step.value
    if (to.unknownType !== null) onUnknownType(to.unknownType, run.id)
    const goesOn = more && to.wakeAt !== null
    return {
      ...withinLimits(run, to),
      seen,
      wakeAt: goesOn ? now : to.wakeAt,
      seenUpTo: goesOn ? seenUpTo : null,
    }
  } catch (error) {
    onFailure(error, run.id, true)
    return failed(run)
  }
}

/** Drops attribute changes that exceed the customer's limit, and notes that in the trace. */
const withinLimits = (run: DueRun, to: Advance): Advance => {
  let { attributes } = run.read.customer
  const refused = new Set<number>()
  for (const effect of to.effects) {
    if (effect.kind !== 'set_attributes') continue
    const merged = mergedAttributes(attributes, effect.set)
    if (merged) attributes = merged
    else refused.add(effect.position)
  }
  if (refused.size === 0) return to
  return {
    ...to,
    effects: to.effects.filter(({ kind, position }) => kind !== 'set_attributes' || !refused.has(position)),
    trace: to.trace.map(entry =>
      refused.has(entry.position) ? { ...entry, outcome: 'skipped', detail: { reason: 'attributes_full' } } : entry,
    ),
  }
}

const nothingArrived: Arrived = { arrivals: [], seen: [], more: false, seenUpTo: null }

const factsFor = (run: DueRun, { templates, plans }: Beside): RunFacts => {
  const { workspace, customer, ...of } = run.read
  const known = templates.get(run.workspaceId) ?? {}
  return factsOf(of, customer, workspace, known, plans.get(workspace.planId) ?? { workflows: false })
}

const failed = ({ stepId, stepsTaken, answer, used }: DueRun): RunAdvance => ({
  state: { stepId, waiting: false, stepsTaken, waitUntil: null, answer, used },
  seenUpTo: null,
  wakeAt: null,
  endReason: 'internal_error',
  endDetail: null,
  waitsFor: [],
  unknownType: null,
  trace: [],
  effects: [],
})

/** Number of characters of effects after which a statement takes no more runs. */
const maxWritten = 1_000_000

function* inParts(visited: Visited[]): Generator<Visited[]> {
  let part: Visited[] = []
  let written = 0
  // A statement can change a row only once, so runs that change the same customer go into separate statements.
  const changed = new Set<string>()
  for (const one of visited) {
    const changes = one.to.effects.some(({ kind }) => kind === 'set_attributes')
    if (written >= maxWritten || (changes && changed.has(one.run.customerId))) {
      yield part
      part = []
      written = 0
      changed.clear()
    }
    part.push(one)
    if (changes) changed.add(one.run.customerId)
    for (const effect of one.to.effects) written += lengthOf(effect)
  }
  if (part.length > 0) yield part
}

/**
 * Records runs together. If the database rejects them, records each one separately, so that one run cannot fail the
 * others.
 */
const record = async (sql: Sql, part: Visited[], observer: RunObserver): Promise<QueuedFor[]> => {
  try {
    const queued = await recordAdvances(sql, part)
    noteChanges(
      sql,
      'run',
      part.map(({ run }) => run),
    )
    await lookAtParked(sql, part)
    return queued
  } catch (error) {
    if (isFailureOfDatabase(error)) throw error
    if (part.length === 1) return await afterFailure(sql, part[0]!.run, error, observer)
    observer.onPageFailure(error)
    const channels: QueuedFor[] = []
    for (const one of part) channels.push(...(await record(sql, [one], observer)))
    return channels
  }
}

/**
 * Checks for arrivals since the runs began to wait. An error is ignored, because the runs are scheduled for another
 * check.
 */
const lookAtParked = async (sql: Sql, part: Visited[]): Promise<void> => {
  const parked = part.filter(one => one.to.waitsFor.length > 0 && isEntered(one))
  if (parked.length === 0) return
  const runs = parked.map(({ run: { workspaceId, id } }) => ({ workspaceId, runId: id }))
  await lookForArrivals(sql, runs, { last: false }).catch(() => {})
}

/** Milliseconds between tries. */
const waitsBetweenTries = [1000, 5000] as const
/**
 * Milliseconds between tries if another transaction holds a lock. The last one is as long as a transaction of this
 * service can stay open.
 */
const waitsForOthers = [1000, 30_000] as const

/**
 * Ends a run immediately if it caused the error, otherwise after the third try. Until then the run is postponed, behind
 * the others.
 */
const afterFailure = async (sql: Sql, run: DueRun, error: unknown, observer: RunObserver): Promise<QueuedFor[]> => {
  const blame = blameOf(error)
  const waits = blame === 'others' ? waitsForOthers : waitsBetweenTries
  const wait = blame === 'run' ? undefined : waits[run.tries - 1]
  await (wait === undefined ? recordAdvances(sql, [{ run, to: failed(run) }]) : putOffRun(sql, run, wait))
  noteChanges(sql, 'run', [run])
  observer.onFailure(error, run.id, wait === undefined)
  return []
}

/** Treats a run that cannot be claimed like one that failed. */
export const failUnclaimable = async (sql: Sql, error: unknown, observer: RunObserver): Promise<void> => {
  const run = await failFirstDueRun(sql, { maxTries, waitMs: waitsBetweenTries[1] })
  if (run) observer.onFailure(error, run.id, run.ended)
}

const giveBackAgainMs = 250

/** Retries until the database accepts the release. A run must not end because the database was unavailable. */
const giveBack = async (sql: Sql, runs: DueRun[], stopping: AbortSignal): Promise<void> => {
  for (;;) {
    try {
      await giveBackRuns(sql, runs)
      return
    } catch (error) {
      if (!isFailureOfDatabase(error) || stopping.aborted) return
      await sleep(giveBackAgainMs)
    }
  }
}
