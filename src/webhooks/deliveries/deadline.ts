/** The deadline of one attempt. */

/**
 * Deadline of an attempt: one timer for all stages, combined with the shutdown signal of the process. `clear()` removes
 * the timer and the listener. `AbortSignal.any` with `AbortSignal.timeout` would be shorter, but its timer keeps
 * running: ten seconds, even after an attempt of two milliseconds.
 */
export class Deadline {
  private readonly controller = new AbortController()
  private readonly endsAt: number
  private timer: ReturnType<typeof setTimeout>

  /** Cause of the abort. Null while the attempt is running. */
  endedBy: 'time' | 'shutdown' | null = null

  constructor(
    timeoutMs: number,
    private readonly shutdown: AbortSignal | undefined,
  ) {
    this.endsAt = performance.now() + timeoutMs
    this.timer = setTimeout(this.onTimeout, timeoutMs)
    if (shutdown === undefined) return
    if (shutdown.aborted) this.onShutdown()
    else addDeadline(shutdown, this)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Waits for work that cannot be aborted, until the deadline at the latest. */
  within<T>(work: T | Promise<T>): T | Promise<T> {
    this.signal.throwIfAborted()
    if (!(work instanceof Promise)) return work
    return new Promise<T>((resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true })
      work.then(resolve, reject)
    })
  }

  /** Reduces the remaining time to at most this many milliseconds. Never extends it. */
  shorten(ms: number): void {
    if (this.endedBy !== null) return
    const remainingMs = this.endsAt - performance.now()
    if (remainingMs <= ms) return
    clearTimeout(this.timer)
    this.timer = setTimeout(this.onTimeout, ms)
  }

  clear(): void {
    clearTimeout(this.timer)
    if (this.shutdown) removeDeadline(this.shutdown, this)
  }

  /** Called when the process stops. */
  onShutdown(): void {
    this.end('shutdown')
  }

  private readonly onTimeout = (): void => this.end('time')

  private end(by: 'time' | 'shutdown'): void {
    this.endedBy ??= by
    this.controller.abort()
  }
}

/** All deadlines that depend on one signal, and their shared listener. */
interface OpenDeadlines {
  deadlines: Set<Deadline>
  end: () => void
}

const openBySignal = new WeakMap<AbortSignal, OpenDeadlines>()

/**
 * Adds the deadline to the shared listener of the signal, which is removed with the last deadline. Adding or removing a
 * listener compares it with all existing ones. With a thousand attempts in flight that costs ten microseconds.
 */
const addDeadline = (shutdown: AbortSignal, deadline: Deadline): void => {
  const existing = openBySignal.get(shutdown)
  if (existing) {
    existing.deadlines.add(deadline)
    return
  }
  const deadlines = new Set([deadline])
  const end = () => {
    for (const one of deadlines) one.onShutdown()
  }
  openBySignal.set(shutdown, { deadlines, end })
  shutdown.addEventListener('abort', end)
}

const removeDeadline = (shutdown: AbortSignal, deadline: Deadline): void => {
  const existing = openBySignal.get(shutdown)
  if (!existing?.deadlines.delete(deadline) || existing.deadlines.size > 0) return
  openBySignal.delete(shutdown)
  shutdown.removeEventListener('abort', existing.end)
}
