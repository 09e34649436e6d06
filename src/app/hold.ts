/** Watches whether sending is held or paused, and runs the worker only while it is not held. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../platform/log.ts'
import type { Database } from '../platform/postgres/client.ts'
import { inParallel, inSequence, type Service } from '../platform/service.ts'
import {
  checkIdentity,
  findReadableParts,
  type Hold,
  type HoldReason,
  type ReadableParts,
} from '../queue/hold/index.ts'
import { PausedWork, readPauses } from '../queue/pauses/index.ts'
import type { Worker } from './worker.ts'

/** Milliseconds between two checks. Each is three small queries. */
const checkMs = 2000

const reasons: Record<HoldReason, string> = {
  another_database: 'this is not the database that the service last ran on',
  earlier_state: 'the database was restored to an earlier point in time',
  requested: '"start --hold" was requested',
}

export interface HoldWatchOptions {
  sql: Database
  /** Holds sending at start. */
  request: boolean
  /** Called after each check. */
  onChecked: () => Promise<void>
  log: Log
}

/**
 * Checks the identity of the database and the pauses at start and every two seconds. Other processes can hold and
 * release, pause and resume.
 */
export class HoldWatch implements Service {
  readonly name = 'hold'
  readonly #stopping = new AbortController()
  #hold: Hold | null = null
  #paused = new PausedWork()
  #heartbeatMs: number | null = null
  #readable: ReadableParts | null = null
  #running: Promise<void> | null = null

  constructor(private readonly options: HoldWatchOptions) {}

  /** Whether all sending is held. */
  get held(): boolean {
    return this.#hold !== null
  }

  /** The work that is paused. */
  get paused(): PausedWork {
    return this.#paused
  }

  /** Called when another process has changed the pauses. */
  onPausesChanged(): void {
    this.#readPauses().catch(error => this.options.log.debug({ error }, 'the pauses could not be read'))
  }

  async start(): Promise<void> {
    if (this.#running || this.#stopping.signal.aborted) return
    await this.#check(this.options.request)
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const { log, onChecked } = this.options
    while (!signal.aborted) {
      await sleep(checkMs, null, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      // After an error the state stays as it is until the next check.
      await this.#check().catch(error => log.debug({ error }, 'the hold could not be checked'))
      await onChecked().catch(error => log.warn({ error }, 'the worker could not be started; retrying'))
    }
  }

  async #check(request = false): Promise<void> {
    const { sql, log } = this.options
    if (this.#readable === null) {
      this.#readable = await findReadableParts(sql)
      const unread = Object.entries(this.#readable).flatMap(([part, isReadable]) => (isReadable ? [] : [part]))
      if (unread.length > 0)
        log.warn({ unread }, 'PostgreSQL does not show its whole identity: use "start --hold" after a restore')
    }
    const { hold, heartbeatMs } = await checkIdentity(sql, {
      readable: this.#readable,
      lastHeartbeatMs: this.#heartbeatMs,
      request,
    })
    this.#heartbeatMs = heartbeatMs
    await this.#readPauses()
    const before = this.#hold
    this.#hold = hold
    if (hold && !before)
      log.warn(
        { since: hold.since, reason: reasons[hold.because] },
        'sending is held: run "restore release --preview" and then "restore release"',
      )
    else if (before && !hold) log.info({}, 'sending is released')
  }

  async #readPauses(): Promise<void> {
    const before = this.#paused.everywhere.join()
    this.#paused = await readPauses(this.options.sql)
    const paused = this.#paused.everywhere
    if (paused.join() !== before) this.options.log.warn({ paused }, 'the paused work of all workspaces has changed')
  }
}

/** Runs the worker while sending is not held. A worker that was stopped is replaced by a new one. */
export class HoldableWorker implements Service {
  readonly name = 'worker'
  #worker: Worker
  #service: Service
  #isRunning = false
  #hasFailed = false
  #stopping = false
  #applying: Promise<void> = Promise.resolve()

  constructor(
    private readonly create: () => Worker,
    private readonly isHeld: () => boolean,
    private readonly graceMs: number,
  ) {
    this.#worker = create()
    this.#service = createWorkerService(this.#worker)
  }

  get services(): readonly Service[] {
    return [this.#service]
  }

  /** The worker, or null while sending is held. */
  get running(): Worker | null {
    return this.#isRunning ? this.#worker : null
  }

  /** The worker whose state decides whether this process is ready. Null while sending is held. */
  get expected(): Worker | null {
    return this.#isRunning || this.#hasFailed ? this.#worker : null
  }

  start(): Promise<void> {
    return this.applyHold()
  }

  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopping = true
    await this.#service.stop(deadline)
  }

  /** Starts no more work of actors. Call `stop` afterwards. */
  stopSending(): void {
    this.#stopping = true
    void this.#worker.actors.stop(AbortSignal.timeout(this.graceMs))
  }

  /** Starts or stops the worker, as the hold requires. Rejects if it cannot start. */
  applyHold(): Promise<void> {
    const applied = this.#applying.then(() => this.#applyHold())
    this.#applying = applied.catch(() => {})
    return applied
  }

  async #applyHold(): Promise<void> {
    if (this.isHeld()) this.#hasFailed = false
    if (this.#stopping || this.#isRunning !== this.isHeld()) return
    if (this.#isRunning) return this.#replace()
    try {
      await this.#service.start()
      this.#isRunning = true
      this.#hasFailed = false
    } catch (error) {
      this.#hasFailed = true
      await this.#replace()
      throw error
    }
  }

  /** Stops the worker. In-flight attempts have the grace period to finish. */
  async #replace(): Promise<void> {
    this.#isRunning = false
    await this.#service.stop(AbortSignal.timeout(this.graceMs))
    if (this.#stopping) return
    this.#worker = this.create()
    this.#service = createWorkerService(this.#worker)
  }
}

const createWorkerService = ({ services: acting, tasks }: Worker): Service =>
  inParallel('worker', [inSequence('actors', acting), tasks])
