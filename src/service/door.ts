/** Dependencies of the /v1 API, and its state between requests. */
import type { Config } from '../config.ts'
import { findAttention } from '../domain/attention/index.ts'
import { FailedSignIns } from '../domain/audit/index.ts'
import type { ChannelSettings } from '../domain/channels/index.ts'
import type { EventWriter } from '../domain/events/index.ts'
import { RefusalLog } from '../domain/refusals/index.ts'
import { type StreamLimits, Streams } from '../domain/stream/index.ts'
import { callerAddressBehind } from '../http/address.ts'
import type { ApiDeps } from '../http/app.ts'
import { Authenticator } from '../http/auth.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type Part, simplePart } from '../platform/part.ts'
import type { Pools } from './pools.ts'
import { createSilence } from './readiness.ts'
import { addressShown, type HttpServer } from './server.ts'

export interface Door {
  deps: ApiDeps
  /** Open live feeds. */
  streams: Streams
  /** Services that must write their state before the process ends. */
  parts: Part[]
}

export interface DoorDeps {
  config: Config
  pools: Pools
  log: Log
  /** Called for every failure of a call that is not a DomainError. */
  onFailure: (error: unknown) => void
  events: EventWriter
  metrics: Metrics
  server: HttpServer
  channelSettings: ChannelSettings
  streamLimits: Partial<StreamLimits>
}

export const createDoor = ({
  config,
  pools,
  log,
  onFailure,
  events,
  metrics,
  server,
  channelSettings,
  streamLimits,
}: DoorDeps): Door => {
  const publicUrl = config.publicUrl ?? addressShown(config.host, config.port)
  const callerAddress = callerAddressBehind(config.trustedProxies)
  const authenticator = new Authenticator(pools, new URL(publicUrl).origin)
  const limiter = new RateLimiter({
    sql: pools.vital,
    signInSql: pools.changing,
    limits: config.rateLimits,
    opens: channelSettings.seals?.ids ?? [],
    onFailure: error => log.warn({ error }, 'processes cannot tell each other of the calls they admitted'),
  })
  const streams = new Streams({
    look: (signal, work) => pools.reads.lend({ who: 'streams', signal }, work),
    findNeeds: findAttention,
    sql: pools.vital,
    onFailure: error => log.debug({ error }, 'a look for streams failed'),
    limits: streamLimits,
  })
  metrics.gauge('streams_open', 'Streams that are open in this process.', () => streams.open)
  const refusals = new RefusalLog(pools.changing, (error, count) =>
    log.error({ error, count }, 'refusals could not be kept for Not accepted'),
  )
  const failedSignIns = new FailedSignIns(pools.changing, (error, count) =>
    log.error({ error, count }, 'failed sign-ins could not be written to the audit log'),
  )
  return {
    streams,
    deps: {
      sql: pools.changing,
      reads: pools.reads,
      changes: pools.changes,
      authenticator,
      limiter,
      failedSignIns,
      refusals,
      streams,
      events,
      webhookSettings: {
        allowedPrivateTargets: config.webhookAllowedPrivateTargets,
        seals: channelSettings.seals,
      },
      channelSettings,
      callbackRate: config.rateLimits.callbacks,
      seals: channelSettings.seals,
      byMail: config.mail !== null,
      invitationsPerDay: config.rateLimits.invitations,
      secure: publicUrl.startsWith('https:'),
      // Uses the actual port, because PORT can be 0 for any free port.
      publicUrl: () => config.publicUrl ?? server.url,
      addressOf: request => callerAddress(server.addressOf(request), request.headers.get('x-forwarded-for')),
      log,
      isDatabaseSilent: createSilence(pools.vital),
      onFailure,
      onAnswer: (method, path, status) => metrics.requests.inc({ method, path: path ?? 'none', status }),
    },
    parts: [
      credentialUse(authenticator, log),
      simplePart('refusals', { stop: () => refusals.idle() }),
      simplePart('failed sign-ins', { stop: () => failedSignIns.idle() }),
      ...(config.roles.http ? [limiter] : []),
    ],
  }
}

const useFlushMs = 30_000

/** Writes the last use of keys and sessions every 30 seconds and at shutdown. */
const credentialUse = ({ keys, sessions }: Authenticator, log: Log): Part => {
  const flush = () =>
    Promise.all([keys.flush(), sessions.flush()]).catch(error =>
      log.warn({ error }, 'the last use of keys and sessions could not be written'),
    )
  let timer: ReturnType<typeof setInterval> | undefined
  return simplePart('use of credentials', {
    start: () => {
      timer = setInterval(flush, useFlushMs)
    },
    stop: async () => {
      clearInterval(timer)
      await flush()
    },
  })
}
