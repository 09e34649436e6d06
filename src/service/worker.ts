/** Assembles the worker role: actors, pollers, the listener that wakes them, and scheduled tasks. */
import { campaignActors } from '../actors/campaign.ts'
import { channelActors, handToChannel } from '../actors/channel.ts'
import { endpointActors, handToEndpoint } from '../actors/endpoint.ts'
import { HealthLedger, keepingHealth } from '../actors/health.ts'
import { ActorHost } from '../actors/host.ts'
import type { Lateness } from '../actors/lateness.ts'
import { outbox } from '../actors/outbox.ts'
import type { Pump } from '../actors/pump.ts'
import { runs } from '../actors/runs.ts'
import type { Traffic } from '../actors/traffic.ts'
import type { Config } from '../config.ts'
import { Horizon, readSight } from '../db/horizon.ts'
import { heldChannel, LeaseHolder } from '../db/lease.ts'
import { createListener, type Listener } from '../db/listen.ts'
import type { Providers } from '../domain/channels/index.ts'
import { createAttempt } from '../domain/deliveries/index.ts'
import { noteConduct, type Resolve } from '../domain/endpoints/index.ts'
import { onQueued as onQueuedIn, type QueuedFor, type Reach } from '../domain/messages/index.ts'
import { type ActsOnTold, onTold } from '../domain/telling/index.ts'
import { onWoken } from '../domain/waits/index.ts'
import type { Log } from '../platform/log.ts'
import { createMailer } from '../platform/mailer.ts'
import type { Metrics } from '../platform/metrics.ts'
import { maxOpenFiles } from '../platform/open-files.ts'
import { type Part, simplePart } from '../platform/part.ts'
import { TaskRunner } from '../tasks/index.ts'
import { lookingAfterSecrets } from '../tasks/secrets.ts'
import { youngTables } from '../tasks/young-tables.ts'
import type { Pools } from './pools.ts'

export interface Worker {
  actors: ActorHost
  runs: Pump
  /** Passes committed messages to their channel. `askedAt` is the time at which the write began. */
  onQueued: (queued: QueuedFor, askedAt: number) => void
  listener: Listener
  tasks: TaskRunner
  /** Services in start order. */
  acting: Part[]
}

export interface WorkerDeps {
  config: Config
  pools: Pick<Pools, 'vital' | 'acting' | 'changing' | 'chores' | 'sizes'>
  databaseUrl: string
  log: Log
  metrics: Metrics
  lateness: Lateness
  traffic: Traffic
  resolve: Resolve
  providers: Providers
  /** Connection settings of the providers. */
  reach: Reach
  /** Returns the base URL that people use. Known once the service listens. */
  publicUrl: () => string
}

/** Notification channel on which a process without the role `worker` reports started runs. */
export const runsChannel = 'workflow_runs'

/** Outbound requests reserved for everything except delivery attempts. */
const keptForOthers = 16

/**
 * Returns the maximum number of concurrent delivery attempts. Each needs a connection, so attempts use at most half of
 * the file limit. The rest is for clients and everything else.
 */
const attemptsAtOnce = ({ maxOutboundRequests }: Config, log: Log): number => {
  const wanted = Math.max(1, maxOutboundRequests - keptForOthers)
  const openFiles = maxOpenFiles()
  if (openFiles === null || wanted <= openFiles >> 1) return wanted
  const attempts = Math.max(1, openFiles >> 1)
  log.warn(
    { attempts, openFiles },
    'fewer attempts at once than BUN_CONFIG_MAX_HTTP_REQUESTS says: raise the limit of open files',
  )
  return attempts
}

export const createWorker = ({
  config,
  pools,
  databaseUrl,
  log,
  metrics,
  lateness,
  traffic,
  resolve,
  providers,
  reach,
  publicUrl,
}: WorkerDeps): Worker => {
  const { acting: sql, changing, vital, chores } = pools
  const { seals = null } = reach
  const attempt = createAttempt({ resolve, allowedPrivateTargets: config.webhookAllowedPrivateTargets })
  const horizon = new Horizon(() => readSight(sql))
  const health = new HealthLedger(conducts => noteConduct(sql, conducts), log)
  const endpoints = endpointActors({
    sql,
    horizon,
    attempt,
    policy: { timeoutMs: config.webhookTimeout, waits: config.webhookRetryWaits },
    maxInFlight: attemptsAtOnce(config, log),
    log,
    onLate: ms => lateness.report(ms),
    onAttempt: outcome => metrics.attempts.inc({ outcome }),
    health,
    seals,
  })
  const wake: ActorHost['wake'] = (actor, mail) => actors.wake(actor, mail)
  const actors: ActorHost = new ActorHost(
    [
      endpoints,
      channelActors({ sql, horizon, providers, reach, onLate: ms => lateness.report(ms) }),
      campaignActors({ sql, horizon, wake, restMs: () => lateness.restMs, isBusy: () => traffic.isBusy }),
    ],
    new LeaseHolder(vital, undefined, undefined, seals?.ids),
    log,
  )
  const outboxPump = outbox({ sql, horizon, wake, log })
  const runsPump = runs({ sql, horizon, wake, log })
  const acts: ActsOnTold = {
    made: (given, askedAt) => {
      for (const one of given) handToEndpoint(wake, one, askedAt)
    },
    inOutbox: () => outboxPump.wake(),
  }
  const onQueued: Worker['onQueued'] = (queued, askedAt) => handToChannel(wake, queued, askedAt)
  let stopHearing: (() => void)[] = []
  const toldHere = simplePart('told here', {
    start: () => {
      stopHearing = [
        ...[sql, changing].map(pool => onTold(pool, acts)),
        ...[sql, changing].map(pool => onWoken(pool, () => runsPump.wake())),
        onQueuedIn(changing, onQueued),
      ]
    },
    stop: () => {
      for (const stop of stopHearing) stop()
    },
  })
  const heard = (pump: Pump) => () => {
    metrics.notifications.inc()
    pump.wake()
  }
  const listener = createListener({
    url: databaseUrl,
    applicationName: 'customer-engagement listener',
    channels: {
      outbound_events: heard(outboxPump),
      [runsChannel]: heard(runsPump),
      [heldChannel]: id => actors.hear(id),
    },
    onConnect: () => {
      horizon.forget()
      outboxPump.wake()
      runsPump.wake()
    },
    log: (message, error) => log.warn({ error }, message),
  })
  const post = { mailer: config.mail && createMailer(config.mail), publicUrl, show, log }
  // A process without the role `http` does not know the load of the others, so it counts as busy.
  const isBusy = () => traffic.isBusy || !config.roles.http
  const retention = { kept: config.retention, isBusy, restMs: () => lateness.restMs }
  const tasks = new TaskRunner({
    url: databaseUrl,
    maxConnections: pools.sizes.tasks,
    sql: chores,
    wake,
    post,
    retention,
    log,
  })
  return {
    actors,
    runs: runsPump,
    onQueued,
    listener,
    tasks,
    acting: [
      keepingHealth(health),
      actors,
      outboxPump,
      runsPump,
      listener,
      toldHere,
      youngTables(chores),
      lookingAfterSecrets({ sql: chores, seals, log }),
    ],
  }
}

/** Prints a line to the terminal. Returns false if the output goes to a file or a log collector. */
const show = (line: string): boolean => {
  if (!process.stdout.isTTY) return false
  process.stdout.write(line)
  return true
}
