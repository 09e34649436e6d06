/** Dependencies of the /v1 API, and its state between requests. */

import { FailedSignIns } from '../accounts/audit/index.ts'
import type { ApiDeps } from '../api/app.ts'
import { Authenticator } from '../api/auth.ts'
import { createCallerAddress } from '../api/caller-address.ts'
import { RateLimiter } from '../api/limits/rate-limit.ts'
import type { Config } from '../config.ts'
import type { EventWriter } from '../events/index.ts'
import { RejectedRequestLog } from '../events/rejected-requests/index.ts'
import { findAlerts } from '../insights/alerts/index.ts'
import { type LiveFeedLimits, LiveFeeds } from '../insights/live-feed/index.ts'
import type { ChannelSettings } from '../messaging/channels/index.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { OidcProvider, OidcRejected } from '../platform/oidc.ts'
import { createService, type Service } from '../platform/service.ts'
import type { Tracer } from '../platform/tracing.ts'
import { PullWaiters } from '../webhooks/outbound-events/index.ts'
import type { Pools } from './pools.ts'
import { createOutageCheck } from './readiness.ts'
import { displayUrl, type HttpServer } from './server.ts'

export interface ApiService {
  deps: ApiDeps
  /** Open live feeds. */
  liveFeed: LiveFeeds
  /** Requests that wait for outbound events. */
  pullWaiters: PullWaiters
  /** Services that must write their state before the process ends. */
  services: Service[]
}

export interface ApiServiceDeps {
  config: Config
  pools: Pools
  log: Log
  /** Called for every failure of a call that is not a DomainError. */
  onFailure: (error: unknown) => void
  events: EventWriter
  metrics: Metrics
  /** Null without an exporter of traces. */
  tracer: Tracer | null
  server: HttpServer
  channelSettings: ChannelSettings
  liveFeedLimits: Partial<LiveFeedLimits>
}

export const createApiService = ({
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
}: ApiServiceDeps): ApiService => {
  const publicUrl = config.publicUrl ?? displayUrl(config.host, config.port)
  const callerAddress = createCallerAddress(config.trustedProxies)
  const authenticator = new Authenticator(pools, new URL(publicUrl).origin, config.oidc?.issuer ?? null)
  const limiter = new RateLimiter({
    sql: pools.vital,
    signInSql: pools.changing,
    limits: config.rateLimits,
    keyIds: channelSettings.keyring?.ids ?? [],
    onFailure: error => log.warn({ error }, 'rate limit counts could not be shared between processes'),
  })
  const liveFeed = new LiveFeeds({
    query: (signal, work) => pools.reads.run('streams', signal, work),
    findAlerts,
    sql: pools.vital,
    onFailure: error => log.debug({ error }, 'poll for streams failed; retrying'),
    limits: liveFeedLimits,
  })
  metrics.gauge('streams_open', 'Number of open streams in this process.', () => liveFeed.open)
  const pullWaiters = new PullWaiters({
    query: (signal, work) => pools.reads.run('pulls', signal, work),
    onFailure: error => log.debug({ error }, 'poll for waiting pulls failed; retrying'),
    keepAliveMs: config.httpKeepAlive,
  })
  const rejectedRequests = new RejectedRequestLog(pools.changing, (error, count) =>
    log.error({ error, count }, 'rejected requests could not be saved'),
  )
  const failedSignIns = new FailedSignIns(pools.changing, (error, count) =>
    log.error({ error, count }, 'failed sign-ins could not be written to the audit log'),
  )
  return {
    liveFeed,
    pullWaiters,
    deps: {
      sql: pools.changing,
      reads: pools.apiReads,
      changes: pools.changes,
      authenticator,
      limiter,
      failedSignIns,
      rejectedRequests,
      liveFeeds: liveFeed,
      pullWaiters,
      events,
      webhookSettings: {
        allowedPrivateTargets: config.webhookAllowedPrivateTargets,
        keyring: channelSettings.keyring,
      },
      channelSettings,
      callbackRate: config.rateLimits.callbacks,
      keyring: channelSettings.keyring,
      byMail: config.mail !== null,
      sso: createSso(config, log, channelSettings.publicUrl),
      invitationsPerDay: config.rateLimits.invitations,
      secure: publicUrl.startsWith('https:'),
      // Uses the actual port, because PORT can be 0 for any free port.
      publicUrl: channelSettings.publicUrl,
      addressOf: request => callerAddress(server.addressOf(request), request.headers.get('x-forwarded-for')),
      log,
      isDatabaseUnresponsive: createOutageCheck(pools.vital),
      onFailure,
      onResponse: ({ method, path, status, code, ms }) => {
        metrics.recordRequest(method, path, status, ms)
        if (code === 'rate_limited') metrics.rateLimited.count++
      },
      tracer,
      onRejected: code => metrics.recordRejectedEvent(code),
    },
    services: [
      credentialUse(authenticator, log),
      createService('rejected requests', { stop: () => rejectedRequests.idle() }),
      createService('failed sign-ins', { stop: () => failedSignIns.idle() }),
      ...(config.roles.http ? [limiter] : []),
    ],
  }
}

/** Path of the dashboard page that completes a single sign-on. It is registered at the identity provider. */
const ssoPath = '/sign-in/sso'

const createSso = ({ oidc, mail }: Config, log: Log, publicUrl: () => string): ApiDeps['sso'] =>
  oidc && {
    provider: new OidcProvider(oidc),
    roleClaim: oidc.roleClaim,
    redirectUri: () => `${publicUrl()}${ssoPath}`,
    byMail: mail !== null,
    onFailure: (error, call) => {
      const level = call === 'logout' && error instanceof OidcRejected ? 'debug' : 'warn'
      log[level]({ error }, 'single sign-on: the identity provider failed or rejected a call')
    },
  }

const useFlushMs = 30_000

/** Writes the last use of keys, sessions and access tokens every 30 seconds and at shutdown. */
const credentialUse = ({ keys, uses }: Authenticator, log: Log): Service => {
  const flush = () =>
    Promise.all([keys.flush(), uses.sessions.flush(), uses.tokens.flush()]).catch(error =>
      log.warn({ error }, 'the last use of keys, sessions and access tokens could not be written'),
    )
  let timer: ReturnType<typeof setInterval> | undefined
  return createService('credential use', {
    start: () => {
      timer = setInterval(flush, useFlushMs)
    },
    stop: async () => {
      clearInterval(timer)
      await flush()
    },
  })
}
