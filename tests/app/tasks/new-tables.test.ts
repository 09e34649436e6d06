/** Tests that a failed update of the statistics is logged. `statistics.test.ts` tests the update itself. */
import { expect, test } from 'bun:test'
import { newTableStatistics } from '../../../src/app/tasks/new-tables.ts'
import type { Log } from '../../../src/platform/log.ts'
import type { Database } from '../../../src/platform/postgres/client.ts'

test('logs why the statistics could not be updated', async () => {
  const error = new Error('permission denied for table customers')
  // A part of a statement is never awaited.
  const sql = (() => ({ then: (_: unknown, reject: (reason: Error) => void) => reject(error) })) as unknown as Database
  const { promise, resolve } = Promise.withResolvers<unknown[]>()
  const log = { debug: (...entry: unknown[]) => resolve(entry) } as unknown as Log
  const service = newTableStatistics(sql, log)
  await service.start()
  expect(await promise).toEqual([{ error }, 'statistics of new tables could not be updated; retrying'])
  await service.stop(new AbortController().signal)
})
