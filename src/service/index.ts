/** Assembles the complete service. `start`, the demo and the tests all run it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Lateness } from '../actors/lateness.ts'
import { Traffic } from '../actors/traffic.ts'
import type { Config } from '../config.ts'
import { type Database, isDiskFull, sqlState } from '../db/client.ts'
import { reportRefusedBatches } from '../db/each-on-its-own.ts'
import { readDatabaseTime } from '../db/time.ts'
import { keepAuditFor } from '../domain/audit/index.ts'
import { providers as allProviders, type ChannelSettings, type Providers } from '../domain/channels/index.ts'
import { createResolver, type Resolve } from '../domain/endpoints/index.ts'
import { EventWriter, type IntakeDeps } from '../domain/events/index.ts'
import { giveWay } from '../domain/gather.ts'
import { readBacklog, readLags } from '../domain/lag.ts'
import type { Seals } from '../domain/sealing.ts'
import { Changes, type StreamLimits } from '../domain/stream/index.ts'
import { createApp } from '../http/app.ts'
import { createDashboard } from '../http/dashboard.ts'
import { metricsApp, metricsPage } from '../http/metrics.ts'
import { comparingClocks } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { Metrics } from '../platform/metrics.ts'
import { inOrder, type Part, sideBySide, simplePart } from '../platform/part.ts'
import { dashboardFiles } from './dashboard.ts'
import { createDoor } from './door.ts'
import { createPools, type Pools } from './pools.ts'
import { createReadiness } from './readiness.ts'
import { sealsOf } from './seals.ts'
import { HttpServer } from './server.ts'
import { createWorker, runsChannel, type Worker } from './worker.ts'

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
  /** Maximum number of connections if PostgreSQL allows fewer than the setting. */
  poolSize?: number
  /** Database connections, which the service closes. Tests pass connections that differ from the listener's. */
  pools?: Pools
  /** Resolves the addresses of endpoints. Tests use it for names that do not exist. */
  resolve?: Resolve
  /** Keyring for secrets. Defaults to the keys of SECRETS_KEY. */
  seals?: Seals | null
  /** Messaging providers. Tests pass simulated ones. */
  providers?: Providers
  /** Limits of live feeds. Tests use shorter times. */
  streamLimits?: Partial<StreamLimits>
}

/** Milliseconds that a process stays unready after PostgreSQL rejected a write because the disk is full. */
const diskFullMs = 30_000
const defaultGraceMs = 15_000
/** Additional milliseconds after the grace period, for recording interrupted work and releasing leases. */
const lastWordsMs = 2000

/** Starts all services of the configured roles. When it returns, all of them are running. */
export const startService = async (deps: ServiceDeps): Promise<RunningService> => {
  const { config, log } = deps
  let stopping = false
  const { parts, server, metricsServer } = await createParts(deps, () => stopping)
  try {
    await parts.start()
  } catch (error) {
    await parts.stop(AbortSignal.abort())
    throw error
  }
  return {
    port: server.port,
    metricsPort: metricsServer?.port ?? null,
    url: config.publicUrl ?? server.url,
    stop: async (graceMs = defaultGraceMs, delayMs = 0) => {
      if (stopping) return
      stopping = true
      server.leave()
      await sleep(delayMs)
      const stopped = parts.stop(AbortSignal.timeout(graceMs)).then(() => true)
      const inTime = await Promise.race([stopped, sleep(graceMs + lastWordsMs, false, { ref: false })])
      if (!inTime) log.warn({}, 'the database does not answer; what is under way is left to the next process')
    },
  }
}

/** Creates all services as one composite service. */
export const createParts = async (
  {
    config,
    databaseUrl,
    log,
    poolSize = config.databasePoolSize,
    pools = createPools(databaseUrl, { size: poolSize }),
    resolve = createResolver(),
    providers = allProviders,
    seals = sealsOf(config),
    streamLimits = {},
  }: ServiceDeps,
  stopping: () => boolean,
): Promise<{ parts: Part; server: HttpServer; metricsServer: HttpServer | null }> => {
  const metrics = new Metrics()
  const lateness = new Lateness({ look: () => readBacklog(pools.recording), log })
  const channelSettings: ChannelSettings = {
    providers,
    seals,
    publicUrl: () => config.publicUrl ?? server.url,
    hasPublicUrl: config.publicUrl !== null,
    providerUrls: config.providerUrls,
  }
  const traffic = new Traffic()
  const worker = config.roles.worker
    ? createWorker({
        config,
        pools,
        databaseUrl,
        log,
        metrics,
        lateness,
        traffic,
        resolve,
        providers,
        reach: channelSettings,
        publicUrl: channelSettings.publicUrl,
      })
    : null
  const onBatch = (size: number) => {
    metrics.ingestBatch.observe(size)
    traffic.recorded(size)
  }
  const onRefused = (error: unknown, items: number) => {
    const sqlstate = sqlState(error) ?? 'none'
    metrics.refusedBatches.inc({ sqlstate })
    log.error({ error, sqlstate, items }, 'the database refused a batch')
  }
  for (const pool of [pools.acting, pools.changing]) reportRefusedBatches(pool, onRefused)
  let diskFullUntil = 0
  const diskFull = () => performance.now() < diskFullUntil
  const onFailure = (error: unknown) => {
    if (isDiskFull(error)) diskFullUntil = performance.now() + diskFullMs
  }
  const events = createEventWriter({ sql: pools.recording, onBatch, onRefused }, lateness, worker)
  giveWay(pools.changing, () => lateness.restMs)
  const server: HttpServer = new HttpServer(config, request => app(request))
  const door = createDoor({ config, pools, log, onFailure, events, metrics, server, channelSettings, streamLimits })
  const readiness = createReadiness({ sql: pools.vital, stopping, diskFull, worker })
  watch(metrics, pools, worker)
  const restSeconds = () => lateness.restMs / 1000
  metrics.gauge(
    'recording_rest_seconds',
    'Longest delay of a batch of events or opt-outs because due work is late.',
    restSeconds,
  )
  const page = metricsPage({ metrics: () => metrics.text(), token: config.metrics.token })
  const metricsServer = metricsServerOf(config, page)
  const app = await createApp(
    { readiness, metrics: metricsServer ? null : page },
    door.deps,
    config.roles.http,
    config.roles.http ? createDashboard(dashboardFiles) : null,
  )

  const changes = new Changes({
    sql: pools.vital,
    pools: [pools.acting, pools.changing, pools.recording, pools.chores],
    onFailure: error => log.debug({ error }, 'changes could not be noted for streams'),
  })
  const writing = simplePart('event writer', { stop: () => events.idle() })
  // Stopped in parallel, so that a slow client does not use up the time that deliveries in progress have to finish.
  const working = sideBySide('what works', [
    // Stopped immediately, because clients must reconnect to another process and the server does not wait for their
    // requests.
    door.streams,
    ...(worker ? [sideBySide('worker', [inOrder('actors', worker.acting), worker.tasks])] : []),
    inOrder('door', [sideBySide('memory of the door', door.parts), writing, server]),
    ...(metricsServer ? [metricsServer] : []),
  ])
  const parts = inOrder('service', [
    pools.part,
    simplePart('audit retention', { start: () => keepAudit(pools.vital, config, log) }),
    comparingClocks(() => readDatabaseTime(pools.vital), log),
    changes,
    working,
  ])
  return { parts, server, metricsServer }
}

const metricsServerOf = (
  { host, httpKeepAlive, metrics: { port } }: Config,
  page: (request: Request) => Promise<Response>,
): HttpServer | null =>
  port === null ? null : new HttpServer({ host, port, httpKeepAlive }, metricsApp(page), 'METRICS_PORT')

/**
 * Creates the writer that batches concurrent events. Started runs wake the worker in this process, or send one NOTIFY
 * to another process.
 */
const createEventWriter = (
  deps: Pick<IntakeDeps, 'onBatch' | 'onRefused'> & { sql: Pools['recording'] },
  lateness: Lateness,
  worker: Worker | null,
): EventWriter =>
  new EventWriter({
    ...deps,
    restMs: () => lateness.restMs,
    onRunsStarted: () => {
      if (worker) worker.runs.wake()
      else void deps.sql.notify(runsChannel, '').catch(() => {})
    },
    ...(worker && { onQueued: worker.onQueued }),
  })

const watch = (metrics: Metrics, { chores, reads, changes }: Pools, worker: Worker | null): void => {
  metrics.lags(() => readLags(chores))
  metrics.lines({ reads, changes })
  if (!worker) return
  metrics.gauge('actors_awake', 'Actors awake in this process.', () => worker.actors.awake)
  metrics.gauge('listener_connected', 'Whether notifications are being received (1) or not (0).', () =>
    Number(worker.listener.connected),
  )
}

/** Warns if RETENTION_AUDIT differs from the stored setting. The setting of the role that runs "migrate" applies. */
const keepAudit = async (sql: Database, { retention }: Config, log: Log): Promise<void> => {
  if (await keepAuditFor(sql, retention.audit)) return
  log.warn(
    {},
    'RETENTION_AUDIT differs from that of the last "migrate", which holds: run "migrate" with the same setting',
  )
}
