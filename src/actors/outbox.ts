/** From outbound events to deliveries: woken by NOTIFY, by every (re)connect of the listener, and by its own poll. */
import type { Database } from '../db/client.ts'
import type { ActorId } from '../db/lease.ts'
import { fanOut } from '../domain/deliveries/index.ts'
import type { Log } from '../platform/log.ts'
import { endpointKind } from './endpoint.ts'
import { Pump } from './pump.ts'

const eventsPerTurn = 500

/** The pump of the outbox; it wakes every endpoint that it gave deliveries. */
export const outbox = (deps: { sql: Database; wake: (actor: ActorId) => void; log: Log }): Pump =>
  new Pump({
    name: 'outbox',
    log: deps.log,
    turn: async () => {
      const { events, webhooks } = await fanOut(deps.sql, eventsPerTurn)
      for (const { workspaceId, webhookId } of webhooks) deps.wake({ kind: endpointKind, workspaceId, id: webhookId })
      return events
    },
  })
