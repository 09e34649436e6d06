/** The alarms: Graphile Worker rings them, one shell per task hands them on. What an alarm means is decided elsewhere. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type Runner, run, runMigrations, type TaskList } from 'graphile-worker'
import type { Database } from '../db/client.ts'
import type { ActorId } from '../db/lease.ts'
import { eraseTraces } from '../domain/customers/index.ts'
import type { Tasks } from '../domain/tasks.ts'
import type { Log } from '../platform/log.ts'
import type { Service } from '../platform/part.ts'
import { crontab } from './crontab.ts'
import { createPool } from './pool.ts'
import { prune } from './prune.ts'

export interface AlarmDeps {
  url: string
  sql: Database
  wake: (actor: ActorId) => void
  log: Log
}

/** Graphile Worker's own tables. */
export const migrateAlarms = async (url: string): Promise<void> => {
  const pool = createPool(url, 'customer-engagement migrate', 1)
  try {
    await runMigrations({ pgPool: pool, logger: silent })
  } finally {
    await pool.end()
  }
}

const pollMs = 1000
const restartMs = 1000
/** Graphile Worker gives tasks five seconds to finish, but waits without end for a database that is away. */
const patienceMs = 6000

/** Rings alarms for as long as it runs. It can end by itself only through a fault; then it is started anew. */
export class Alarms implements Service {
  readonly name = 'alarms'
  readonly #tasks: TaskList
  #runner: Runner | null = null
  #pool: ReturnType<typeof createPool> | null = null
  #stopping = false

  constructor(private readonly deps: AlarmDeps) {
    this.#tasks = tasksOf(deps)
  }

  get running(): boolean {
    return this.#runner !== null
  }

  async start(): Promise<void> {
    if (this.#stopping) return
    const pool = createPool(this.deps.url, 'customer-engagement alarms')
    const runner = await run({
      pgPool: pool,
      taskList: this.#tasks,
      parsedCronItems: crontab,
      concurrency: 4,
      pollInterval: pollMs,
      noHandleSignals: true,
      logger: loggerFor(this.deps.log),
    }).catch(async error => {
      await pool.end().catch(() => {})
      throw error
    })
    if (this.#stopping) {
      await endAlarms(runner, pool)
      return
    }
    this.#pool = pool
    this.#runner = runner
    void runner.promise
      .catch(error => this.deps.log.warn({ error }, 'the alarms stopped'))
      .then(() => this.#restart(runner, pool))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    const runner = this.#runner
    this.#runner = null
    if (runner && this.#pool) await endAlarms(runner, this.#pool)
  }

  async #restart(ended: Runner, pool: ReturnType<typeof createPool>): Promise<void> {
    if (this.#stopping || this.#runner !== ended) return
    this.#runner = null
    await pool.end().catch(() => {})
    const again = () =>
      this.start().catch(error => {
        this.deps.log.warn({ error }, 'the alarms cannot be started')
        setTimeout(again, restartMs)
      })
    setTimeout(again, restartMs)
  }
}

const endAlarms = async (runner: Runner, pool: ReturnType<typeof createPool>): Promise<void> => {
  const ended = runner
    .stop()
    .catch(() => {})
    .then(() => pool.end())
    .catch(() => {})
  await Promise.race([ended, sleep(patienceMs, undefined, { ref: false })])
}

/** A task for each name in domain/jobs.ts; one that is missing does not compile. */
const tasksOf = ({ sql, wake }: AlarmDeps): TaskList => {
  const rung: { [Name in keyof Tasks]: (payload: Tasks[Name]) => void | Promise<void> } = {
    wake_endpoint: ({ workspaceId, webhookId }) => wake({ kind: 'endpoint', workspaceId, id: webhookId }),
    wake_channel: ({ workspaceId, channelId }) => wake({ kind: 'channel', workspaceId, id: channelId }),
    erase_traces: person => eraseTraces(sql, person),
  }
  return {
    wake_endpoint: async payload => rung.wake_endpoint(payload as Tasks['wake_endpoint']),
    wake_channel: async payload => rung.wake_channel(payload as Tasks['wake_channel']),
    erase_traces: async payload => rung.erase_traces(payload as Tasks['erase_traces']),
    prune: () => prune(sql),
  }
}

const silent = new Logger(() => () => {})

/** What Graphile Worker says at `info` is of interest only to somebody who looks into it. */
const loggerFor = (log: Log): Logger =>
  new Logger(({ label }) => (level, message) => {
    const write = level === 'error' ? log.error : level === 'warning' ? log.warn : log.debug
    write.call(log, { label }, `alarms: ${message}`)
  })
