/** Tests the watermark: the time before which no transaction can still write. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Database } from '../../../src/platform/postgres/client.ts'
import {
  readTransactionSnapshot,
  type TransactionSnapshot,
  Watermark,
} from '../../../src/platform/postgres/watermark.ts'
import { useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
let other: Database
beforeAll(async () => {
  other = connect({ url: database.url, applicationName: 'another', max: 1 })
})
afterAll(() => other.end({ timeout: 1 }))

/** Returns the watermark after the given snapshots, read one after the other. */
const passedAfter = async (...snapshots: TransactionSnapshot[]): Promise<number> => {
  const left = [...snapshots]
  const watermark = new Watermark(async () => left.shift()!, 0)
  for (const _ of snapshots) await watermark.refresh()
  return watermark.passedMs
}

test('is the last time before which every transaction has ended, and unknown before the second snapshot', async () => {
  const first = { ms: 100, number: 10, oldest: 7 }
  const second = { ms: 200, number: 12, oldest: 10 }
  expect(await passedAfter({ ...first, oldest: 10 })).toBe(0)
  expect(await passedAfter(first, { ...second, oldest: 9 })).toBe(0)
  expect(await passedAfter(first, second)).toBe(100)
  expect(await passedAfter(first, second, { ms: 300, number: 15, oldest: 12 })).toBe(200)
})

test('waits for a transaction that has written, and not for one that only reads', async () => {
  const now = async () => (await readTransactionSnapshot(database.sql)).ms
  const watermark = new Watermark(() => readTransactionSnapshot(database.sql), 0)
  const passes = (ms: number) =>
    eventually('the time has passed', async () => {
      await watermark.refresh()
      return watermark.passedMs >= ms
    })
  await other`begin isolation level repeatable read`
  await other`select 1 from workspaces`
  await passes(await now())
  await other`insert into workspaces (name, plan_id) values ('Shop', 'free')`
  const written = await now()
  for (let n = 0; n < 5; n++) await watermark.refresh()
  expect(watermark.passedMs).toBeLessThanOrEqual(written)
  await other`commit`
  await passes(await now())
})
