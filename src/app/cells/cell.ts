/**
 * Assembles what works on the database of one cell: connections, workers, and the handler of requests. With one cell, that
 * is the whole service except its server.
 */
import manifest from '../../../package.json' with { type: 'json' }
import { setAuditRetention } from '../../accounts/audit/index.ts'
import type { ApiDeps } from '../../api/app.ts'
import type { Readiness } from '../../api/pages/pages.ts'
import type { PipelineLimits } from '../../api/pipeline.ts'
import { type Config, mainCell } from '../../config.ts'
import { ChangeRecorder } from '../../core/changes/index.ts'
import { EventWriter, type EventWriterDeps } from '../../events/index.ts'
import type { LiveFeedLimits } from '../../insights/live-feed/index.ts'
import type { ChannelSettings, Providers } from '../../messaging/channels/index.ts'
import { cacheForSecond } from '../../platform/cache-for-second.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Log } from '../../platform/log.ts'
import { Metrics } from '../../platform/metrics.ts'
import { onRejectedBatch } from '../../platform/postgres/bisect.ts'
import { type Database, isDiskFull, sqlState } from '../../platform/postgres/client.ts'
import { throttleBatches } from '../../platform/postgres/micro-batched.ts'
import { runtime } from '../../platform/runtime.ts'
import { createService, inParallel, type Service } from '../../platform/service.ts'
import type { Tracer } from '../../platform/tracing.ts'
import { Backpressure } from '../../queue/backpressure.ts'
import { maxDepth, readBacklogLag, readDepths, readLags } from '../../queue/lag.ts'
import { Load } from '../../queue/load.ts'
import { readMailQueue } from '../../queue/tasks.ts'
import type { Resolve } from '../../webhooks/endpoints/index.ts'
import { createApiService } from '../api.ts'
import { HoldableWorker, HoldWatch } from '../hold.ts'
import type { Pools } from '../pools.ts'
import { createReadiness } from '../readiness.ts'
import type { HttpServer } from '../server.ts'
import { createWorker, runsChannel } from '../worker.ts'
import { OutageWatch } from './outage-watch.ts'

/** Dependencies that all cells of a process share. */
export interface SharedDeps {
  config: Config
  resolve: Resolve
  providers: Providers
  keyring: Keyring | null
  /** Null without an exporter of traces. */
  tracer: Tracer | null
  server: HttpServer
  stopping: () => boolean
  limits: PipelineLimits
  liveFeedLimits: Partial<LiveFeedLimits>
}

export interface CellDeps extends SharedDeps {
  /** Name, for the label of its metrics. Null if there is one cell. */
  name: string | null
  databaseUrl: string
  pools: Pools
  log: Log
  /** Holds all sending at start. */
  request: boolean
  /** Called for every failure of a call that is not a DomainError. */
  onFailure?: (error: unknown) => void
  /** Returns whether the cell has started. By default it starts with the process. */
  isStarted?: () => boolean
}

export interface Cell {
  pools: Pools
  metrics: Metrics
  readiness: Readiness
  /** Returns whether its database does not respond. Calls are then rejected immediately. False with one cell. */
  isAway: () => boolean
  /** Returns whether its sending is held after a restore. */
  isHeld: () => boolean
  api: ApiDeps
  /** Services that start before the others and stop after them. */
  base: readonly Service[]
  /** Services that stop immediately, while requests in progress are still answered. */
  acting: readonly Service[]
  /** Services that stop after the last answer. */
  requests: readonly Service[]
  /** Starts no more deliveries, messages and campaigns, before the services stop one after the other. */
  stopSending: () => void
}

/** Milliseconds that a process stays unready after PostgreSQL rejected a write because the disk is full. */
const diskFullMs = 30_000

/** Milliseconds that interrupted work of a worker has to finish. */
export const defaultGraceMs = 15_000

/** Assembles a cell without opening a connection. */
export const createCell = (deps: CellDeps): Cell => {
  const { name, config, databaseUrl, pools, log, resolve, providers, keyring, tracer, server, stopping } = deps
  const isFirst = name === null || name === mainCell
  const metrics = new Metrics({
    build: isFirst ? { version: manifest.version, runtime: runtime.name } : null,
    cell: name,
  })
  const backpressure = new Backpressure({
    // Held work is not late, so it does not slow down the recording of events.
    readLag: () => (hold.held ? Promise.resolve(0) : readBacklogLag(pools.recording, hold.paused)),
    log,
  })
  const channelSettings: ChannelSettings = {
    providers,
    keyring,
    publicUrl: () => config.publicUrl ?? server.url,
    hasPublicUrl: config.publicUrl !== null,
    providerUrls: config.providerUrls,
  }
  const load = new Load()
  const newWorker = () =>
    createWorker({
      config,
      pools,
      databaseUrl,
      log,
      metrics,
      backpressure,
      load,
      resolve,
      providers,
      providerSettings: channelSettings,
      publicUrl: channelSettings.publicUrl,
      paused: () => hold.paused,
      onPausesChanged: () => hold.onPausesChanged(),
      tracer,
    })
  const worker = config.roles.worker ? new HoldableWorker(newWorker, () => hold.held, defaultGraceMs) : null
  const onChecked = () => worker?.applyHold() ?? Promise.resolve()
  const hold: HoldWatch = new HoldWatch({ sql: pools.vital, request: deps.request, onChecked, log })
  const onBatch = (size: number) => {
    metrics.ingestBatch.observe(size)
    load.record(size)
  }
  const onDatabaseRejection = (error: unknown, items: number) => {
    const sqlstate = sqlState(error) ?? 'none'
    metrics.recordRejectedBatch(sqlstate)
    log.error({ error, sqlstate, items }, 'the database rejected a batch')
  }
  for (const pool of [pools.acting, pools.changing]) onRejectedBatch(pool, onDatabaseRejection)
  let diskFullUntil = 0
  const diskFull = () => performance.now() < diskFullUntil
  const onFailure = (error: unknown) => {
    if (isDiskFull(error)) diskFullUntil = performance.now() + diskFullMs
    deps.onFailure?.(error)
  }
  const events = createEventWriter(
    {
      sql: pools.recording,
      onBatch,
      onRecorded: ms => metrics.eventRecording.observe(ms / 1000),
      onDatabaseError: onDatabaseRejection,
      tracer,
    },
    backpressure,
    worker,
    workspaceId => hold.paused.isPaused('runs', workspaceId),
  )
  throttleBatches(pools.changing, () => backpressure.maxDelayMs)
  const api = createApiService({
    config,
    pools,
    log,
    onFailure,
    events,
    metrics,
    tracer,
    server,
    channelSettings,
    liveFeedLimits: deps.liveFeedLimits,
  })
  const watch = name === null ? null : new OutageWatch(pools)
  const isAway = () => watch?.isAway ?? false
  const readiness = createReadiness({
    sql: pools.vital,
    isStarted: deps.isStarted,
    isAway,
    stopping,
    diskFull,
    held: () => hold.held,
    paused: () => hold.paused.everywhere,
    worker: () => worker?.expected ?? null,
  })
  metrics.gauge('cell_ready', 'Whether this process can use the database (1) or not (0), as in /readyz.', async () =>
    Number((await readiness()).ready),
  )
  registerMetrics(metrics, pools, worker, hold)
  const maxDelaySeconds = () => backpressure.maxDelayMs / 1000
  metrics.gauge(
    'recording_delay_seconds',
    'Longest delay of a batch of events or opt-outs because due work is late.',
    maxDelaySeconds,
  )
  const changes = new ChangeRecorder({
    sql: pools.vital,
    pools: [pools.acting, pools.changing, pools.recording, pools.chores],
    onFailure: error => log.debug({ error }, 'changes could not be saved for streams'),
  })
  const eventWriter = createService('event writer', { stop: () => events.idle() })
  return {
    pools,
    metrics,
    readiness,
    isAway,
    isHeld: () => hold.held,
    api: { ...api.deps, limits: deps.limits },
    base: [changes, hold, ...(watch ? [watch] : [])],
    // Streams stop immediately, because clients must reconnect to another process and the server does not wait for their
    // requests.
    acting: [
      api.liveFeed,
      api.pullWaiters,
      ...(worker ? [worker] : []),
      createService('audit retention', { start: () => checkAuditRetention(pools.vital, config, log) }),
    ],
    stopSending: () => worker?.stopSending(),
    requests: [inParallel('HTTP state', api.services), eventWriter],
  }
}

/**
 * Creates the writer that batches concurrent events. Started runs wake the worker in this process, or send one NOTIFY
 * to another process.
 */
const createEventWriter = (
  deps: Pick<EventWriterDeps, 'onBatch' | 'onRecorded' | 'onDatabaseError' | 'tracer'> & { sql: Pools['recording'] },
  backpressure: Backpressure,
  worker: HoldableWorker | null,
  areRunsPaused: (workspaceId: string) => boolean,
): EventWriter =>
  new EventWriter({
    ...deps,
    backpressureMs: () => backpressure.maxDelayMs,
    areRunsPaused,
    onRunsStarted: () => {
      if (worker?.running) worker.running.runs.wake()
      else void deps.sql.notify(runsChannel, '').catch(() => {})
    },
    ...(worker && { onQueued: (queued, writeStartedAt) => worker.running?.onQueued(queued, writeStartedAt) }),
  })

const registerMetrics = (
  metrics: Metrics,
  { chores, apiReads, changes, measured, isReplicaUsed }: Pools,
  worker: HoldableWorker | null,
  hold: HoldWatch,
): void => {
  // Serves both reads of a scrape.
  const readMails = cacheForSecond(() => readMailQueue(chores, maxDepth))
  metrics.queues({
    ages: async () => {
      const { due, receivers } = await readLags(chores, hold.paused)
      return { due: { ...due, mails: (await readMails()).age }, receivers }
    },
    depths: async () => ({ ...(await readDepths(chores)), mails: (await readMails()).depth }),
  })
  metrics.limiters({ reads: apiReads, changes })
  metrics.gauge('replica_used', 'Whether a standby serves reads of the API (1) or not (0).', () =>
    Number(isReplicaUsed()),
  )
  metrics.connections({
    ...measured,
    ...(worker && {
      tasks: { counts: () => worker.running?.tasks.connections ?? { active: 0, idle: 0 } },
      listener: { counts: () => ({ active: Number(worker.running?.listener.connected ?? false), idle: 0 }) },
    }),
  })
  if (!worker) return
  metrics.gauge('actors_active', 'Number of active actors in this process.', () => worker.running?.actors.active ?? 0)
  metrics.gauge('leases_held', 'Number of leases that this process holds.', () => worker.running?.actors.leases ?? 0)
  // Absent while sending is held, because the worker is stopped then.
  metrics.gauge(
    'listener_connected',
    'Whether notifications are being received (1) or not (0).',
    () => worker.expected && Number(worker.expected.listener.connected),
  )
}

/** Warns if RETENTION_AUDIT differs from the stored setting. The setting of the role that runs "migrate" applies. */
const checkAuditRetention = async (sql: Database, { retention }: Config, log: Log): Promise<void> => {
  if (await setAuditRetention(sql, retention.audit)) return
  log.warn(
    {},
    'RETENTION_AUDIT differs from that of the last "migrate", which applies: run "migrate" with the same setting',
  )
}
