/** Empties a mailbox that needs no lease, since each of its turns is one transaction. README.md tells more. */
import type { Log } from '../platform/log.ts'
import type { Part } from '../platform/part.ts'

export interface PumpOptions {
  name: string
  /** One turn: handles a page and answers how many rows it held. */
  turn(): Promise<number>
  /** When the next row falls due; null when none does. Left out where every row is due at once. */
  nextDue?(): Promise<Date | null>
  log: Log
  /** It looks by itself after so many milliseconds, whatever else it is told; 1000 by default. */
  pollMs?: number
  /** Milliseconds until a turn that failed is tried again; 500 by default. */
  backoffMs?: number
}

/**
 * Rows that are due and that a turn did not find are in the hands of another process, or due by this clock only: they
 * are not asked for in haste.
 */
const leftToOthersMs = 20

export class Pump implements Part {
  readonly name: string
  #running: Promise<void> | null = null
  #again = false
  #stopping = false
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
    if (this.#stopping || this.#running) return
    clearTimeout(this.#timer)
    this.#running = this.#run().then(wait => this.#rest(wait))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#timer)
    await this.#running
  }

  /** Turn after turn while there is mail. Answers in how many milliseconds to look again. */
  async #run(): Promise<number> {
    try {
      while (this.#again && !this.#stopping) {
        this.#again = false
        if ((await this.options.turn()) > 0) this.#again = true
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
    if (this.#stopping) return
    // Woken while the next due time was looked up.
    if (this.#again) this.wake()
    else this.#timer = setTimeout(() => this.wake(), wait)
  }

  async #untilNextDue(): Promise<number> {
    const due = this.#stopping ? null : await this.options.nextDue?.()
    if (!due) return this.#pollMs
    const wait = due.getTime() - Date.now()
    // A millisecond more: a Date is cut off where the time of the row goes on.
    return Math.min(this.#pollMs, wait < 0 ? leftToOthersMs : wait + 1)
  }
}
