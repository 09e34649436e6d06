/** Advances runs: what is due is claimed, visited by the interpreter outside of any transaction, and written back. */
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

/** Told of what went otherwise than a definition says. */
export interface RunObserver {
  /** A run failed by itself: it ended as failed, or is tried again a little later. */
  onFailure(error: unknown, runId: string, ended: boolean): void
  /** A page of runs could not be claimed or stored together; each is by itself. */
  onPageFailure(error: unknown): void
  /** A run has come to a step of a type that this process does not know, and waits for one that does. */
  onUnknownType(type: string, runId: string): void
  /** Runs were written that are due again within a second: whoever sleeps until then may have asked too early. */
  onDueSoon?(): void
}

/** A run ends as failed after so many tries, whoever was to blame for them. */
export const maxTries = 3

/**
 * Visits runs that this process has claimed and writes down what they did; answers what was queued for which channels.
 * A run that our own code cannot advance ends as failed, and so does one that the database will not take three times.
 * Rejects where the database failed as a whole: then what was not written was given back, and the try does not count,
 * unless `stopping` aborts while the database is still away.
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

/** Longer than that nobody sleeps without another look. */
const soonMs = 1000

/** What visits see beside what was read with the claim. */
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

/** A run, and how far the visit to it brought it. */
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
  // The last try was begun, and nobody came back from it.
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

/** Attributes that would be more than a customer may carry are not set, and the trace says so. */
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

/** A statement writes no more runs once the effects of those before come to so many characters. */
const maxWritten = 1_000_000

function* inParts(visited: Visited[]): Generator<Visited[]> {
  let part: Visited[] = []
  let written = 0
  // A statement changes a row once: runs that change the same customer are written one after the other.
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

/** All together, or, where the database will not take that, each by itself: one run spoils it for no other. */
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
 * What arrived since they began counts for runs that have come to a wait for it. They are parked: whatever becomes of this
 * look, there is another.
 */
const lookAtParked = async (sql: Sql, part: Visited[]): Promise<void> => {
  const parked = part.filter(one => one.to.waitsFor.length > 0 && isEntered(one))
  if (parked.length === 0) return
  const runs = parked.map(({ run: { workspaceId, id } }) => ({ workspaceId, runId: id }))
  await lookForArrivals(sql, runs, { last: false }).catch(() => {})
}

/** Milliseconds between one try and the next. */
const waitsBetweenTries = [1000, 5000] as const
/** Where somebody holds what it needs, which is not waited for: as long as a transaction of ours may stay open. */
const waitsForOthers = [1000, 30_000] as const

/** At once where the run is to blame, else with the third try, it ends; until then it is put off, behind the others. */
const afterFailure = async (sql: Sql, run: DueRun, error: unknown, observer: RunObserver): Promise<QueuedFor[]> => {
  const blame = blameOf(error)
  const waits = blame === 'others' ? waitsForOthers : waitsBetweenTries
  const wait = blame === 'run' ? undefined : waits[run.tries - 1]
  await (wait === undefined ? recordAdvances(sql, [{ run, to: failed(run) }]) : putOffRun(sql, run, wait))
  noteChanges(sql, 'run', [run])
  observer.onFailure(error, run.id, wait === undefined)
  return []
}

/** A run that cannot even be claimed, whatever the reason, is treated as one that failed by itself. */
export const failUnclaimable = async (sql: Sql, error: unknown, observer: RunObserver): Promise<void> => {
  const run = await failFirstDueRun(sql, { maxTries, waitMs: waitsBetweenTries[1] })
  if (run) observer.onFailure(error, run.id, run.ended)
}

const giveBackAgainMs = 250

/** Tries until the database takes it: a run must not end because the database was away. */
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
