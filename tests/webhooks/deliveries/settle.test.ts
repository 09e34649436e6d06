/** Tests recording attempts and dropping deliveries: a locked row does not affect the others. */
import { beforeAll, describe, expect, test } from 'bun:test'
import {
  type AttemptSettlement,
  dropDeliveries,
  dropOrphanedDeliveries,
  settleAttempts,
} from '../../../src/webhooks/deliveries/index.ts'
import { newWorkspace, openTransaction, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
const [workspaceId, webhookId] = [crypto.randomUUID(), crypto.randomUUID()]
beforeAll(async () => {
  await newWorkspace(database.sql, workspaceId)
  await database.sql`
    insert into webhooks (workspace_id, id, url, events, secret)
    values (${workspaceId}, ${webhookId}, 'https://x.example', '{}', 's')`
})

const dueDeliveries = async (count: number): Promise<string[]> => {
  const rows = await database.sql<{ id: string }[]>`
    insert into deliveries (workspace_id, webhook_id, event_id, due_at)
    select ${workspaceId}, ${webhookId}, uuidv7(), now() from generate_series(1, ${count}::integer) returning id`
  return rows.map(({ id }) => id)
}

const settlementOf = (deliveryId: string): AttemptSettlement => ({
  workspaceId,
  deliveryId,
  number: 1,
  planned: 8,
  manual: false,
  at: new Date(),
  statusCode: 200,
  error: null,
  durationMs: 3,
  responseBody: 'ok',
  signature: 't=1,v1=x',
  status: 'delivered',
  retryDelayMs: null,
})

const statusesOf = async (ids: string[]) => {
  const rows = await database.sql<{ id: string; status: string; recorded: number }[]>`
    select d.id, d.status, (select count(*)::integer from delivery_attempts a where a.delivery_id = d.id) as recorded
    from deliveries d where d.id = any(${ids}::uuid[])`
  return ids.map(id => {
    const row = rows.find(found => found.id === id)
    return row && `${row.status} ${row.recorded}`
  })
}

describe('a batch of attempts', () => {
  test('skips and returns a locked delivery, and records it after the lock is released', async () => {
    const [held, ...others] = await dueDeliveries(4)
    const all = [held!, ...others]
    await database.sql.begin(async tx => {
      await tx`select 1 from deliveries where id = ${held!} for update`
      expect(await settleAttempts(database.sql, all.map(settlementOf))).toEqual(new Set([held!]))
    })
    expect(await statusesOf(all)).toEqual(['pending 0', 'delivered 1', 'delivered 1', 'delivered 1'])
    expect(await settleAttempts(database.sql, all.map(settlementOf))).toEqual(new Set())
    expect(await statusesOf(all)).toEqual(Array(4).fill('delivered 1'))
  })

  test('ignores a delivery that was settled, dropped or pruned in the meantime, without a retry', async () => {
    const [settled, dropped, pruned] = (await dueDeliveries(3)) as [string, string, string]
    await database.sql`update deliveries set attempts = 1, status = 'retrying' where id = ${settled}`
    await database.sql`update deliveries set status = 'dropped', due_at = null where id = ${dropped}`
    await database.sql`delete from deliveries where id = ${pruned}`
    const all = [settled, dropped, pruned]
    expect(await settleAttempts(database.sql, all.map(settlementOf))).toEqual(new Set())
    expect(await statusesOf(all)).toEqual(['retrying 0', 'dropped 0', undefined])
  })
})

/** Creates an endpoint with the given number of due deliveries, one delivered and one failed. */
const endpoint = async (due: number, { removed }: { removed: boolean }): Promise<string> => {
  const { sql } = database
  const [webhook] = await sql`
    insert into webhooks (workspace_id, url, events, secret, deleted_at)
    values (${workspaceId}, 'https://x.example', '{}', 's', ${removed ? new Date() : null}) returning id`
  await sql`
    insert into deliveries (workspace_id, webhook_id, event_id, status, due_at)
    select ${workspaceId}, ${webhook!.id}, uuidv7(), (array['pending', 'retrying'])[1 + n % 2], now() + n * interval '1 minute'
    from generate_series(1, ${due}::integer) n`
  await sql`
    insert into deliveries (workspace_id, webhook_id, event_id, status)
    select ${workspaceId}, ${webhook!.id}, uuidv7(), unnest(array['delivered', 'failed'])`
  return webhook!.id
}

const countsOf = async (webhookId: string) => {
  const rows = await database.sql`
    select status || case when due_at is null then '' else ' due' end as status, count(*)::integer as count
    from deliveries where webhook_id = ${webhookId} group by 1`
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

test('drops every due delivery of a removed endpoint, and none of another or of an active one', async () => {
  const [removed, other] = [await endpoint(2500, { removed: true }), await endpoint(2, { removed: true })]
  const active = await endpoint(2, { removed: false })
  let dropped = 0
  for (const webhookId of [removed, removed, active])
    await dropDeliveries(database.sql, { workspaceId, webhookId }, count => {
      dropped += count
    })
  expect(dropped).toBe(2500)
  expect(await countsOf(removed)).toEqual({ dropped: 2500, delivered: 1, failed: 1 })
  const untouched = { 'pending due': 1, 'retrying due': 1, delivered: 1, failed: 1 }
  expect(await countsOf(other)).toEqual(untouched)
  await dropOrphanedDeliveries(database.sql, count => {
    dropped += count
  })
  expect(dropped).toBe(2502)
  expect(await countsOf(active)).toEqual(untouched)
})

test('skips a locked delivery, and drops it after the lock is released', async () => {
  const webhookId = await endpoint(3, { removed: true })
  const release = await openTransaction(
    database.sql,
    tx =>
      tx`select 1 from deliveries where webhook_id = ${webhookId} and due_at is not null order by due_at limit 1 for update`,
  )
  const dropping = dropDeliveries(database.sql, { workspaceId, webhookId })
  await eventually('the others are dropped', async () => (await countsOf(webhookId)).dropped === 2)
  await Promise.all([release(), dropping])
  expect(await countsOf(webhookId)).toEqual({ dropped: 3, delivered: 1, failed: 1 })
})
