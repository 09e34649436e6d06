/**
 * Worker that empties a queue without a lease: row locks or claims in the table decide which process handles a row. See
 * `docs/architecture.md`.
 */
import type { Log } from '../platform/log.ts'
import type { Service } from '../platform/service.ts'

export interface QueueWorkerOptions {
  name: string
  /** Handles one page and returns the number of its rows. `stopping` aborts when the worker stops. */
  runOnce(stopping: AbortSignal): Promise<number>
  /**
   * Returns the milliseconds until the next row is due, by the database clock: 0 or less if one is due, null if none
   * will be. Omit it if every row is due immediately.
   */
  nextDue?(): Promise<number | null>
  /** Waits for work that runs have left in flight. Called when the last run has ended. */
  finish?(): Promise<void>
  log: Log
  /** Maximum poll interval in milliseconds. Defaults to 1000. */
  pollMs?: number
  /** Milliseconds until a failed run is retried. Defaults to 500. */
  backoffMs?: number
}

/** Poll interval while due rows exist that a run did not find. Another process holds them. */
const contendedPollMs = 20

export class QueueWorker implements Service {
  readonly name: string
  #running: Promise<void> | null = null
  #isWoken = false
  readonly #stopping = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #pollMs: number
  readonly #backoffMs: number

  constructor(private readonly options: QueueWorkerOptions) {
    this.name = options.name
    this.#pollMs = options.pollMs ?? 1000
    this.#backoffMs = options.backoffMs ?? 500
  }

  async start(): Promise<void> {
    this.wake()
  }

  /** Wakes the worker and returns immediately. If a run is active, another run follows it. */
  wake(): void {
    this.#isWoken = true
    if (this.#isStopping || this.#running) return
    clearTimeout(this.#timer)
    this.#running = this.#run().then(wait => this.#scheduleNext(wait))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#running
    await this.options.finish?.()
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Runs while there are rows. Returns the milliseconds until the next poll. */
  async #run(): Promise<number> {
    try {
      while (this.#isWoken && !this.#isStopping) {
        this.#isWoken = false
        if ((await this.options.runOnce(this.#stopping.signal)) > 0) this.#isWoken = true
      }
      return await this.#untilNextDue()
    } catch (error) {
      this.options.log.warn({ error, worker: this.name }, 'poll failed; retrying')
      // Wakes that arrived during the failed run are served by the retry.
      this.#isWoken = false
      return this.#backoffMs
    }
  }

  #scheduleNext(wait: number): void {
    this.#running = null
    if (this.#isStopping) return
    // Woken while the next due time was queried.
    if (this.#isWoken) this.wake()
    else this.#timer = setTimeout(() => this.wake(), wait)
  }

  async #untilNextDue(): Promise<number> {
    const dueInMs = this.#isStopping ? null : ((await this.options.nextDue?.()) ?? null)
    if (dueInMs === null) return this.#pollMs
    // Rounded up, because a timer that fires too early finds no row.
    return Math.min(this.#pollMs, dueInMs <= 0 ? contendedPollMs : Math.ceil(dueInMs))
  }
}
