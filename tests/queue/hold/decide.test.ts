import { describe, expect, test } from 'bun:test'
import { findHoldReason, type Identity, maxHeartbeatGapMs } from '../../../src/queue/hold/decide.ts'

const stored: Identity = { databaseOid: 16384, systemIdentifier: '7400000000000000001', timeline: 1 }
const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

const decide = (current: Partial<Identity>, behindMs: number, before: Identity = stored) =>
  findHoldReason(before, { ...before, ...current }, behindMs)

test.each<[string, Partial<Identity>, number, ReturnType<typeof findHoldReason>]>([
  ['is held in another cluster', { systemIdentifier: '7400000000000000002' }, 2 * seconds, 'another_database'],
  ['is held in another database of the cluster', { databaseOid: 16999 }, 2 * seconds, 'another_database'],
  [
    'is held in another cluster on a later timeline',
    { systemIdentifier: '7400000000000000002', timeline: 2 },
    3 * hours,
    'another_database',
  ],
  ['is held after a restore to a point in time', { timeline: 2 }, 3 * hours, 'earlier_state'],
  ['is held after a restore to a recent time', { timeline: 2 }, maxHeartbeatGapMs + 1, 'earlier_state'],
  ['is not held after a restart', {}, 5 * seconds, null],
  ['is not held after a long downtime without a new timeline', {}, 72 * hours, null],
  ['is not held after a failover to a standby', { timeline: 2 }, 40 * seconds, null],
  ['is not held after several failovers', { timeline: 5 }, maxHeartbeatGapMs, null],
  ['is not held after a failover to a standby that was ahead', { timeline: 2 }, -3 * seconds, null],
])('sending %s', (_, current, behindMs, reason) => {
  expect(decide(current, behindMs)).toBe(reason)
})

describe('a part that cannot be read', () => {
  test.each([
    [{ systemIdentifier: null }, {}],
    [{}, { systemIdentifier: null }],
    [{ timeline: null }, {}],
    [{}, { timeline: null }],
  ])('is not compared: stored %j, current %j', (before, current) => {
    expect(decide(current, 3 * hours, { ...stored, ...before })).toBeNull()
  })

  test('leaves the database to compare', () => {
    const unread = { systemIdentifier: null, timeline: null }
    expect(decide({ databaseOid: 16999 }, 0, { ...stored, ...unread })).toBe('another_database')
  })
})
