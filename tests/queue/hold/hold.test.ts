/** Tests when sending is held, and the stored identity against PostgreSQL. */
import { beforeEach, expect, test } from 'bun:test'
import { findHoldReason, type Identity, maxHeartbeatGapMs } from '../../../src/queue/hold/decide.ts'
import { checkIdentity, endHold, findHold } from '../../../src/queue/hold/index.ts'
import { useDatabase } from '../../support/database.ts'

const readable = { systemIdentifier: true, timeline: true }
const database = useDatabase()
beforeEach(async () => {
  await database.sql`delete from service_identity`
})

const check = (options: { lastHeartbeatMs?: number; request?: boolean } = {}) =>
  checkIdentity(database.sql, { readable, lastHeartbeatMs: null, ...options })
const stored = async () => {
  const [row] = await database.sql`
    select database_oid as oid, system_identifier as system, timeline, now() - heartbeat_at < interval '5 seconds' as beats
    from service_identity`
  return row
}
/** Makes the database look as if it was restored on a new timeline, with a newest heartbeat of this age. */
const onNewTimeline = (age: string) => database.sql`
  update service_identity set timeline = timeline - 1, heartbeat_at = now() - ${age}::interval`

test('the first start stores the identity of the server', async () => {
  expect(await findHold(database.sql)).toBeNull()
  expect((await check()).hold).toBeNull()
  const [server] = await database.sql`
    select (select oid::bigint from pg_database where datname = current_database()) as oid,
      (select system_identifier::text from pg_control_system()) as system,
      (select timeline_id::bigint from pg_control_checkpoint()) as timeline`
  expect(await stored()).toEqual({ ...server, beats: true })
})

test('on a new timeline, processes that start together hold if the newest heartbeat is old', async () => {
  await check()
  await onNewTimeline('9 minutes')
  expect((await check()).hold).toBeNull()
  await onNewTimeline('11 minutes')
  const checked = await Promise.all([check(), check(), check()])
  expect(checked.map(({ hold }) => hold?.because)).toEqual(Array(3).fill('earlier_state'))
  expect(await stored()).toMatchObject({ timeline: 1, beats: true })
})

test('on a new timeline, a running process compares with the last heartbeat that it knows', async () => {
  await check()
  await onNewTimeline('1 hour')
  expect((await check({ lastHeartbeatMs: Date.now() - 3_600_000 })).hold).toBeNull()
  await onNewTimeline('1 hour')
  expect((await check({ lastHeartbeatMs: Date.now() })).hold).toMatchObject({ because: 'earlier_state' })
})

test('a hold stays until it is ended, with its first reason', async () => {
  await check()
  const { hold } = await check({ request: true })
  expect(hold).toMatchObject({ because: 'requested' })
  await database.sql`update service_identity set database_oid = 1`
  expect((await check()).hold).toEqual(hold)
  expect(await findHold(database.sql)).toEqual(hold)
  expect([await endHold(database.sql), await endHold(database.sql)]).toEqual([true, false])
  expect((await check()).hold).toBeNull()
})

const identity: Identity = { databaseOid: 16384, systemIdentifier: '7400000000000000001', timeline: 1 }
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
  const before = { ...identity, ...unread }
  expect(findHoldReason(before, { ...before, ...current }, behindMs)).toBe(reason)
})
