/** Advances runs: what is due is claimed, visited by the interpreter outside of any transaction, and written back. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../db/client.ts'
import type { QueuedFor } from '../messages/index.ts'
import { inTurns, type Rest } from '../turns.ts'
import { blameOf, isFailureOfDatabase } from './blame.ts'
import { lengthOf } from './effects.ts'
import { advance } from './interpreter.ts'
import {
  type ClaimedRuns,
  type DueRun,
  failFirstDueRun,
  giveBackRuns,
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
    for (const part of inParts(await visit(runs, now, observer))) channels.push(...(await record(sql, part, observer)))
    return channels
  } catch (error) {
    await giveBack(sql, runs, stopping)
    throw error
  }
}

/** A run, and how far the visit to it brought it. */
interface Visited {
  run: DueRun
  to: RunAdvance
}

const visit = async (runs: DueRun[], now: Date, observer: RunObserver): Promise<Visited[]> => {
  const rest = inTurns()
  const visited: Visited[] = []
  for (const run of runs) {
    visited.push({ run, to: await visitOne(run, now, observer, rest) })
    const resting = rest()
    if (resting) await resting
  }
  return visited
}

const visitOne = async (
  run: DueRun,
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
    const steps = advance(run.definition, run, run.facts, run.recordedAt, now)
    let step = steps.next()
    while (!step.done) {
      const resting = rest()
      if (resting) await resting
      step = steps.next()
    }
    const to = step.value
    if (to.unknownType !== null) onUnknownType(to.unknownType, run.id)
    return to
  } catch (error) {
    onFailure(error, run.id, true)
    return failed(run)
  }
}

const failed = ({ stepId, stepsTaken }: DueRun): RunAdvance => {
  const state = { stepId, waiting: false, stepsTaken }
  return { state, wakeAt: null, endReason: 'internal_error', unknownType: null, trace: [], effects: [] }
}

/** A statement writes no more runs once the effects of those before come to so many characters. */
const maxWritten = 1_000_000

function* inParts(visited: Visited[]): Generator<Visited[]> {
  let part: Visited[] = []
  let written = 0
  for (const one of visited) {
    part.push(one)
    for (const effect of one.to.effects) written += lengthOf(effect)
    if (written < maxWritten) continue
    yield part
    part = []
    written = 0
  }
  if (part.length > 0) yield part
}

/** All together, or, where the database will not take that, each by itself: one run spoils it for no other. */
const record = async (sql: Sql, part: Visited[], observer: RunObserver): Promise<QueuedFor[]> => {
  try {
    return await recordAdvances(sql, part)
  } catch (error) {
    if (isFailureOfDatabase(error)) throw error
    if (part.length === 1) return await afterFailure(sql, part[0]!.run, error, observer)
    observer.onPageFailure(error)
    const channels: QueuedFor[] = []
    for (const one of part) channels.push(...(await record(sql, [one], observer)))
    return channels
  }
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
