import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from '../../db/batch.ts'
import { isConnectionError, retrying, type Sql, sqlState } from '../../db/client.ts'
import { type MismatchNote, noteMismatches } from '../events/index.ts'
import { problemsOf, type Refusal } from './problem.ts'
import { addProblems, closeElapsed, trim } from './sql.ts'

/** Maximum number of rows per workspace. */
const maxKept = 500

/**
 * Minimum interval between writes in milliseconds, so that a flood of rejected requests does not slow down accepted
 * events.
 */
const betweenWritesMs = 50

/**
 * Records rejected requests after they were answered. The first is written immediately; those that arrive during a
 * write are written together. Memory is bounded by the number of rejected requests within `betweenWritesMs`.
 */
export class RefusalLog {
  readonly #writes: Batcher<Refusal, undefined>
  #writtenAt = 0

  /** `onLost` is called with the error and the number of rejected requests that could not be recorded. */
  constructor(
    private readonly sql: Sql,
    private readonly onLost: (error: unknown, count: number) => void,
  ) {
    this.#writes = new Batcher({
      // Takes all waiting entries, so that those of one request are counted in one statement.
      maxSize: Number.POSITIVE_INFINITY,
      lanes: 1,
      work: async refusals => {
        await this.#write(refusals)
        return refusals.map(() => undefined)
      },
    })
  }

  /** Returns immediately and never throws. */
  keep(refusal: Refusal): void {
    void this.#writes.add(refusal)
  }

  /** Resolves when everything added so far is written or lost. Never rejects. */
  idle(): Promise<void> {
    return this.#writes.idle()
  }

  async #write(refusals: Refusal[]): Promise<void> {
    const wait = this.#writtenAt + betweenWritesMs - performance.now()
    if (wait > 0) await sleep(wait)
    try {
      await retrying(() => writeRefusals(this.sql, refusals), { when: isRepeatable })
    } catch (error) {
      this.onLost(error, refusals.length)
    }
    this.#writtenAt = performance.now()
  }
}

const deadlockDetected = '40P01'

/** Repeating a write counts nothing twice: see `addProblems`. */
const isRepeatable = (error: unknown): boolean => isConnectionError(error) || sqlState(error) === deadlockDetected

/** Runs independent statements, so that a crash between them leaves a consistent state. */
const writeRefusals = async (sql: Sql, refusals: Refusal[]): Promise<void> => {
  const problems = problemsOf(refusals)
  await closeElapsed(sql, problems)
  const grown = await addProblems(sql, problems)
  if (grown.length > 0) await trim(sql, grown, maxKept)
  const notes = notesOf(refusals)
  if (notes.length > 0) await noteMismatches(sql, notes)
}

/** Returns the notes that warnings add to events, one entry per event. */
const notesOf = (refusals: readonly Refusal[]): MismatchNote[] => {
  const notes = new Map<string, MismatchNote>()
  for (const { workspaceId, mismatch } of refusals) {
    if (!mismatch) continue
    const { eventId, fields } = mismatch
    const known = notes.get(eventId)?.fields ?? []
    notes.set(eventId, { workspaceId, eventId, fields: [...new Set([...known, ...fields])] })
  }
  return [...notes.values()]
}
