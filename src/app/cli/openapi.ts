/** `openapi`: prints the published document, the same as /openapi.json. */

import { FailedSignIns } from '../../accounts/audit/index.ts'
import { operationsOf } from '../../api/app.ts'
import { Authenticator } from '../../api/auth.ts'
import { publishedDocument } from '../../api/document/openapi.ts'
import { RateLimiter } from '../../api/limits/rate-limit.ts'
import { EventWriter } from '../../events/index.ts'
import { RejectedRequestLog } from '../../events/rejected-requests/index.ts'
import { LiveFeeds } from '../../insights/live-feed/index.ts'
import { providers } from '../../messaging/channels/index.ts'
import { connect, type Database } from '../../platform/postgres/client.ts'
import { PullWaiters } from '../../webhooks/outbound-events/index.ts'

export const openapi = async (): Promise<number> => {
  process.stdout.write(`${JSON.stringify(await publishedDocument(describeOperations()), null, 2)}\n`)
  return 0
}

/** Creates a client that connects only when it is used. */
const createIdleClient = () => connect({ url: 'postgres://nobody@localhost/nothing', applicationName: 'none' })

/** Returns the operations with inactive dependencies, for describing them without running them. */
export const describeOperations = (sql: Database = createIdleClient()) =>
  operationsOf({
    sql,
    authenticator: new Authenticator({ recording: sql, chores: sql }, ''),
    reads: { run: (_key, _signal, work) => work(sql), waiting: 0, held: 0 },
    changes: { run: (_key, _signal, work) => work(sql), waiting: 0, held: 0 },
    limiter: new RateLimiter({
      sql,
      signInSql: sql,
      limits: { key: null, person: null, signInAttempts: null },
      onFailure: () => {},
    }),
    failedSignIns: new FailedSignIns(sql, () => {}),
    rejectedRequests: new RejectedRequestLog(sql, () => {}),
    liveFeeds: new LiveFeeds({
      query: (_, work) => work(sql),
      findAlerts: () => Promise.resolve([]),
      sql,
      onFailure: () => {},
    }),
    pullWaiters: new PullWaiters({ query: (_, work) => work(sql), onFailure: () => {}, keepAliveMs: 0 }),
    events: new EventWriter({ sql, onBatch: () => {}, onRunsStarted: () => {} }),
    webhookSettings: { allowedPrivateTargets: new Set(), keyring: null },
    channelSettings: {
      providers,
      keyring: null,
      publicUrl: () => '',
      hasPublicUrl: false,
      providerUrls: {},
    },
    callbackRate: null,
    keyring: null,
    sso: null,
    byMail: false,
    invitationsPerDay: null,
    secure: true,
    publicUrl: () => '',
  })
