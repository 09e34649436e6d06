import { describe, expect, test } from 'bun:test'
import { findHoldReason, type Identity, maxHeartbeatGapMs } from '../../../src/queue/hold/decide.ts'

const stored: Identity = { databaseOid: 16384, systemIdentifier: '7400000000000000001', timeline: 1 }
const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

const decide = (current: Partial<Identity>, behindMs: number, before: Identity = stored) =>
  findHoldReason(before, { ...before, ...current }, behindMs)

describe('sending is held', () => {
  test.each([
    ['in another cluster', { systemIdentifier: '7400000000000000002' }, 2 * seconds],
    ['in another database of the cluster', { databaseOid: 16999 }, 2 * seconds],
    ['in another cluster on a later timeline', { systemIdentifier: '7400000000000000002', timeline: 2 }, 3 * hours],
  ])('%s, whatever the age of the heartbeat', (_, current, behindMs) => {
    expect(decide(current, behindMs)).toBe('another_database')
  })

  test('after a restore to a point in time: the timeline is new and the heartbeat is old', () => {
    expect(decide({ timeline: 2 }, 3 * hours)).toBe('earlier_state')
    expect(decide({ timeline: 2 }, maxHeartbeatGapMs + 1)).toBe('earlier_state')
  })
})

describe('sending is not held', () => {
  test.each([
    ['after a restart', {}, 5 * seconds],
    ['after a long downtime without a new timeline', {}, 72 * hours],
    ['after a failover to a standby', { timeline: 2 }, 40 * seconds],
    ['after several failovers', { timeline: 5 }, maxHeartbeatGapMs],
    ['after a failover to a standby that was ahead', { timeline: 2 }, -3 * seconds],
  ])('%s', (_, current, behindMs) => {
    expect(decide(current, behindMs)).toBeNull()
  })
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
