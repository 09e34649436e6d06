/** Advances runs: what is due is held, visited by the interpreter, and recorded in the same transaction. */
import { type Sql, transaction } from '../../db/client.ts'
import { blameOf, isFailureOfDatabase } from './blame.ts'
import { lengthOf } from './effects.ts'
import { advance } from './interpreter.ts'
import {
  type ChannelOfRun,
  claimDueRuns,
  type DueRun,
  earliest,
  endFailedRun,
  type FoundRun,
  findFirstDueRun,
  one,
  putOffRun,
  type RunAdvance,
  recordAdvances,
} from './run-sql.ts'

export interface RunsAdvanced {
  advanced: number
  /** Channels that were given messages. */
  channels: ChannelOfRun[]
}

/** Told of what went otherwise than a definition says. */
export interface RunObserver {
  /** A run failed by itself: it ended as failed, or is tried again a little later. */
  onFailure(error: unknown, runId: string, ended: boolean): void
  /** A run has come to a step of a type that this process does not know, and waits for one that does. */
  onUnknownType(type: string, runId: string): void
}

/**
 * Advances up to `limit` due runs in one transaction. Any number of processes may do so at once: a run that another
 * holds is passed over. A run that our own code cannot advance ends as failed. Where it is the database that will not
 * take what a run did, nothing of the page is recorded: see `advanceFirstDueRun`.
 */
export const advanceDueRuns = (sql: Sql, limit: number, observer: RunObserver): Promise<RunsAdvanced> =>
  transaction(sql, async tx => advanceClaimed(tx, await claimDueRuns(tx, earliest(tx, limit)), observer))

/** A page takes no more runs once the effects of those before come to so many characters; the rest stay due. */
const maxWritten = 1_000_000

const advanceClaimed = async (tx: Sql, due: DueRun[], observer: RunObserver): Promise<RunsAdvanced> => {
  if (due.length === 0) return { advanced: 0, channels: [] }
  const now = new Date()
  const advances: { run: DueRun; to: RunAdvance }[] = []
  let written = 0
  for (const run of due) {
    if (written >= maxWritten) break
    const to = advanceOne(run, now, observer)
    advances.push({ run, to })
    for (const effect of to.effects) written += lengthOf(effect)
  }
  return { advanced: advances.length, channels: await recordAdvances(tx, advances) }
}

const advanceOne = (run: DueRun, now: Date, { onFailure, onUnknownType }: RunObserver): RunAdvance => {
  try {
    const to = advance(run.definition, run, run.facts, run.recordedAt, now)
    if (to.unknownType !== null) onUnknownType(to.unknownType, run.id)
    return to
  } catch (error) {
    onFailure(error, run.id, true)
    const { stepId, stepsTaken } = run
    const state = { stepId, waiting: false, stepsTaken }
    return { state, wakeAt: null, endReason: 'internal_error', unknownType: null, trace: [], effects: [] }
  }
}

/** How often each run has failed by itself in this process, and when it did last. */
export type RunFailures = Map<string, { times: number; at: number }>

/**
 * Advances the one that has been due longest, so that a run which spoils a page is found and the others go on. It ends
 * as failed with `internal_error`: at once where the failure is its own, at the third where it may be. Until then, and
 * where it only stood in somebody's way, it is put off, behind the others. Throws, and ends nothing, where the failure
 * is of the database.
 */
export const advanceFirstDueRun = async (
  sql: Sql,
  failures: RunFailures,
  observer: RunObserver,
): Promise<RunsAdvanced> => {
  const run = await findFirstDueRun(sql)
  if (!run) return { advanced: 0, channels: [] }
  try {
    const { channels } = await transaction(sql, async tx =>
      advanceClaimed(tx, await claimDueRuns(tx, one(tx, run)), observer),
    )
    // Where another process has taken it since, that is progress too.
    return { advanced: 1, channels }
  } catch (error) {
    if (isFailureOfDatabase(error)) throw error
    const wait = waitBeforeNextTry(error, run, failures)
    await (wait === null ? endFailedRun(sql, run) : putOffRun(sql, run, wait))
    observer.onFailure(error, run.id, wait === null)
    return { advanced: 1, channels: [] }
  }
}

/** Milliseconds; a run that fails once more after them ends. */
const waitsBetweenTries = [1000, 5000] as const
/** Well above what three tries take when each lasts until its statement times out. */
const rememberedMs = 600_000

/** Milliseconds until a run that failed is tried again; null when it is to end. */
const waitBeforeNextTry = (error: unknown, { id }: FoundRun, failures: RunFailures): number | null => {
  const now = Date.now()
  for (const [other, { at }] of failures) if (at < now - rememberedMs) failures.delete(other)
  const blame = blameOf(error)
  if (blame === 'others') return waitsBetweenTries[0]
  const times = failures.get(id)?.times ?? 0
  const wait = blame === 'run' ? undefined : waitsBetweenTries[times]
  if (wait === undefined) failures.delete(id)
  else failures.set(id, { times: times + 1, at: now })
  return wait ?? null
}
