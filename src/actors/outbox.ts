/**
 * Worker that turns outbox events into deliveries, unless the emitting code already did.
 *
 * It is woken by NOTIFY, by code of this process that emits, by every (re)connect of the listener, and by its own poll.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/client.ts'
import type { Horizon } from '../db/horizon.ts'
import { fanOut } from '../domain/deliveries/index.ts'
import { Floors } from '../domain/mailbox.ts'
import type { Log } from '../platform/log.ts'
import { handToEndpoint } from './endpoint.ts'
import type { ActorHost } from './host.ts'
import { Pump } from './pump.ts'

const eventsPerTurn = 500
/**
 * After a run with at least this many events, the worker waits `gatherMs` for more. A busy outbox then needs fewer
 * statements.
 */
const many = 8
const gatherMs = 4

export interface OutboxDeps {
  sql: Database
  horizon: Horizon
  wake: ActorHost['wake']
  log: Log
}

/** Creates the worker of the outbox. It wakes every endpoint with new deliveries and hands the deliveries over. */
export const outbox = ({ sql, horizon, wake, log }: OutboxDeps): Pump => {
  const floors = new Floors(horizon)
  return new Pump({
    name: 'outbox',
    log,
    turn: async () => {
      const askedAt = performance.now()
      const look = floors.look('outbox')
      const { events, more, given, firstMs } = await fanOut(sql, eventsPerTurn, look.from)
      look.found(firstMs)
      for (const one of given) handToEndpoint(wake, one, askedAt)
      if (events >= many && events < eventsPerTurn) await sleep(gatherMs)
      // A page that is not full was the whole outbox. New events wake the worker again.
      return events < eventsPerTurn && !more ? 0 : events
    },
  })
}
