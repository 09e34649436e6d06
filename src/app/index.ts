/** Assembles the complete service. `start`, the demo and the tests all run it. */
import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../../package.json' with { type: 'json' }
import { createApp } from '../api/app.ts'
import { metricsApp, metricsPage, metricsPath } from '../api/metrics.ts'
import { recordPage } from '../api/pages/record.ts'
import { createLimits } from '../api/pipeline.ts'
import { type Config, hasCells, mainCell } from '../config.ts'
import type { LiveFeedLimits } from '../insights/live-feed/index.ts'
import { providers as allProviders, type Providers } from '../messaging/channels/index.ts'
import { clockComparison } from '../platform/clock.ts'
import type { Keyring } from '../platform/encryption.ts'
import type { Log } from '../platform/log.ts'
import { mergeMetrics } from '../platform/metrics.ts'
import { expectMoves } from '../platform/postgres/client.ts'
import { readDatabaseTime } from '../platform/postgres/time.ts'
import { createService, inParallel, inSequence, type Service } from '../platform/service.ts'
import { createResolver, type Resolve } from '../webhooks/endpoints/index.ts'
import { createCell, defaultGraceMs, type SharedDeps } from './cells/cell.ts'
import { findCitusCells } from './cells/citus.ts'
import { workspacesCheck } from './cells/compare-workspaces.ts'
import { FurtherCell } from './cells/further-cell.ts'
import { FurtherCells } from './cells/further-cells.ts'
import { LinkedCells } from './cells/link.ts'
import { createRoute } from './cells/route.ts'
import { servedDashboard } from './dashboard.ts'
import { createKeyring } from './encryption.ts'
import { createPools, type Pools } from './pools.ts'
import { readinessOf } from './readiness.ts'
import { HttpServer } from './server.ts'

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
  const server: HttpServer = new HttpServer(config, request => app(request))
  const shared: SharedDeps = {
    config,
    resolve,
    providers,
    keyring,
    // The libraries are loaded only if an endpoint is configured, because that takes a part of a second.
    tracer: config.tracing
      ? (await import('../platform/open-telemetry.ts')).createTracer(config.tracing, manifest.version, log)
      : null,
    server,
    stopping,
    limits: createLimits(),
    liveFeedLimits,
  }
  const hasSeveral = hasCells(config)
  const main = createCell({ ...shared, name: hasSeveral ? mainCell : null, databaseUrl, pools, log, request })
  expectMoves(config.citus)
  const linked = new LinkedCells()
  linked.locator.onSeveralCells = error => log.error({ error }, 'calls of a workspace are rejected')
  if (hasSeveral) linked.add(mainCell, pools, main.isHeld)
  const others = new FurtherCells({
    create: (cell, callbacks) => new FurtherCell(cell, shared, log, request, pools.vital, callbacks),
    linked,
    cells: config.cells,
    find: config.citus ? connections => findCitusCells([pools.vital, ...connections], databaseUrl) : null,
    log,
  })
  const allCells = () => [{ ...main, name: mainCell }, ...others.all]
  const page = metricsPage({
    metrics: () => mergeMetrics(allCells().map(({ metrics }) => metrics)),
    token: config.metrics.token,
  })
  const metricsServer = createMetricsServer(config, recordPage(metricsPath, page, main.api))
  const app = await createApp(
    {
      readiness: readinessOf(allCells),
      cells: () => Promise.all(allCells().map(async ({ name, readiness }) => ({ cell: name, ...(await readiness()) }))),
      metrics: metricsServer ? null : page,
    },
    main.api,
    config.roles.http,
    config.roles.http ? servedDashboard : null,
    hasSeveral ? createRoute({ locator: linked.locator, main, others }) : null,
  )

  // Stopped in parallel, so that a slow client does not use up the time that deliveries in progress have to finish.
  const runningServices = inParallel('running services', [
    ...main.acting,
    ...(hasSeveral ? [others] : []),
    workspacesCheck({
      directory: pools.recording,
      cells: () => allCells().map(cell => ({ name: cell.name, sql: cell.pools.recording })),
      log,
    }),
    inSequence('requests', [...main.requests, server]),
    ...(metricsServer ? [metricsServer] : []),
  ])
  const service = inSequence('service', [
    // Ends last, with the spans of the others.
    createService('traces', { stop: () => shared.tracer?.stop() }),
    pools.service,
    clockComparison(() => readDatabaseTime(pools.vital), log),
    ...main.base,
    runningServices,
  ])
  return { service, server, metricsServer }
}

const createMetricsServer = (
  { host, httpKeepAlive, metrics: { port } }: Config,
  page: (request: Request) => Promise<Response>,
): HttpServer | null =>
  port === null ? null : new HttpServer({ host, port, httpKeepAlive }, metricsApp(page), 'METRICS_PORT')
