/** The time that one attempt has. */

/**
 * The end of an attempt's time: one timer over all of its stages, and the shutdown of the process beside it. After
 * `clear()` neither timer nor listener is left behind. `AbortSignal.any` over an `AbortSignal.timeout` would say the same in
 * a line, but leaves its timer running to the end, ten seconds after an attempt that took two milliseconds.
 */
export class Deadline {
  private readonly controller = new AbortController()
  private readonly endsAt: number
  private timer: ReturnType<typeof setTimeout>

  /** What has ended the attempt, if anything has. */
  endedBy: 'time' | 'shutdown' | null = null

  constructor(
    timeoutMs: number,
    private readonly shutdown: AbortSignal | undefined,
  ) {
    this.endsAt = performance.now() + timeoutMs
    this.timer = setTimeout(this.onTime, timeoutMs)
    if (shutdown === undefined) return
    if (shutdown.aborted) this.onShutdown()
    else endWith(shutdown, this)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Waits for work that cannot be aborted no longer than the deadline. */
  within<T>(work: T | Promise<T>): T | Promise<T> {
    this.signal.throwIfAborted()
    if (!(work instanceof Promise)) return work
    return new Promise<T>((resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true })
      work.then(resolve, reject)
    })
  }

  /** Leaves at most this many milliseconds, and never more than were left. */
  shorten(ms: number): void {
    if (this.endedBy !== null) return
    const left = this.endsAt - performance.now()
    if (left <= ms) return
    clearTimeout(this.timer)
    this.timer = setTimeout(this.onTime, ms)
  }

  clear(): void {
    clearTimeout(this.timer)
    if (this.shutdown) noLongerWith(this.shutdown, this)
  }

  /** The process is stopping. */
  onShutdown(): void {
    this.end('shutdown')
  }

  private readonly onTime = (): void => this.end('time')

  private end(by: 'time' | 'shutdown'): void {
    this.endedBy ??= by
    this.controller.abort()
  }
}

/** The deadlines that end with a signal, and the one listener that ends them. */
interface Open {
  deadlines: Set<Deadline>
  end: () => void
}

const open = new WeakMap<AbortSignal, Open>()

/**
 * One listener for all of them, which goes with the last: a signal compares each that is added or removed with those it
 * has, which with a thousand attempts in flight costs ten microseconds.
 */
const endWith = (shutdown: AbortSignal, deadline: Deadline): void => {
  const known = open.get(shutdown)
  if (known) {
    known.deadlines.add(deadline)
    return
  }
  const deadlines = new Set([deadline])
  const end = () => {
    for (const one of deadlines) one.onShutdown()
  }
  open.set(shutdown, { deadlines, end })
  shutdown.addEventListener('abort', end)
}

const noLongerWith = (shutdown: AbortSignal, deadline: Deadline): void => {
  const known = open.get(shutdown)
  if (!known?.deadlines.delete(deadline) || known.deadlines.size > 0) return
  open.delete(shutdown)
  shutdown.removeEventListener('abort', known.end)
}
