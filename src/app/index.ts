/** Assembles the complete service. `start`, the demo and the tests all run it. */
import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../../package.json' with { type: 'json' }
import { setAuditRetention } from '../accounts/audit/index.ts'
import { createApp } from '../api/app.ts'
import { metricsApp, metricsPage, metricsPath } from '../api/metrics.ts'
import { recordPage } from '../api/pages/record.ts'
import type { Config } from '../config.ts'
import { ChangeRecorder } from '../core/changes/index.ts'
import { EventWriter, type EventWriterDeps } from '../events/index.ts'
import type { LiveFeedLimits } from '../insights/live-feed/index.ts'
import { providers as allProviders, type ChannelSettings, type Providers } from '../messaging/channels/index.ts'
import { cacheForSecond } from '../platform/cache-for-second.ts'
import { clockComparison } from '../platform/clock.ts'
import type { Keyring } from '../platform/encryption.ts'
import type { Log } from '../platform/log.ts'
import { Metrics } from '../platform/metrics.ts'
import { onRejectedBatch } from '../platform/postgres/bisect.ts'
import { type Database, isDiskFull, sqlState } from '../platform/postgres/client.ts'
import { throttleBatches } from '../platform/postgres/micro-batched.ts'
import { readDatabaseTime } from '../platform/postgres/time.ts'
import { runtime } from '../platform/runtime.ts'
import { createService, inParallel, inSequence, type Service } from '../platform/service.ts'
import { Backpressure } from '../queue/backpressure.ts'
import { maxDepth, readBacklogLag, readDepths, readLags } from '../queue/lag.ts'
import { Load } from '../queue/load.ts'
import { readMailQueue } from '../queue/tasks.ts'
import { createResolver, type Resolve } from '../webhooks/endpoints/index.ts'
import { createApiService } from './api.ts'
import { servedDashboard } from './dashboard.ts'
import { createKeyring } from './encryption.ts'
import { HoldableWorker, HoldWatch } from './hold.ts'
import { createPools, type Pools } from './pools.ts'
import { createReadiness } from './readiness.ts'
import { HttpServer } from './server.ts'
import { createWorker, runsChannel } from './worker.ts'

export interface RunningService {
  /** Port of the server. */
  port: number
  /** Separate port of /metrics. Null means that /metrics is served with the other pages. */
  metricsPort: number | null
  /** Base URL that people use. */
  url: string
  /**
   * Stops the service. It becomes unready immediately and keeps serving for `delayMs`, with answers that close their
   * connections. Work in progress must then finish within `graceMs`, and all connections are closed. `delayMs` defaults
   * to 0.
   */
  stop(graceMs?: number, delayMs?: number): Promise<void>
}

export interface ServiceDeps {
  config: Config
  databaseUrl: string
  log: Log
  /** URL of a transaction pooler. Null or missing means that all connections use `databaseUrl`. */
  pooledUrl?: string | null
  /** Maximum number of connections if PostgreSQL allows fewer than the setting. */
  poolSize?: number
  /** Database connections, which the service closes. Tests pass connections that differ from the listener's. */
  pools?: Pools
  /** Resolves the addresses of endpoints. Tests use it for names that do not exist. */
  resolve?: Resolve
  /** Keyring for secrets. Defaults to the keys of SECRETS_KEY. */
  keyring?: Keyring | null
  /** Messaging providers. Tests pass simulated ones. */
  providers?: Providers
  /** Holds all sending at start, until the operator releases it. Defaults to false. */
  hold?: boolean
  /** Limits of live feeds. Tests use shorter times. */
  liveFeedLimits?: Partial<LiveFeedLimits>
}

/** Milliseconds that a process stays unready after PostgreSQL rejected a write because the disk is full. */
const diskFullMs = 30_000
const defaultGraceMs = 15_000
/** Additional milliseconds after the grace period, for recording interrupted work and releasing leases. */
const finalWritesMs = 2000

/** Starts all services of the configured roles. When it returns, all of them are running. */
export const startService = async (deps: ServiceDeps): Promise<RunningService> => {
  const { config, log } = deps
  let stopping = false
  const { service, server, metricsServer } = await createServices(deps, () => stopping)
  try {
    await service.start()
  } catch (error) {
    await service.stop(AbortSignal.abort())
    throw error
  }
  return {
    port: server.port,
    metricsPort: metricsServer?.port ?? null,
    url: config.publicUrl ?? server.url,
    stop: async (graceMs = defaultGraceMs, delayMs = 0) => {
      if (stopping) return
      stopping = true
      server.drain()
      await sleep(delayMs)
      const stopped = service.stop(AbortSignal.timeout(graceMs)).then(() => true)
      const inTime = await Promise.race([stopped, sleep(graceMs + finalWritesMs, false, { ref: false })])
      if (!inTime) log.warn({}, 'the database does not respond; another process will complete the work in progress')
    },
  }
}

/** Creates all services as one composite service. */
export const createServices = async (
  {
    config,
    databaseUrl,
    log,
    poolSize = config.databasePoolSize,
    pooledUrl = null,
    pools = createPools(databaseUrl, {
      size: poolSize,
      pooledUrl,
      replicaUrl: config.databaseReplicaUrl,
      onReplicaChange: reason => {
        if (reason === null) log.info({}, 'the standby of DATABASE_REPLICA_URL is used for reads again')
        else log.warn({ reason }, 'the standby of DATABASE_REPLICA_URL cannot be used; the primary has all reads')
      },
    }),
    resolve = createResolver(),
    providers = allProviders,
    keyring = createKeyring(config),
    hold: request = false,
    liveFeedLimits = {},
  }: ServiceDeps,
  stopping: () => boolean,
): Promise<{ service: Service; server: HttpServer; metricsServer: HttpServer | null }> => {
  const metrics = new Metrics({ version: manifest.version, runtime: runtime.name })
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
  // The libraries are loaded only if an endpoint is configured, because that takes a part of a second.
  const tracer = config.tracing
    ? (await import('../platform/open-telemetry.ts')).createTracer(config.tracing, manifest.version, log)
    : null
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
  const hold: HoldWatch = new HoldWatch({ sql: pools.vital, request, onChecked, log })
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
  const server: HttpServer = new HttpServer(config, request => app(request))
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
    liveFeedLimits,
  })
  const readiness = createReadiness({
    sql: pools.vital,
    stopping,
    diskFull,
    held: () => hold.held,
    paused: () => hold.paused.everywhere,
    worker: () => worker?.expected ?? null,
  })
  registerMetrics(metrics, pools, worker, hold)
  const maxDelaySeconds = () => backpressure.maxDelayMs / 1000
  metrics.gauge(
    'recording_delay_seconds',
    'Longest delay of a batch of events or opt-outs because due work is late.',
    maxDelaySeconds,
  )
  const page = metricsPage({ metrics: () => metrics.text(), token: config.metrics.token })
  const metricsServer = createMetricsServer(config, recordPage(metricsPath, page, api.deps))
  const app = await createApp(
    { readiness, metrics: metricsServer ? null : page },
    api.deps,
    config.roles.http,
    config.roles.http ? servedDashboard : null,
  )

  const changes = new ChangeRecorder({
    sql: pools.vital,
    pools: [pools.acting, pools.changing, pools.recording, pools.chores],
    onFailure: error => log.debug({ error }, 'changes could not be saved for streams'),
  })
  const eventWriter = createService('event writer', { stop: () => events.idle() })
  // Stopped in parallel, so that a slow client does not use up the time that deliveries in progress have to finish.
  const runningServices = inParallel('running services', [
    // Stopped immediately, because clients must reconnect to another process and the server does not wait for their
    // requests.
    api.liveFeed,
    api.pullWaiters,
    ...(worker ? [worker] : []),
    inSequence('requests', [inParallel('HTTP state', api.services), eventWriter, server]),
    ...(metricsServer ? [metricsServer] : []),
  ])
  const service = inSequence('service', [
    // Ends last, with the spans of the others.
    createService('traces', { stop: () => tracer?.stop() }),
    pools.service,
    createService('audit retention', { start: () => checkAuditRetention(pools.vital, config, log) }),
    clockComparison(() => readDatabaseTime(pools.vital), log),
    changes,
    hold,
    runningServices,
  ])
  return { service, server, metricsServer }
}

const createMetricsServer = (
  { host, httpKeepAlive, metrics: { port } }: Config,
  page: (request: Request) => Promise<Response>,
): HttpServer | null =>
  port === null ? null : new HttpServer({ host, port, httpKeepAlive }, metricsApp(page), 'METRICS_PORT')

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
