/** `openapi`: prints the published document, the same as /openapi.json. */
import { connect, type Database } from '../db/client.ts'
import { FailedSignIns } from '../domain/audit/index.ts'
import { providers } from '../domain/channels/index.ts'
import { EventWriter } from '../domain/events/index.ts'
import { RefusalLog } from '../domain/refusals/index.ts'
import { Streams } from '../domain/stream/index.ts'
import { operationsOf } from '../http/app.ts'
import { Authenticator } from '../http/auth.ts'
import { publishedDocument } from '../http/openapi.ts'
import { RateLimiter } from '../http/rate-limit.ts'

export const openapi = async (): Promise<number> => {
  process.stdout.write(`${JSON.stringify(await publishedDocument(describedOperations()), null, 2)}\n`)
  return 0
}

/** Creates a client that connects only when it is used. */
const idle = () => connect({ url: 'postgres://nobody@localhost/nothing', applicationName: 'none' })

/** Returns the operations with inactive dependencies, for describing them without running them. */
export const describedOperations = (sql: Database = idle()) =>
  operationsOf({
    sql,
    authenticator: new Authenticator({ recording: sql, chores: sql }, ''),
    reads: { lend: (_, work) => work(sql), waiting: 0, lent: 0 },
    limiter: new RateLimiter({
      sql,
      signInSql: sql,
      limits: { key: null, person: null, signInTries: null },
      onFailure: () => {},
    }),
    failedSignIns: new FailedSignIns(sql, () => {}),
    refusals: new RefusalLog(sql, () => {}),
    streams: new Streams({
      look: (_, work) => work(sql),
      findNeeds: () => Promise.resolve([]),
      sql,
      onFailure: () => {},
    }),
    events: new EventWriter({ sql, onBatch: () => {}, onRunsStarted: () => {} }),
    webhookSettings: { allowedPrivateTargets: new Set(), seals: null },
    channelSettings: {
      providers,
      seals: null,
      publicUrl: () => '',
      hasPublicUrl: false,
      providerUrls: { WHATSAPP_API_URL: '', TWILIO_API_URL: '' },
    },
    callbackRate: null,
    seals: null,
    byMail: false,
    invitationsPerDay: null,
    secure: true,
    publicUrl: () => '',
  })
