/** Runs background tasks with Graphile Worker. Each handler only calls a function of the domain. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, type Runner, run, runMigrations, type Task, type TaskList, type WorkerEvents } from 'graphile-worker'
import { type EntryToWrite, writeMovedEntry } from '../../accounts/audit/index.ts'
import { notifyAllowances } from '../../events/index.ts'
import { skipMessages, unassignRemaining } from '../../messaging/messages/index.ts'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/client.ts'
import type { ActorId } from '../../platform/postgres/lease.ts'
import { tasksSchemaOf } from '../../platform/postgres/target.ts'
import type { Service } from '../../platform/service.ts'
import { enqueueRenewSamples, eraseTraces, renewSamples } from '../../privacy/erasure/index.ts'
import { type RetainDeps, retain } from '../../privacy/retention/index.ts'
import {
  continueRetention,
  releaseTasksOfDeadProcesses,
  type Tasks,
  taskOwnerOf,
  wakeAllowanceCheck,
} from '../../queue/tasks.ts'
import { dropDeliveries } from '../../webhooks/deliveries/index.ts'
import { advanceRecovery } from '../../webhooks/recoveries/index.ts'
import { rollUpStats } from '../../webhooks/statistics/index.ts'
import { moveRuns, stopWorkflowRuns } from '../../workflows/index.ts'
import { type MailDeps, sendMail } from '../mails/index.ts'
import { crontab } from './crontab.ts'
import { createPool } from './pool.ts'
import { prune } from './prune.ts'

export interface TaskRunnerDeps {
  url: string
  /** Id of this process in `processes`. */
  processId: string
  /** Maximum number of connections of Graphile Worker, at least 2. */
  maxConnections: number
  sql: Database
  wake: (actor: ActorId) => void
  /** Called with the number of deliveries that were dropped. */
  onDropped: (count: number) => void
  /** Sends e-mails to people. */
  mailDeps: MailDeps
  /** Retention settings, and the load and delay that decide when deletion pauses. */
  retention: Pick<RetainDeps, 'periods' | 'isBusy' | 'backpressureMs'>
  log: Log
}

/** Migrates the tables of Graphile Worker. */
export const migrateTasks = async (url: string): Promise<void> => {
  const pool = createPool(url, 'customer-engagement migrate', 1)
  try {
    await runMigrations({ pgPool: pool, schema: tasksSchemaOf(url), logger: silent })
  } finally {
    await pool.end()
  }
}

/**
 * Tasks at the same time: one of each mail queue, retention, and one other, so that no urgent mail waits for bulk work. A
 * task uses the pools of the service. The pool of Graphile Worker only lists, claims and completes tasks.
 */
const concurrency = 4
const pollMs = 1000
const restartMs = 1000
/**
 * Maximum milliseconds for stopping. Graphile Worker gives tasks five seconds, but waits without limit for an
 * unavailable database.
 */
const stopTimeoutMs = 6000

/** Runs tasks until it is stopped. If the runner ends because of a fault, it is restarted. */
export class TaskRunner implements Service {
  readonly name = 'tasks'
  readonly #tasks: TaskList
  #runner: Runner | null = null
  #pool: ReturnType<typeof createPool> | null = null
  readonly #stopController = new AbortController()
  /** Number of tasks that have not ended. */
  #active = 0

  constructor(private readonly deps: TaskRunnerDeps) {
    const tasks = createTaskList(deps, this.#stopController.signal)
    this.#tasks = Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, this.#counted(task!)]))
  }

  #counted(task: Task): Task {
    return async (...parameters) => {
      this.#active++
      try {
        return await task(...parameters)
      } finally {
        this.#active--
      }
    }
  }

  get #stopping(): boolean {
    return this.#stopController.signal.aborted
  }

  get running(): boolean {
    return this.#runner !== null
  }

  /** Number of open connections of Graphile Worker. */
  get connections(): { active: number; idle: number } {
    const { totalCount, idleCount } = this.#pool ?? { totalCount: 0, idleCount: 0 }
    return { active: totalCount - idleCount, idle: idleCount }
  }

  async start(): Promise<void> {
    if (this.#stopping || this.#runner) return
    await wakeAllowanceCheck(this.deps.sql)
    const pool = createPool(this.deps.url, 'customer-engagement tasks', this.deps.maxConnections)
    // Other processes release the tasks of this one when it has died. The event comes before a task is claimed.
    const events: WorkerEvents = new EventEmitter()
    events.once('pool:create', ({ workerPool }) => {
      workerPool.id = taskOwnerOf(this.deps.processId)
    })
    const runner = await run({
      events,
      pgPool: pool,
      schema: tasksSchemaOf(this.deps.url),
      taskList: this.#tasks,
      parsedCronItems: crontab,
      concurrency,
      pollInterval: pollMs,
      noHandleSignals: true,
      logger: createLogger(this.deps.log),
    }).catch(async error => {
      await pool.end().catch(() => {})
      throw error
    })
    if (this.#stopping) {
      await this.#end(runner, pool)
      return
    }
    this.#pool = pool
    this.#runner = runner
    void runner.promise
      .catch(error => this.deps.log.warn({ error }, 'the tasks stopped'))
      .then(() => this.#restart(runner, pool))
  }

  async stop(): Promise<void> {
    this.#stopController.abort()
    const runner = this.#runner
    this.#runner = null
    if (runner && this.#pool) await this.#end(runner, this.#pool)
  }

  async #end(runner: Runner, pool: ReturnType<typeof createPool>): Promise<void> {
    const ended = runner
      .stop()
      .catch(() => {})
      .then(() => this.#endPool(pool))
      .catch(() => {})
    await Promise.race([ended, sleep(stopTimeoutMs, undefined, { ref: false })])
  }

  /**
   * Ends a pool when the tasks have ended. Graphile Worker marks a task as done without waiting for the result, also if
   * the task ends after its runner. Without the pool, that would be an unhandled error, and the task would run again.
   */
  async #endPool(pool: ReturnType<typeof createPool>): Promise<void> {
    const end = performance.now() + stopTimeoutMs
    const isBusy = () => this.#active > 0 || pool.waitingCount > 0
    do await sleep(5, undefined, { ref: false })
    while (isBusy() && performance.now() < end)
    // A task can still end later. Its completion then never resolves, because an error would end the process. Another
    // process runs the task again.
    pool.connect = (() => {
      this.deps.log.warn('a task ended after its connections were closed; it runs again')
      return new Promise(() => {})
    }) as typeof pool.connect
    await pool.end()
  }

  async #restart(ended: Runner, pool: ReturnType<typeof createPool>): Promise<void> {
    if (this.#stopping || this.#runner !== ended) return
    this.#runner = null
    await this.#endPool(pool).catch(() => {})
    const tryStart = () =>
      this.start().catch(error => {
        this.deps.log.warn({ error }, 'the tasks cannot be started')
        setTimeout(tryStart, restartMs)
      })
    setTimeout(tryStart, restartMs)
  }
}

/**
 * Maximum attempts of an e-mail. The delays of Graphile Worker grow by the factor e, so the last attempt is ten hours
 * after the first.
 */
const maxMailAttempts = 10

/** Milliseconds between two checks of the allowances. An event follows within 20 seconds (contract 15.2). */
const allowanceCheckMs = 15_000

/** Returns a handler for each name in queue/tasks.ts. A missing handler is a compile error. */
const createTaskList = (
  { sql, wake, onDropped, mailDeps, retention }: TaskRunnerDeps,
  stopping: AbortSignal,
): TaskList => {
  const handlers: { [Name in Exclude<keyof Tasks, 'send_mail'>]: (payload: Tasks[Name]) => void | Promise<void> } = {
    wake_endpoint: ({ workspaceId, webhookId }) => wake({ kind: 'endpoint', workspaceId, id: webhookId }),
    wake_channel: ({ workspaceId, channelId }) => wake({ kind: 'channel', workspaceId, id: channelId }),
    wake_campaign: ({ workspaceId, campaignId }) => wake({ kind: 'campaign', workspaceId, id: campaignId }),
    drop_deliveries: endpoint => dropDeliveries(sql, endpoint, onDropped),
    recover_deliveries: endpoint => advanceRecovery(sql, endpoint),
    skip_messages: channel => skipMessages(sql, channel),
    release_conversations: leaver => unassignRemaining(sql, leaver),
    write_audit_entry: ({ row }) => writeMovedEntry(sql, row as EntryToWrite),
    erase_traces: async person => {
      await eraseTraces(sql, person)
      await enqueueRenewSamples(sql)
    },
    renew_samples: () => renewSamples(sql),
    stop_runs: of => stopWorkflowRuns(sql, of),
    move_runs: to => moveRuns(sql, to),
    retain: async () => {
      if (await retain({ sql, ...retention, stopping })) await continueRetention(sql)
    },
    check_allowances: async () => {
      await notifyAllowances(sql)
      await wakeAllowanceCheck(sql, allowanceCheckMs)
    },
  }
  return {
    ...Object.fromEntries(
      Object.entries(handlers).map(([name, handle]) => [name, async (payload: unknown) => handle(payload as never)]),
    ),
    send_mail: async (payload, { job }) =>
      sendMail(sql, mailDeps, payload as Tasks['send_mail'], job.attempts >= maxMailAttempts),
    prune: () => prune(sql, onDropped),
    release_tasks: async () => {
      await releaseTasksOfDeadProcesses(sql)
    },
    add_up: () => rollUpStats(sql),
  }
}

const silent = new Logger(() => () => {})

/**
 * Graphile Worker warns if its pool is smaller than its concurrency, because a task could hold a connection of the pool.
 * No task does. Four connections of 20 would be too many for them.
 */
const poolSizeWarning = 'smaller than concurrency'

/** Logs `info` messages of Graphile Worker at `debug`, because they only help when someone investigates a problem. */
const createLogger = (log: Log): Logger =>
  new Logger(({ label }) => (level, message) => {
    const warns = level === 'warning' && !message.includes(poolSizeWarning)
    const write = level === 'error' ? log.error : warns ? log.warn : log.debug
    write.call(log, { label }, `tasks: ${message}`)
  })
