/** Watches whether the database of a cell has stopped responding, so that its callers do not wait for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { setAway } from '../../platform/postgres/cells.ts'
import {
  type Database,
  isAccessDenied,
  isConnectionError,
  isOverload,
  neverReachedServer,
} from '../../platform/postgres/client.ts'
import { acceptsWrites } from '../../platform/postgres/suitability.ts'
import type { Service } from '../../platform/service.ts'
import type { Pools } from '../pools.ts'

/** Milliseconds between two checks, and maximum milliseconds for an answer of the database. */
const [checkMs, maxAnswerMs] = [500, 2000]

/**
 * Number of checks without an answer after which the database counts as away. A busy process, or a connection that was
 * closed, can cause a single one.
 */
const maxMissed = 2

export class OutageWatch implements Service {
  readonly name = 'outage watch'
  readonly #stopping = new AbortController()
  #isAway = false
  #isRunning = false

  constructor(private readonly pools: Pools) {}

  /** Whether the database does not respond. Calls that need it must then be rejected immediately. */
  get isAway(): boolean {
    return this.#isAway
  }

  async start(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  /** Does not wait for the check in progress, whose query ends with its pool. */
  async stop(): Promise<void> {
    this.#stopping.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    for (let missed = 0; !signal.aborted; ) {
      const answer = await this.#ask()
      missed = answer === 'answered' ? 0 : answer === 'unreachable' ? maxMissed : missed + 1
      this.#set(missed >= maxMissed)
      await sleep(checkMs, null, { signal, ref: false }).catch(() => {})
    }
  }

  #set(isAway: boolean): void {
    if (this.#isAway === isAway) return
    this.#isAway = isAway
    const { vital, acting, recording, changing, chores, readConnections } = this.pools
    for (const pool of [vital, acting, recording, changing, chores, ...readConnections]) setAway(pool, isAway)
  }

  /**
   * Asks over two pools whose connections stay open, because locks can occupy all connections of one. `vital` has few
   * queries: in `recording`, many can wait for each attempt to connect.
   */
  async #ask(): Promise<Answer> {
    const { vital, recording } = this.pools
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => resolve('silent'), maxAnswerMs)
    const answers = [ask(vital), ask(recording)] as const
    for (const answer of answers) void answer.then(one => one === 'answered' && resolve(one))
    void answers[0].then(one => one === 'unreachable' && resolve(one))
    // Each attempt to connect costs processor time of a server that other cells can share.
    void Promise.all(answers).then(all => resolve(all.includes('rejected') ? 'unreachable' : 'silent'))
    return promise.finally(() => clearTimeout(timer))
  }
}

/**
 * `unreachable`: no connection could be opened. `silent`: there was no answer, or the connection was lost. `rejected`: the
 * database rejects new connections by its configuration, and open ones of another pool can still work.
 */
type Answer = 'answered' | 'silent' | 'unreachable' | 'rejected'

const ask = async (pool: Database): Promise<Answer> => {
  try {
    await acceptsWrites(pool)
    return 'answered'
  } catch (error) {
    // Without a free connection (53300), the open ones are still used.
    if (isAccessDenied(error)) return 'rejected'
    if (!isConnectionError(error) || isOverload(error)) return 'answered'
    return neverReachedServer(error) ? 'unreachable' : 'silent'
  }
}
