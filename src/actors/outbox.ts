/**
 * From outbound events to deliveries: woken by whoever tells in this process, by NOTIFY for what others tell, by every
 * (re)connect of the listener, and by its own poll.
 */
import type { Database } from '../db/client.ts'
import { fanOut } from '../domain/deliveries/index.ts'
import type { Log } from '../platform/log.ts'
import type { ActorHost } from './actor.ts'
import { endpointKind } from './endpoint.ts'
import { Pump } from './pump.ts'

const eventsPerTurn = 500

export interface OutboxDeps {
  sql: Database
  wake: ActorHost['wake']
  log: Log
}

/** The pump of the outbox; it wakes every endpoint that it gave deliveries, and hands it those it made. */
export const outbox = ({ sql, wake, log }: OutboxDeps): Pump =>
  new Pump({
    name: 'outbox',
    log,
    turn: async () => {
      const askedAt = performance.now()
      const { events, webhooks } = await fanOut(sql, eventsPerTurn)
      for (const { workspaceId, webhookId, letters } of webhooks)
        wake({ kind: endpointKind, workspaceId, id: webhookId }, { letters, askedAt })
      // What a page had room for was the whole outbox, and who tells of more wakes the pump again.
      return events < eventsPerTurn ? 0 : events
    },
  })
