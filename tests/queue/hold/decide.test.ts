import { expect, test } from 'bun:test'
import { findHoldReason, type Identity, maxHeartbeatGapMs } from '../../../src/queue/hold/decide.ts'

const stored: Identity = { databaseOid: 16384, systemIdentifier: '7400000000000000001', timeline: 1 }
const other = { systemIdentifier: '7400000000000000002' }
const [seconds, hours] = [1000, 3_600_000]
const noCluster = { systemIdentifier: null }
const noTimeline = { timeline: null }

test.each<[string, Partial<Identity>, number, ReturnType<typeof findHoldReason>, Partial<Identity>?]>([
  ['is held in another cluster', other, 2 * seconds, 'another_database'],
  ['is held in another database of the cluster', { databaseOid: 16999 }, 2 * seconds, 'another_database'],
  ['is held in another cluster on a later timeline', { ...other, timeline: 2 }, 3 * hours, 'another_database'],
  ['is held after a restore to a point in time', { timeline: 2 }, 3 * hours, 'earlier_state'],
  ['is held after a restore to a recent time', { timeline: 2 }, maxHeartbeatGapMs + 1, 'earlier_state'],
  ['is not held after a restart', {}, 5 * seconds, null],
  ['is not held after a long downtime without a new timeline', {}, 72 * hours, null],
  ['is not held after a failover to a standby', { timeline: 2 }, 40 * seconds, null],
  ['is not held after several failovers', { timeline: 5 }, maxHeartbeatGapMs, null],
  ['is not held after a failover to a standby that was ahead', { timeline: 2 }, -3 * seconds, null],
  ['ignores a cluster that is not stored', {}, 3 * hours, null, noCluster],
  ['ignores a cluster that cannot be read', noCluster, 3 * hours, null],
  ['ignores a timeline that is not stored', {}, 3 * hours, null, noTimeline],
  ['ignores a timeline that cannot be read', noTimeline, 3 * hours, null],
  ['compares the database alone', { databaseOid: 16999 }, 0, 'another_database', { ...noCluster, ...noTimeline }],
])('sending %s', (_, current, behindMs, reason, unread = {}) => {
  const before = { ...stored, ...unread }
  expect(findHoldReason(before, { ...before, ...current }, behindMs)).toBe(reason)
})
