/** Tests the concurrency limits of callbacks. */
import { expect, test } from 'bun:test'
import { Callbacks } from '../../../src/messaging/callbacks/callbacks.ts'
import type { CallbackChannel } from '../../../src/messaging/channels/index.ts'
import type { Sql } from '../../../src/platform/postgres/client.ts'

const small = 64 * 1024

/** Starts callbacks of these channels and sizes, which do not end. Returns those that got a permit. */
const started = async (...callbacks: [channel: string, bytes: number][]): Promise<string[]> => {
  const limits = new Callbacks((() => []) as unknown as Sql, null)
  const running: string[] = []
  for (const [id, bytes] of callbacks)
    limits
      .run({ id } as CallbackChannel, bytes, new AbortController().signal, () => {
        running.push(id)
        return new Promise<void>(() => {})
      })
      .catch(() => {})
  await Promise.resolve()
  return running
}

test('callbacks over 64 KiB are recorded one at a time per channel, and two in total', async () => {
  expect(await started(['a', small + 1], ['a', small + 1], ['b', small + 1], ['c', small + 1])).toEqual(['a', 'b'])
})

test('smaller callbacks do not wait for large ones', async () => {
  expect(await started(['a', small + 1], ['b', small + 1], ['a', small], ['a', small])).toEqual(['a', 'b', 'a', 'a'])
})
