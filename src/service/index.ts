/** The whole service, put together from its rooms. `start`, the demo and the tests all run this. */
import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ActorHost } from '../actors/actor.ts'
import { channelActors } from '../actors/channel.ts'
import { endpointActors } from '../actors/endpoint.ts'
import { outbox } from '../actors/outbox.ts'
import type { Pump } from '../actors/pump.ts'
import { runs } from '../actors/runs.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { LeaseHolder } from '../db/lease.ts'
import { createListener, type Listener } from '../db/listen.ts'
import { providers as allProviders, type Providers } from '../domain/channels/index.ts'
import { createAttempt } from '../domain/deliveries/index.ts'
import { createResolver, type Resolve } from '../domain/endpoints/index.ts'
import { EventWriter } from '../domain/events/index.ts'
import { readLags } from '../domain/lag.ts'
import { RefusalLog } from '../domain/refusals/index.ts'
import { createApp } from '../http/app.ts'
import { Authenticator } from '../http/auth.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import type { Log } from '../platform/log.ts'
import { Metrics } from '../platform/metrics.ts'
import { type Server, serve } from '../platform/runtime.ts'
import { TaskRunner } from '../tasks/index.ts'
import { StartError } from './database.ts'
import { createReadiness } from './readiness.ts'

export interface RunningService {
  /** Where it listens. */
  port: number
  /** Address shown to people. */
  url: string
  /** Finishes what is under way, at most `graceMs`, and gives everything back. The database stays open. */
  stop(graceMs?: number): Promise<void>
}

export interface ServiceDeps {
  config: Config
  sql: Database
  databaseUrl: string
  log: Log
  /** Finds the addresses of endpoints; in tests, names that nobody owns. */
  resolve?: Resolve
  /** What messages are handed to; in tests, providers that do as the test wants. */
  providers?: Providers
}

const defaultGraceMs = 15_000
/** Beyond the grace: to record what it cut short and to give the leases back, if the database answers at all. */
const lastWordsMs = 2000
const runsChannel = 'workflow_runs'

/** Starts every part that the roles ask for; when it returns, all of them work. */
export const startService = async ({
  config,
  sql,
  databaseUrl,
  log,
  resolve = createResolver(),
  providers = allProviders,
}: ServiceDeps): Promise<RunningService> => {
  const metrics = new Metrics()
  const worker = config.roles.worker ? createWorker(config, sql, databaseUrl, log, metrics, resolve, providers) : null
  const events = createEventWriter(sql, metrics, worker?.runs ?? null)
  const http = createHttp(config, sql, log, events, metrics)
  let stopping = false
  const readiness = createReadiness({ sql, stopping: () => stopping, worker })
  metrics.lags(() => readLags(sql))
  if (worker) {
    metrics.gauge('actors_awake', 'Actors awake in this process.', () => worker.actors.awake)
    metrics.gauge('listener_connected', 'Whether notifications are being received (1) or not (0).', () =>
      Number(worker.listener.connected),
    )
  }
  const page = { readiness, metrics: () => metrics.text() }
  const fetch = await createApp(page, { ...http.deps, addressOf: http.addressOf }, config.roles.http)

  const stopHttp = async (server: Server | null, deadline: AbortSignal) => {
    if (server) await stopServing(server, deadline)
    await events.idle()
    await http.stop()
  }
  // Beside each other: a caller that dawdles must not take from the attempts in flight what time they have to finish.
  const stopParts = (server: Server | null, deadline: AbortSignal) =>
    Promise.all([stopHttp(server, deadline), worker?.stop(deadline)])
  let server: Server
  try {
    await worker?.start()
    if (config.roles.http) await http.deps.limiter.start()
    server = await listen(config, fetch)
  } catch (error) {
    await stopParts(null, AbortSignal.abort())
    throw error
  }
  http.server = server
  return {
    port: server.port,
    url: config.publicUrl ?? `http://${displayHost(config.host)}:${server.port}`,
    stop: async (graceMs = defaultGraceMs) => {
      if (stopping) return
      stopping = true
      const stopped = stopParts(server, AbortSignal.timeout(graceMs)).then(() => true)
      const inTime = await Promise.race([stopped, sleep(graceMs + lastWordsMs, false, { ref: false })])
      if (!inTime) log.warn({}, 'the database does not answer; what is under way is left to the next process')
    },
  }
}

/** How long a request that was sent before the end began may lie unread in its socket. */
const unreadMs = 50
const pendingPollMs = 10

/**
 * Answers every request that was sent before, and stops listening. Waits for requests, not for connections: one that is
 * idle or never sends its request whole is simply closed.
 */
const stopServing = async (server: Server, deadline: AbortSignal): Promise<void> => {
  await sleep(unreadMs)
  void server.stop()
  while (server.pending > 0 && !deadline.aborted) await sleep(pendingPollMs)
  await server.stop(true)
}

/** Everything that acts: the pumps, the actors, the tasks, and the listener that wakes them. */
const createWorker = (
  config: Config,
  sql: Database,
  databaseUrl: string,
  log: Log,
  metrics: Metrics,
  resolve: Resolve,
  providers: Providers,
) => {
  const lease = new LeaseHolder(sql)
  const attempt = createAttempt({
    resolve,
    allowedPrivateTargets: config.webhookAllowedPrivateTargets,
  })
  const policy = { timeoutMs: config.webhookTimeout, waits: config.webhookRetryWaits }
  const maxInFlight = Math.max(1, config.maxOutboundRequests - 16)
  const onAttempt = (outcome: string) => metrics.attempts.inc({ outcome })
  const actors = new ActorHost(
    [endpointActors({ sql, attempt, policy, maxInFlight, log, onAttempt }), channelActors({ sql, providers })],
    lease,
    log,
  )
  const wake: ActorHost['wake'] = actor => actors.wake(actor)
  const outboxPump = outbox({ sql, wake, log })
  const runsPump = runs({ sql, wake, log })
  const tasks = new TaskRunner({ url: databaseUrl, sql, wake, log })
  const heard = (pump: Pump) => () => {
    metrics.notifications.inc()
    pump.wake()
  }
  const listener: Listener = createListener({
    url: databaseUrl,
    applicationName: 'customer-engagement listener',
    channels: { outbound_events: heard(outboxPump), [runsChannel]: heard(runsPump) },
    onConnect: () => {
      outboxPump.wake()
      runsPump.wake()
    },
    log: (message, error) => log.warn({ error }, message),
  })
  return {
    actors,
    tasks,
    listener,
    runs: runsPump,
    start: async () => {
      await actors.start()
      await outboxPump.start()
      await runsPump.start()
      await listener.start()
      await tasks.start()
    },
    stop: async (deadline: AbortSignal) => {
      const tasksStopped = tasks.stop()
      await listener.stop()
      await Promise.all([outboxPump.stop(), runsPump.stop()])
      await actors.stop(deadline)
      await tasksStopped
    },
  }
}

/** All requests that wait go in one batch. Started runs wake the pump here, or that of another process by one NOTIFY. */
const createEventWriter = (sql: Database, metrics: Metrics, runsPump: Pump | null): EventWriter =>
  new EventWriter({
    sql,
    onBatch: size => metrics.ingestBatch.observe(size),
    onRunsStarted: () => {
      if (runsPump) runsPump.wake()
      else void sql.notify(runsChannel, '').catch(() => {})
    },
  })

const keyUseFlushMs = 30_000

/** The /v1 door with what it remembers between requests. */
const createHttp = (config: Config, sql: Database, log: Log, events: EventWriter, metrics: Metrics) => {
  const publicUrl = config.publicUrl ?? `http://${displayHost(config.host)}:${config.port}`
  const authenticator = new Authenticator(sql, new URL(publicUrl).origin)
  const flushKeyUse = () =>
    authenticator.keys.flush().catch(error => log.warn({ error }, 'the last use of keys could not be written'))
  const timer = setInterval(flushKeyUse, keyUseFlushMs)
  const http = {
    server: null as Server | null,
    addressOf: (request: Request) => http.server?.addressOf(request) ?? 'unknown',
    deps: {
      sql,
      authenticator,
      limiter: new RateLimiter({
        sql,
        limits: config.rateLimits,
        onFailure: error => log.warn({ error }, 'processes cannot tell each other of the calls they admitted'),
      }),
      refusals: new RefusalLog(sql, (error, count) =>
        log.error({ error, count }, 'refusals could not be kept for Not accepted'),
      ),
      events,
      rules: { allowedPrivateTargets: config.webhookAllowedPrivateTargets },
      secure: publicUrl.startsWith('https:'),
      // With the port that was had: PORT may have asked for any.
      publicUrl: (): string =>
        config.publicUrl ?? `http://${displayHost(config.host)}:${http.server?.port ?? config.port}`,
      log,
      onAnswer: (method: string, path: string | null, status: number) =>
        metrics.requests.inc({ method, path: path ?? 'none', status }),
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all([flushKeyUse(), http.deps.refusals.idle(), http.deps.limiter.stop()])
    },
  }
  return http
}

const listen = async ({ host, port }: Config, fetch: (request: Request) => Promise<Response>): Promise<Server> => {
  // What listening itself says of a name that leads nowhere differs from time to time, and names nothing.
  await lookup(host).catch(error => {
    throw new StartError(`HOST must be a name or an address of this machine; "${host}" leads nowhere.`, {
      cause: error,
    })
  })
  try {
    return serve({ host, port, fetch })
  } catch (error) {
    throw new StartError(`Cannot listen on ${host}:${port} (HOST, PORT): ${reasonOf(error)}.`, { cause: error })
  }
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return 'another program uses this port; stop it or set PORT to a free one'
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL') return 'this machine has no such address; set HOST to one it has'
  if (code === 'EACCES') return 'this user may not use this port'
  return error instanceof Error ? error.message : String(error)
}

const displayHost = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
