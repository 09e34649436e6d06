/**
 * From the outbox to deliveries, where whoever told of something did not make them at once: woken by NOTIFY, by whoever
 * tells in this process, by every (re)connect of the listener, and by its own poll.
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
/** After a turn that found so many, the next one waits a little for more: fewer statements, where there is much to do. */
const many = 8
const gatherMs = 4

export interface OutboxDeps {
  sql: Database
  horizon: Horizon
  wake: ActorHost['wake']
  log: Log
}

/** The pump of the outbox; it wakes every endpoint that it gave deliveries, and hands it those it made. */
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
      // What a page had room for was the whole outbox, and who tells of more wakes the pump again.
      return events < eventsPerTurn && !more ? 0 : events
    },
  })
}
