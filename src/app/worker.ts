/** Assembles the worker role: actors, pollers, the listener that wakes them, and scheduled tasks. */

import type { Config } from '../config.ts'
import type { Providers } from '../messaging/channels/index.ts'
import { onQueued as onQueuedIn, type ProviderSettings, type QueuedChannel } from '../messaging/messages/index.ts'
import type { Log } from '../platform/log.ts'
import { createMailer, type Mailer } from '../platform/mailer.ts'
import type { Metrics } from '../platform/metrics.ts'
import { maxOpenFiles } from '../platform/open-files.ts'
import { LeaseHolder, leaseHeldChannel } from '../platform/postgres/lease.ts'
import { Listener } from '../platform/postgres/listen.ts'
import { readTransactionSnapshot, Watermark } from '../platform/postgres/watermark.ts'
import { createService, type Service } from '../platform/service.ts'
import type { Tracer } from '../platform/tracing.ts'
import type { Backpressure } from '../queue/backpressure.ts'
import { ActorHost } from '../queue/host.ts'
import type { Load } from '../queue/load.ts'
import { type PausedWork, pausable, pausesChannel } from '../queue/pauses/index.ts'
import { onWoken } from '../queue/waits/index.ts'
import type { QueueWorker } from '../queue/worker.ts'
import { createAttempt } from '../webhooks/deliveries/index.ts'
import { type AfterCommitListener, addAfterCommitListener } from '../webhooks/emit/index.ts'
import { type Resolve, recordHealthSamples } from '../webhooks/endpoints/index.ts'
import type { Pools } from './pools.ts'
import { TaskRunner } from './tasks/index.ts'
import { newTableStatistics } from './tasks/new-tables.ts'
import { secretMaintenance } from './tasks/secrets.ts'
import { campaignActors } from './workers/campaign.ts'
import { channelActors, dispatchToChannel } from './workers/channel.ts'
import { dispatchToEndpoint, endpointActors } from './workers/endpoint.ts'
import { HealthRecorder, healthFlusher } from './workers/health.ts'
import { outbox } from './workers/outbox.ts'
import { runs } from './workers/runs.ts'

export interface Worker {
  actors: ActorHost
  runs: QueueWorker
  /** Passes committed messages to their channel. `writeStartedAt` is the time at which the write began. */
  onQueued: (queued: QueuedChannel, writeStartedAt: number) => void
  listener: Listener
  tasks: TaskRunner
  /** Services in start order. */
  services: Service[]
}

export interface WorkerDeps {
  config: Config
  pools: Pick<Pools, 'vital' | 'acting' | 'changing' | 'chores' | 'sizes'>
  databaseUrl: string
  log: Log
  metrics: Metrics
  backpressure: Backpressure
  load: Load
  resolve: Resolve
  providers: Providers
  /** Connection settings of the providers. */
  providerSettings: ProviderSettings
  /** Returns the base URL that people use. Known once the service listens. */
  publicUrl: () => string
  /** Returns the work that is paused. */
  paused: () => PausedWork
  /** Called when another process has changed the pauses. */
  onPausesChanged: () => void
  /** Null without an exporter of traces. */
  tracer: Tracer | null
}

/** Notification channel on which a process without the role `worker` reports started runs. */
export const runsChannel = 'workflow_runs'

/** Outbound requests reserved for everything except delivery attempts. */
const reservedRequests = 16

/**
 * Returns the maximum number of concurrent delivery attempts. Each needs a connection, so attempts use at most half of
 * the file limit. The rest is for clients and everything else.
 */
const maxConcurrentAttempts = ({ maxOutboundRequests }: Config, log: Log): number => {
  const wanted = Math.max(1, maxOutboundRequests - reservedRequests)
  const openFiles = maxOpenFiles()
  if (openFiles === null || wanted <= openFiles >> 1) return wanted
  const attempts = Math.max(1, openFiles >> 1)
  log.warn(
    { attempts, openFiles },
    'fewer concurrent attempts than BUN_CONFIG_MAX_HTTP_REQUESTS allows: raise the limit of open files',
  )
  return attempts
}

export const createWorker = ({
  config,
  pools,
  databaseUrl,
  log,
  metrics,
  backpressure,
  load,
  resolve,
  providers,
  providerSettings,
  publicUrl,
  paused,
  onPausesChanged,
  tracer,
}: WorkerDeps): Worker => {
  const { acting: sql, changing, vital, chores } = pools
  const { keyring = null } = providerSettings
  const attempt = createAttempt({ resolve, allowedPrivateTargets: config.webhookAllowedPrivateTargets })
  const watermark = new Watermark(() => readTransactionSnapshot(sql))
  const health = new HealthRecorder(samples => recordHealthSamples(sql, samples), log)
  const endpoints = endpointActors({
    sql,
    watermark,
    attempt,
    policy: { timeoutMs: config.webhookTimeout, retryDelaysMs: config.webhookRetryWaits },
    maxInFlight: maxConcurrentAttempts(config, log),
    log,
    onLate: ms => backpressure.report(ms),
    onAttempt: (attempt, sinceEventMs) => {
      metrics.recordAttempt(attempt)
      if (sinceEventMs !== null) metrics.firstAttemptDelay.observe(sinceEventMs / 1000)
    },
    health,
    keyring,
    tracer,
  })
  const wake: ActorHost['wake'] = (actor, batch) => actors.wake(actor, batch)
  const channels = channelActors({
    sql,
    watermark,
    providers,
    providerSettings,
    onLate: ms => backpressure.report(ms),
    log,
    tracer,
    onHandover: ms => metrics.messageHandover.observe(ms / 1000),
  })
  const leases = new LeaseHolder(vital, undefined, undefined, keyring?.ids)
  const campaigns = campaignActors({
    sql,
    watermark,
    wake,
    backpressureMs: () => backpressure.maxDelayMs,
    isBusy: () => load.isBusy,
    onSettled: count => {
      leases.counts.settledRecipients += count
    },
  })
  const actors: ActorHost = new ActorHost(
    [
      pausable(endpoints, 'deliveries', paused),
      pausable(channels, 'messages', paused),
      pausable(campaigns, 'campaigns', paused),
    ],
    leases,
    log,
  )
  const outboxWorker = outbox({ sql, watermark, wake, log })
  const runsWorker = runs({
    sql,
    watermark,
    wake,
    log,
    paused,
    tracer,
    onLate: ms => metrics.runLateness.observe(ms / 1000),
  })
  const afterCommit: AfterCommitListener = {
    onDeliveriesCreated: (endpointJobs, writeStartedAt) => {
      for (const batch of endpointJobs) dispatchToEndpoint(wake, batch, writeStartedAt)
    },
    onOutboxWritten: () => outboxWorker.wake(),
  }
  const onQueued: Worker['onQueued'] = (queued, writeStartedAt) => dispatchToChannel(wake, queued, writeStartedAt)
  let unsubscribers: (() => void)[] = []
  const localWakeUps = createService('local wake-ups', {
    start: () => {
      unsubscribers = [
        ...[sql, changing].map(pool => addAfterCommitListener(pool, afterCommit)),
        ...[sql, changing].map(pool => onWoken(pool, () => runsWorker.wake())),
        onQueuedIn(changing, onQueued),
      ]
    },
    stop: () => {
      for (const stop of unsubscribers) stop()
    },
  })
  const onNotification = (worker: QueueWorker) => () => {
    metrics.notifications.count++
    worker.wake()
  }
  const listener = new Listener({
    url: databaseUrl,
    applicationName: 'customer-engagement listener',
    channels: {
      outbound_events: onNotification(outboxWorker),
      [runsChannel]: onNotification(runsWorker),
      [leaseHeldChannel]: id => actors.onLeaseHeld(id),
      [pausesChannel]: () => {
        // A workspace that was moved here has rows that were due earlier.
        watermark.reset()
        onPausesChanged()
      },
    },
    onConnect: () => {
      watermark.reset()
      outboxWorker.wake()
      runsWorker.wake()
    },
    log: (message, error) => log.warn({ error }, message),
  })
  const mailer = config.mail && counted(createMailer(config.mail), () => leases.counts.mailAttempts++)
  const mailDeps = { mailer, publicUrl, print: show, log }
  // A process without the role `http` does not know the load of the others, so it counts as busy.
  const isBusy = () => load.isBusy || !config.roles.http
  const retention = { periods: config.retention, isBusy, backpressureMs: () => backpressure.maxDelayMs }
  const tasks = new TaskRunner({
    url: databaseUrl,
    processId: leases.id,
    maxConnections: pools.sizes.tasks,
    sql: chores,
    wake,
    onDropped: count => metrics.recordDropped(count),
    mailDeps,
    retention,
    log,
  })
  return {
    actors,
    runs: runsWorker,
    onQueued,
    listener,
    tasks,
    services: [
      healthFlusher(health),
      actors,
      outboxWorker,
      runsWorker,
      listener,
      localWakeUps,
      newTableStatistics(chores, log),
      secretMaintenance({ sql: chores, keyring, log }),
    ],
  }
}

/** Returns a mailer that calls `onAttempt` after each attempt. */
const counted =
  (mailer: Mailer, onAttempt: () => void): Mailer =>
  async mail => {
    const result = await mailer(mail)
    onAttempt()
    return result
  }

/** Prints a line to the terminal. Returns false if the output goes to a file or a log collector. */
const show = (line: string): boolean => {
  if (!process.stdout.isTTY) return false
  process.stdout.write(line)
  return true
}
