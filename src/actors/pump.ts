/** Empties a mailbox that needs no lease, since its rows say themselves who may act. README.md tells more. */
import type { Log } from '../platform/log.ts'
import type { Part } from '../platform/part.ts'

export interface PumpOptions {
  name: string
  /** One turn: handles a page and answers how many rows it held. `stopping` aborts when the pump is to stop. */
  turn(stopping: AbortSignal): Promise<number>
  /**
   * Milliseconds until the next row falls due, by the clock of the database: 0 or less where one is due already; null
   * when none does. Left out where every row is due at once.
   */
  nextDue?(): Promise<number | null>
  /** Waits for what turns have left under way. Called once no turn runs any more. */
  finish?(): Promise<void>
  log: Log
  /** It looks by itself after so many milliseconds, whatever else it is told; 1000 by default. */
  pollMs?: number
  /** Milliseconds until a turn that failed is tried again; 500 by default. */
  backoffMs?: number
}

/** Rows that are due and that a turn did not find are in the hands of another process: they are not asked for in haste. */
const leftToOthersMs = 20

export class Pump implements Part {
  readonly name: string
  #running: Promise<void> | null = null
  #again = false
  readonly #stopping = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #pollMs: number
  readonly #backoffMs: number

  constructor(private readonly options: PumpOptions) {
    this.name = options.name
    this.#pollMs = options.pollMs ?? 1000
    this.#backoffMs = options.backoffMs ?? 500
  }

  async start(): Promise<void> {
    this.wake()
  }

  /** There may be mail. Returns at once; while a turn runs, another one will follow it. */
  wake(): void {
    this.#again = true
    if (this.#isStopping || this.#running) return
    clearTimeout(this.#timer)
    this.#running = this.#run().then(wait => this.#rest(wait))
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

  /** Turn after turn while there is mail. Answers in how many milliseconds to look again. */
  async #run(): Promise<number> {
    try {
      while (this.#again && !this.#isStopping) {
        this.#again = false
        if ((await this.options.turn(this.#stopping.signal)) > 0) this.#again = true
      }
      return await this.#untilNextDue()
    } catch (error) {
      this.options.log.warn({ error, pump: this.name }, 'a turn failed; it is tried again')
      // Whoever woke it meanwhile is served by the next try, and not before.
      this.#again = false
      return this.#backoffMs
    }
  }

  #rest(wait: number): void {
    this.#running = null
    if (this.#isStopping) return
    // Woken while the next due time was looked up.
    if (this.#again) this.wake()
    else this.#timer = setTimeout(() => this.wake(), wait)
  }

  async #untilNextDue(): Promise<number> {
    const dueInMs = this.#isStopping ? null : ((await this.options.nextDue?.()) ?? null)
    if (dueInMs === null) return this.#pollMs
    // Rounded up: a timer that ends too early finds nothing.
    return Math.min(this.#pollMs, dueInMs <= 0 ? leftToOthersMs : Math.ceil(dueInMs))
  }
}
