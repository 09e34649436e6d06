/** Reads from a standby that see every write that was acknowledged before them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from '../micro-batch.ts'
import { type Database, isConnectionError, isReadOnly, sqlState } from './client.ts'
import type { LimitedPool } from './limited-pool.ts'
import { type ReplicatedIdentity, readReplayedPosition, readReplicatedIdentity } from './server-identity.ts'

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

/**
 * Milliseconds that a read waits for the position of the primary, and then until the standby has replayed what was
 * committed before the read.
 */
const maxWaitMs = 100
/** Milliseconds between two reads of the position of a standby that is behind. */
const pollMs = 5
/** Milliseconds between two checks whether a standby can be used again. Meanwhile the primary has all reads. */
const recheckMs = 1000
/** Milliseconds for which a position of the standby proves that it answers. */
const maxPositionAgeMs = 100

/**
 * Runs reads on a standby. Before each read it reads the position of the primary in its log (LSN), together with other
 * reads of that moment. The standby must have replayed this position, so the caller sees its own writes, whichever
 * process made them. All connections must lead to the same standby.
 *
 * If a standby is away, behind or not of this database, the reads of that moment use the primary after the wait. Later
 * reads use it without a wait until the standby can be used again. Reads that the standby cancels or rejects run again
 * on the primary.
 */
export class ReplicaReads implements LimitedPool {
  readonly #options: ReplicaReadsOptions
  readonly #primaryPosition: Batcher<null, bigint>
  readonly #replicaPosition: Batcher<null, bigint>
  #identity: ReplicatedIdentity | null = null
  /** Newest position of the primary. */
  #written = -1n
  /** Newest position of the standby, and its time by `performance.now()`. */
  #replayed = nothingReplayed()
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
      // If the primary does not answer, the read fails or waits there, as without a standby.
      const position = await Promise.race([
        this.#primaryPosition.add(null).catch(() => null),
        sleep(maxWaitMs, null, { ref: false }),
      ])
      const reason = position === null ? null : await this.#findProblem(position)
      if (signal.aborted) throw signal.reason
      if (reason !== null) this.#suspend(reason)
      else if (position !== null) {
        try {
          return await replica.run(key, signal, work)
        } catch (error) {
          if (signal.aborted || !canRunElsewhere(error)) throw error
          if (isConnectionError(error)) this.#suspend(messageOf(error))
        }
      }
    }
    return primary.run(key, signal, work)
  }

  /** Ends the checks of a standby that is away. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Waits until the standby has replayed the position. Returns why it has not; null if it has. */
  async #findProblem(position: bigint): Promise<string | null> {
    const start = performance.now()
    const findCause = () => {
      const behind = position - this.#replayed.position
      return behind > 0n && this.#replayed.at >= start ? `it is ${behind} bytes behind` : noAnswer
    }
    while (!this.#hasReplayed(position)) {
      const left = start + maxWaitMs - performance.now()
      if (left <= 0) return findCause()
      const read = this.#replicaPosition.add(null).then(() => null, messageOf)
      const problem = await Promise.race([read, sleep(left, null, { ref: false }).then(findCause)])
      if (problem !== null) return problem
      if (this.#replayed.position < position) await sleep(pollMs)
    }
    return null
  }

  #hasReplayed(position: bigint): boolean {
    return this.#replayed.position >= position && performance.now() - this.#replayed.at < maxPositionAgeMs
  }

  #suspend(reason: string): void {
    if (!this.#isUsable) return
    this.#isUsable = false
    this.#replayed = nothingReplayed()
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

  /** A position that goes back is of another primary, after a failover. The standby is then read again. */
  async #readPrimary(): Promise<bigint> {
    const { primaryPosition } = this.#options
    this.#identity ??= await readReplicatedIdentity(primaryPosition)
    const [row] = await primaryPosition<[{ position: string }]>`
      select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as position`
    const position = BigInt(row.position)
    if (position < this.#written) this.#replayed = nothingReplayed()
    this.#written = position
    return position
  }

  async #readReplica(): Promise<bigint> {
    const before = this.#replayed
    const at = performance.now()
    const position = await readReplayedPosition(this.#options.replicaPosition, this.#identity!)
    // Dropped meanwhile, because of a failover.
    if (this.#replayed === before) this.#replayed = { position, at }
    return position
  }
}

/** Position that is older than every other. */
const nothingReplayed = () => ({ position: -1n, at: Number.NEGATIVE_INFINITY })

const noAnswer = 'it does not answer'

const fill = (all: unknown[], value: bigint): bigint[] => all.map(() => value)

/** A standby cancels reads that conflict with its recovery, and rejects writes. */
const canRunElsewhere = (error: unknown): boolean =>
  isConnectionError(error) || isReadOnly(error) || sqlState(error) === '40001'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
