import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from '../../db/batch.ts'
import { isConnectionError, retrying, type Sql, sqlState } from '../../db/client.ts'
import { type MismatchNote, noteMismatches } from '../events/index.ts'
import { problemsOf, type Refusal } from './problem.ts'
import { addProblems, closeElapsed, trim } from './sql.ts'

/** How many rows a workspace keeps. */
const maxKept = 500

/** A flood of refusals is written at most this often: it must not take commits from the events that are accepted. */
const betweenWritesMs = 50

/**
 * Keeps refusals, after they were answered: the first at once, those that arrive meanwhile together. What is waiting
 * is as bounded as the refused requests of `betweenWritesMs` are.
 */
export class RefusalLog {
  readonly #writes: Batcher<Refusal, undefined>
  #writtenAt = 0

  /** `onLost` is told why, and how many refusals, could not be kept. */
  constructor(
    private readonly sql: Sql,
    private readonly onLost: (error: unknown, count: number) => void,
  ) {
    this.#writes = new Batcher({
      // Every refusal that waits: what one request gives rise to is then counted in one statement.
      maxSize: Number.POSITIVE_INFINITY,
      lanes: 1,
      work: async refusals => {
        await this.#write(refusals)
        return refusals.map(() => undefined)
      },
    })
  }

  /** Returns at once and never throws. */
  keep(refusal: Refusal): void {
    void this.#writes.add(refusal)
  }

  /** Resolves, never rejects, once all that was kept so far is written, or is lost. */
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

/** Writing the same refusals once more counts none of them twice: see addProblems. */
const isRepeatable = (error: unknown): boolean => isConnectionError(error) || sqlState(error) === deadlockDetected

/** Statements that are each whole in itself, so that a process that ends between them leaves nothing wrong. */
const writeRefusals = async (sql: Sql, refusals: Refusal[]): Promise<void> => {
  const problems = problemsOf(refusals)
  await closeElapsed(sql, problems)
  const grown = await addProblems(sql, problems)
  if (grown.length > 0) await trim(sql, grown, maxKept)
  const notes = notesOf(refusals)
  if (notes.length > 0) await noteMismatches(sql, notes)
}

/** What is noted with events because of warnings, one entry for each event. */
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
