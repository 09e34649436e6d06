/** Reads from a standby that see every write that was acknowledged before them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from '../micro-batch.ts'
import { type Database, isConnectionError, isReadOnly, sqlState } from './client.ts'
import type { LimitedPool } from './limited-pool.ts'

export interface ReplicaReadsOptions {
  /** Connections to the standby for the reads, and one for its position. */
  replica: LimitedPool
  replicaPosition: Database
  /** Connections to the primary for the reads, and one for its position. */
  primary: LimitedPool
  primaryPosition: Database
  /** Called when the standby can be used again, or not any more. `reason` is null if it can. */
  onChange: (reason: string | null) => void
}

/** Milliseconds that a read waits until the standby has replayed what was committed before the read. */
const maxWaitMs = 100
/** Milliseconds between two looks at the position of a standby that is behind. */
const pollMs = 5
/** Milliseconds between two checks whether a standby can be used again. Meanwhile the primary has all reads. */
const recheckMs = 1000

/**
 * Runs reads on a standby. Before each read it reads the position of the primary in its log (LSN), together with other
 * reads of that moment. The standby must have replayed this position, so the caller sees its own writes, whichever
 * process made them. A standby that is away or behind costs one read the wait; then all reads go to the primary until it
 * has caught up. Reads that the standby cancels or rejects run again on the primary.
 */
export class ReplicaReads implements LimitedPool {
  readonly #options: ReplicaReadsOptions
  readonly #primaryPosition: Batcher<null, bigint>
  readonly #replicaPosition: Batcher<null, bigint>
  #replayed = -1n
  #isUsable = true
  readonly #stopping = new AbortController()

  constructor(options: ReplicaReadsOptions) {
    this.#options = options
    const limits = { maxSize: 10_000, concurrency: 1 }
    this.#primaryPosition = new Batcher({ ...limits, work: async all => fill(all, await this.#readPrimary()) })
    this.#replicaPosition = new Batcher({ ...limits, work: async all => fill(all, await this.#readReplica()) })
  }

  /** Whether reads use the standby now. */
  get isUsed(): boolean {
    return this.#isUsable
  }

  get waiting(): number {
    return this.#options.replica.waiting + this.#options.primary.waiting
  }

  get held(): number {
    return this.#options.replica.held + this.#options.primary.held
  }

  async run<T>(key: string, signal: AbortSignal, work: (sql: Database) => Promise<T>): Promise<T> {
    const { replica, primary } = this.#options
    if (this.#isUsable) {
      const reason = await this.#findProblem(await this.#primaryPosition.add(null))
      if (signal.aborted) throw signal.reason
      if (reason === null) {
        try {
          return await replica.run(key, signal, work)
        } catch (error) {
          if (signal.aborted || !canRunElsewhere(error)) throw error
          if (isConnectionError(error)) this.#suspend(messageOf(error))
        }
      } else this.#suspend(reason)
    }
    return primary.run(key, signal, work)
  }

  /** Ends the checks of a standby that is away. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Waits until the standby has replayed the position. Returns why it has not; null if it has. */
  async #findProblem(position: bigint): Promise<string | null> {
    const end = performance.now() + maxWaitMs
    while (this.#replayed < position) {
      const left = end - performance.now()
      if (left <= 0) return `it is ${position - this.#replayed} bytes behind`
      const read = this.#replicaPosition.add(null).then(() => null, messageOf)
      const problem = await Promise.race([read, sleep(left, 'it does not answer', { ref: false })])
      if (problem !== null) return problem
      if (this.#replayed < position) await sleep(pollMs)
    }
    return null
  }

  #suspend(reason: string): void {
    if (!this.#isUsable) return
    this.#isUsable = false
    this.#options.onChange(reason)
    void this.#resumeLater()
  }

  async #resumeLater(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await sleep(recheckMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      const problem = await this.#primaryPosition.add(null).then(position => this.#findProblem(position), messageOf)
      if (problem !== null) continue
      this.#isUsable = true
      this.#options.onChange(null)
      return
    }
  }

  async #readPrimary(): Promise<bigint> {
    const [row] = await this.#options.primaryPosition<{ position: string }[]>`
      select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as position`
    return BigInt(row!.position)
  }

  async #readReplica(): Promise<bigint> {
    const [row] = await this.#options.replicaPosition<{ position: string | null }[]>`
      select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text end as position`
    if (row!.position === null) throw new Error('it is not a standby')
    this.#replayed = BigInt(row!.position)
    return this.#replayed
  }
}

const fill = (all: unknown[], value: bigint): bigint[] => all.map(() => value)

/** A standby cancels reads that conflict with its recovery, and rejects writes. */
const canRunElsewhere = (error: unknown): boolean =>
  isConnectionError(error) || isReadOnly(error) || sqlState(error) === '40001'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
