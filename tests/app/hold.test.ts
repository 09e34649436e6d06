/** Tests how a worker that is held, paused or moved stops. */
import { expect, test } from 'bun:test'
import { HoldableWorker } from '../../src/app/hold.ts'
import type { Worker } from '../../src/app/worker.ts'
import { createService } from '../../src/platform/service.ts'

test('a worker whose cell has moved stops its actors before the services that stop first', async () => {
  const stopped: string[] = []
  const { promise: mayStop, resolve: letStop } = Promise.withResolvers<void>()
  const actors = { name: 'actors', start: async () => {}, stop: async () => void stopped.push('actors') }
  const slow = createService('runs', { stop: () => mayStop.then(() => void stopped.push('runs')) })
  const worker = { actors, services: [actors, slow], tasks: createService('tasks', {}) } as unknown as Worker
  const holdable = new HoldableWorker(
    () => worker,
    () => false,
    1000,
  )
  await holdable.start()
  holdable.stopSending()
  const ended = holdable.stop(AbortSignal.timeout(1000))
  expect(stopped).toEqual(['actors'])
  letStop()
  await ended
  expect(stopped).toEqual(['actors', 'runs', 'actors'])
})
