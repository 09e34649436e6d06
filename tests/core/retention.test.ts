import { expect, test } from 'bun:test'
import { removeOld } from '../../src/core/retention.ts'

/** Returns a table of `count` old rows, with the limit of each page that was deleted from it. */
const tableOf = (count: number) => {
  const limits: number[] = []
  const deletePage = async (limit: number) => {
    limits.push(limit)
    const deleted = Math.min(limit, count)
    count -= deleted
    return { count: deleted }
  }
  return { limits, deletePage, remaining: () => count }
}

test.each([
  ['1,000 rows', {}, 2500, [1000, 1000, 1000, 1000]],
  ['the given limit', { limit: 50 }, 50, [50, 50]],
])('deletes pages of at most %s until a page is empty', async (_, options, count, expected) => {
  const { limits, deletePage, remaining } = tableOf(count)
  await removeOld(deletePage, options)
  expect([limits, remaining()]).toEqual([expected, 0])
})

test('stops after a page if its caller has gone', async () => {
  const { limits, deletePage, remaining } = tableOf(2500)
  const reason = new Error('gone')
  await expect(removeOld(deletePage, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect([limits, remaining()]).toEqual([[1000], 1500])
})
