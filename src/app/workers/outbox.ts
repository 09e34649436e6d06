/**
 * Worker that turns outbox events into deliveries, unless the emitting code already did.
 *
 * It is woken by NOTIFY, by code of this process that emits, by every (re)connect of the listener, and by its own poll.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../../platform/postgres/client.ts'
import type { Watermark } from '../../platform/postgres/watermark.ts'
import type { ActorHost } from '../../queue/host.ts'
import { QueueWatermarks } from '../../queue/queue.ts'
import { QueueWorker } from '../../queue/worker.ts'
import { fanOut } from '../../webhooks/deliveries/index.ts'
import { dispatchToEndpoint } from './endpoint.ts'

const eventsPerRun = 500
/**
 * Number of events in a run after which the worker waits `pauseMs` for more. A busy outbox then needs fewer statements.
 */
const busyEvents = 8
const pauseMs = 4

export interface OutboxDeps {
  sql: Database
  watermark: Watermark
  wake: ActorHost['wake']
  log: Log
}

/** Creates the worker of the outbox. It wakes every endpoint with new deliveries and hands the deliveries over. */
export const outbox = ({ sql, watermark, wake, log }: OutboxDeps): QueueWorker => {
  const watermarks = new QueueWatermarks(watermark)
  return new QueueWorker({
    name: 'outbox',
    log,
    runOnce: async () => {
      const writeStartedAt = performance.now()
      const queueRead = watermarks.startRead('outbox')
      const { events, hasMore: more, endpointJobs, firstMs } = await fanOut(sql, eventsPerRun, queueRead.from)
      queueRead.complete(firstMs)
      for (const batch of endpointJobs) dispatchToEndpoint(wake, batch, writeStartedAt)
      if (events >= busyEvents && events < eventsPerRun) await sleep(pauseMs)
      // A page that is not full was the whole outbox. New events wake the worker again.
      return events < eventsPerRun && !more ? 0 : events
    },
  })
}
