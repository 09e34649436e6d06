/** Tests the difference between the clocks of a process and the database. */
import { describe, expect, test } from 'bun:test'
import { createReadiness } from '../../src/app/readiness.ts'
import { newId } from '../../src/core/ids.ts'
import { Clock, clockComparison } from '../../src/platform/clock.ts'
import type { Log } from '../../src/platform/log.ts'
import { newWorkspace, useDatabase } from '../support/database.ts'
import { eventually } from '../support/world.ts'

const hourMs = 3_600_000
const database = useDatabase()
/** A process whose clock is `byMs` ahead of the database. The database's clock is right. */
const shifted = (byMs: number) => new Clock(() => Date.now() + byMs)
const databaseMs = async () => Date.now()

const timeOfId = (id: string) => Number.parseInt(id.slice(0, 13).replace('-', ''), 16)

describe('a clock', () => {
  test.each([2 * hourMs, -2 * hourMs, 5000])('that is %d ms ahead returns the time of the database', async byMs => {
    const clock = shifted(byMs)
    await clock.compare(databaseMs)
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(50)
    expect(Math.abs(clock.aheadMs - byMs)).toBeLessThan(50)
  })

  test('ignores a difference smaller than the duration of the comparison, and the part of a millisecond', async () => {
    const slow = shifted(0)
    await slow.compare(async () => {
      const asked = Date.now()
      await eventually('some time has passed', () => Date.now() > asked + 20)
      return asked
    })
    const exact = new Clock(() => 1000)
    await exact.compare(async () => 1000.9)
    expect([slow.aheadMs, exact.aheadMs]).toEqual([0, 0])
  })

  test('keeps its correction while the database is unreachable, and warns above a difference of 5 seconds', async () => {
    const warnings: unknown[] = []
    const log: Log = Object.assign(Object.create(null), { warn: (of: unknown) => warnings.push(of), debug: () => {} })
    const compare = async (read: () => Promise<number>, clock: Clock) => {
      const service = clockComparison(read, log, clock)
      await service.start()
      await service.stop(AbortSignal.abort())
    }
    const off = shifted(6000)
    for (const read of [databaseMs, () => Promise.reject(new Error('away'))]) {
      await compare(read, off)
      expect(Math.abs(off.aheadMs - 6000)).toBeLessThan(50)
    }
    await compare(databaseMs, shifted(4000))
    expect(warnings).toEqual([{ aheadMs: expect.closeTo(6000, -2) }])
  })
})

test('ids increase within a millisecond, and follow a corrected clock', () => {
  const now = Date.now() + hourMs
  const ahead = Array.from({ length: 5000 }, () => newId(now))
  expect(ahead).toEqual(ahead.toSorted())
  expect(new Set(ahead).size).toBe(5000)
  expect(newId(now - 5) > ahead.at(-1)!).toBe(true)
  expect(timeOfId(newId(now - hourMs))).toBe(now - hourMs)
  expect(timeOfId(newId(now + 1.5))).toBe(now + 1)
})

test('a process is not ready while it is more than a minute ahead or behind', async () => {
  await newWorkspace(database.sql)
  const others = { stopping: () => false, diskFull: () => false, worker: () => null }
  const readyAt = (aheadMs: number) => createReadiness({ sql: database.sql, clock: { aheadMs }, ...others })()
  for (const aheadMs of [0, 60_000, -60_000]) expect(await readyAt(aheadMs)).toEqual({ ready: true })
  expect(await readyAt(7_200_000)).toEqual({
    ready: false,
    problem:
      'The clock of this process is 7200 seconds ahead of the clock of the database. Synchronize both, for example by NTP.',
  })
  expect(await readyAt(-61_000)).toMatchObject({ problem: expect.stringContaining('61 seconds behind') })
})
