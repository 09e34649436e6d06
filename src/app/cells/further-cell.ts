/** Runs a further cell: a database that has workspaces and no directory. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readiness } from '../../api/pages/pages.ts'
import type { CellConfig } from '../../config.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { type Log, withFields } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { createService, inParallel, inSequence, type Service } from '../../platform/service.ts'
import { makeCellReady, type NamedDatabase, requireCellUrl, WrongCell } from '../database.ts'
import { warnAboutSecrets } from '../encryption.ts'
import { createPools, type Pools } from '../pools.ts'
import { type Cell, createCell, type SharedDeps } from './cell.ts'

/** Milliseconds that the start of the process waits for the database. */
const maxStartMs = 5000

/** Milliseconds between two attempts to start. A node of Citus learns of a move within a moment, so the first are sooner. */
const retryMs = 2000
const [soonMs, maxSoon] = [250, 20]

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

export interface CellCallbacks {
  /** Called for every failure of a call that is not a DomainError. */
  onFailure: (error: unknown) => void
  /** Called when a write was rejected because Citus has moved the cell to another node. */
  onMoved: () => void
  /** Called when calls can use the cell. */
  onStarted: () => void
  /** Returns the connections of the other further cells. */
  others: () => readonly NamedDatabase[]
}

/**
 * A cell whose database can be away at the start: the other cells work meanwhile, and this one starts when its database
 * is back. Its work stops immediately, and its connections close after the last answer of the process.
 */
export class FurtherCell implements Service {
  readonly pools: Pools
  readonly #cell: Cell
  readonly #service: Service
  readonly #stopping = new AbortController()
  readonly #replaced = new AbortController()
  readonly #log: Log
  #isStarted = false
  #starting: Promise<void> | null = null
  /** Rejects if CELLS is wrong, which only an operator can change. */
  readonly #mistake = Promise.withResolvers<never>()

  readonly #keyring: Keyring | null

  constructor(
    private readonly settings: CellConfig,
    shared: SharedDeps,
    log: Log,
    /** Holds all sending at start. */
    request: boolean,
    /** Connections of `main`. */
    private readonly main: Database,
    private readonly callbacks: CellCallbacks,
  ) {
    const { name, url } = settings
    const { onFailure, onMoved } = callbacks
    requireCellUrl(settings)
    this.#mistake.promise.catch(() => {})
    this.#keyring = shared.keyring
    this.#log = withFields(log, { cell: name })
    this.pools = createPools(url, { size: settings.poolSize ?? shared.config.databasePoolSize, onMoved })
    this.#cell = createCell({
      ...shared,
      name,
      databaseUrl: url,
      pools: this.pools,
      log: this.#log,
      request,
      onFailure,
      isStarted: () => this.#isStarted,
    })
    const { base, acting, requests } = this.#cell
    // A request in progress still needs what stops after it.
    const answered: Service = {
      name: 'answers',
      start: () => Promise.resolve(),
      stop: () => Promise.race([shared.server.stopped, aborted(this.#replaced.signal)]),
    }
    // Calls do not wait for the worker, whose start takes longer.
    const opened = createService('open for calls', {
      start: () => {
        if (this.#stopping.signal.aborted) return
        this.#isStarted = true
        this.callbacks.onStarted()
      },
    })
    this.#service = inSequence(`cell ${name}`, [
      this.pools.service,
      ...base,
      inParallel('running services', [inSequence('requests', [...requests, answered]), opened, ...acting]),
    ])
  }

  get name(): string {
    return this.settings.name
  }

  /** URL of its database. It changes when Citus moves the cell. */
  get url(): string {
    return this.settings.url
  }

  get services(): readonly Service[] {
    return [this.#service]
  }

  get metrics(): Metrics {
    return this.#cell.metrics
  }

  /** Dependencies of its operations. Null until it has started, and while its database is away. */
  get api(): Cell['api'] | null {
    return this.#isStarted && !this.#cell.isAway() ? this.#cell.api : null
  }

  /** Whether its sending is held after a restore. True before its start, when that is not known. */
  get isHeld(): boolean {
    return !this.#isStarted || this.#cell.isHeld()
  }

  get readiness(): Readiness {
    return this.#cell.readiness
  }

  /**
   * Resolves when the cell works, or after 5 seconds. It then starts later. Rejects with WrongCell if CELLS is wrong.
   */
  async start(): Promise<void> {
    this.#starting ??= this.#start()
    await Promise.race([this.#starting, this.#mistake.promise, sleep(maxStartMs, undefined, { ref: false })])
  }

  /**
   * Stops while the process continues. Nothing more is sent. Calls in progress fail if they still need the database.
   */
  async retire(deadline: AbortSignal): Promise<void> {
    this.#isStarted = false
    this.#cell.stopSending()
    this.#replaced.abort()
    await this.stop(deadline)
  }

  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopping.abort()
    await Promise.race([this.#starting, aborted(deadline)])
    await this.#service.stop(deadline)
  }

  async #start(): Promise<void> {
    const { signal } = this.#stopping
    for (let attempts = 1; !signal.aborted; attempts++) {
      try {
        const cleanUp = await makeCellReady(this.settings, this.main, { others: this.callbacks.others() })
        if (signal.aborted) return
        await this.#service.start()
        await warnAboutSecrets(this.pools.chores, this.#keyring, this.#log)
        if (attempts > 1) this.#log.info({}, 'the cell has started')
        await cleanUp().catch(error => this.#log.warn({ error }, 'the views of a cell remain at its former node'))
        return
      } catch (error) {
        if (error instanceof WrongCell) this.#mistake.reject(error)
        if (attempts === 1) this.#log.warn({ error }, 'the database of a cell cannot be used; retrying')
        await sleep(this.settings.citus && attempts < maxSoon ? soonMs : retryMs, null, { signal }).catch(() => {})
      }
    }
  }
}
