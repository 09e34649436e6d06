import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from '../../platform/micro-batch.ts'
import { isConnectionError, type Sql, sqlState, withRetry } from '../../platform/postgres/client.ts'
import { type MismatchRecord, recordMismatches } from '../index.ts'
import { groupRejectedRequests, type RejectedRequest } from './group.ts'
import { closeElapsedGroups, deleteExcess, maxRows, upsertGroups } from './sql.ts'

/**
 * Minimum interval between writes in milliseconds, so that a flood of rejected requests does not slow down accepted
 * events.
 */
const minWriteIntervalMs = 50

/**
 * Records rejected requests after they were answered. The first is written immediately; those that arrive during a
 * write are written together. Memory is bounded by the number of rejected requests within `minWriteIntervalMs`.
 */
export class RejectedRequestLog {
  readonly #writes: Batcher<RejectedRequest, undefined>
  #writtenAt = 0

  /** `onLost` is called with the error and the number of rejected requests that could not be recorded. */
  constructor(
    private readonly sql: Sql,
    private readonly onLost: (error: unknown, count: number) => void,
  ) {
    this.#writes = new Batcher({
      // Takes all waiting entries, so that those of one request are counted in one statement.
      maxSize: Number.POSITIVE_INFINITY,
      concurrency: 1,
      work: async requests => {
        await this.#write(requests)
        return requests.map(() => undefined)
      },
    })
  }

  /** Returns immediately and never throws. */
  record(request: RejectedRequest): void {
    void this.#writes.add(request)
  }

  /** Resolves when everything added so far is written or lost. Never rejects. */
  idle(): Promise<void> {
    return this.#writes.idle()
  }

  async #write(requests: RejectedRequest[]): Promise<void> {
    const wait = this.#writtenAt + minWriteIntervalMs - performance.now()
    if (wait > 0) await sleep(wait)
    try {
      await withRetry(() => writeRejectedRequests(this.sql, requests), { when: isRetryable })
    } catch (error) {
      this.onLost(error, requests.length)
    }
    this.#writtenAt = performance.now()
  }
}

const deadlockDetected = '40P01'

/** Repeating a write counts nothing twice: see `upsertGroups`. */
const isRetryable = (error: unknown): boolean => isConnectionError(error) || sqlState(error) === deadlockDetected

/** Runs independent statements, so that a crash between them leaves a consistent state. */
const writeRejectedRequests = async (sql: Sql, requests: RejectedRequest[]): Promise<void> => {
  const groups = groupRejectedRequests(requests)
  await closeElapsedGroups(sql, groups)
  const grownWorkspaces = await upsertGroups(sql, groups)
  if (grownWorkspaces.length > 0) await deleteExcess(sql, grownWorkspaces, maxRows)
  const mismatches = mismatchesOf(requests)
  if (mismatches.length > 0) await recordMismatches(sql, mismatches)
}

/** Returns the notes that warnings add to events, one entry per event. */
const mismatchesOf = (requests: readonly RejectedRequest[]): MismatchRecord[] => {
  const mismatches = new Map<string, MismatchRecord>()
  for (const { workspaceId, mismatch } of requests) {
    if (!mismatch) continue
    const { eventId, fields } = mismatch
    const knownFields = mismatches.get(eventId)?.fields ?? []
    mismatches.set(eventId, { workspaceId, eventId, fields: [...new Set([...knownFields, ...fields])] })
  }
  return [...mismatches.values()]
}
