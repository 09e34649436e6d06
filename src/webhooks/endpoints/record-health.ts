import { clock } from '../../platform/clock.ts'
import { type Database, transaction } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { type EndpointHealthSample, upsertHealthSamples } from './health-sql.ts'

/**
 * Stores health samples of endpoints. In the same transaction it enqueues a mail to the owners of each endpoint that is
 * held because of them, or has failed for minutes. Returns the held endpoints.
 */
export const recordHealthSamples = (sql: Database, samples: EndpointHealthSample[]) =>
  transaction(sql, async tx => {
    const endpoints = await upsertHealthSamples(tx, samples)
    const since = new Date(clock.now()).toISOString()
    for (const { workspaceId, webhookId: id, isHeld } of endpoints) {
      const of = isHeld ? 'endpoint held' : 'endpoint failing'
      await enqueueMail(tx, { kind: 'notice', of, workspaceId, id, since, to: null })
    }
    return endpoints.filter(({ isHeld }) => isHeld)
  })
