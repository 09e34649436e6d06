/** Tests that consecutive reads count every fanned out event exactly once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { connect, type Database, type Sql } from '../../../src/platform/postgres/client.ts'
import { fanOut } from '../../../src/webhooks/deliveries/index.ts'
import { addAfterCommitListener } from '../../../src/webhooks/emit/index.ts'
import { type FanOutSample, readFanOut } from '../../../src/webhooks/outbound-events/index.ts'
import { newWorkspace, openTransaction, useDatabase } from '../../support/database.ts'
import { tell } from '../../support/outbox.ts'

const database = useDatabase()
/** A process that fans out the events that it writes. */
let direct: Database
let stopListening: () => void
let workspaces: string[]
let sample: FanOutSample | null = null
beforeAll(async () => {
  direct = connect({ url: database.url, applicationName: 'direct' })
  stopListening = addAfterCommitListener(direct, { onDeliveriesCreated: () => {}, onOutboxWritten: () => {} })
  workspaces = [await newWorkspace(database.sql), await newWorkspace(database.sql)]
  // Positions of the stream differ from transaction ids, as after a move to another server.
  await database.sql`insert into service_identity (database_oid, heartbeat_at, stream_offset) values (0, now(), 1000000)`
  await database.sql`
    alter table outbound_events alter xid set default (pg_current_xact_id()::text::bigint + 1000000)::text::xid8`
})
afterAll(async () => {
  stopListening()
  await direct.end({ timeout: 1 })
})
beforeEach(async () => {
  await fanOut(database.sql, 500)
  await read()
})

/** Returns the number of events that were fanned out since the last call. */
const read = async (): Promise<number | null> => {
  const { fannedOut, sample: next } = await readFanOut(database.sql, sample)
  sample = next
  return fannedOut
}

const emit = (sql: Sql, count: number, workspace = workspaces[0]!) =>
  tell(sql, workspace, 'campaign.completed', { count })

/** Writes events that are fanned out, as a statement outside of a transaction does. */
const insertFannedOut = (sql: Sql, count: number) => sql`
  insert into outbound_events (workspace_id, type, data, fanned_out_at)
  select ${workspaces[0]!}, 'ping', '{}', clock_timestamp() from generate_series(1, ${count}::integer)`

test('counts nothing without an earlier read', async () => {
  await emit(direct, 1)
  expect((await readFanOut(database.sql, null)).fannedOut).toBeNull()
})

test('counts the events of all workspaces that their writer fanned out', async () => {
  await emit(direct, 3)
  await emit(direct, 2, workspaces[1])
  expect([await read(), await read()]).toEqual([5, 0])
})

test('counts an event of the outbox when it is fanned out, not when it is written', async () => {
  await emit(database.sql, 5)
  expect(await read()).toBe(0)
  await fanOut(database.sql, 2)
  expect(await read()).toBe(2)
  await emit(database.sql, 4)
  await fanOut(database.sql, 6)
  expect(await read()).toBe(6)
  await fanOut(database.sql, 6)
  expect([await read(), await read()]).toEqual([1, 0])
})

test('counts the events of a transaction when it has committed', async () => {
  const commit = await openTransaction(direct, tx => insertFannedOut(tx, 4))
  const commitOther = await openTransaction(database.sql, tx => emit(tx, 3))
  await emit(direct, 1)
  await emit(database.sql, 2)
  expect(await read()).toBe(1)
  await fanOut(database.sql, 1)
  await commit()
  await commitOther()
  expect(await read()).toBe(5)
  await fanOut(database.sql, 500)
  expect([await read(), await read()]).toEqual([4, 0])
})
