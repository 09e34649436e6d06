import { beforeAll, expect, test } from 'bun:test'
import { dropDeliveries, dropOrphanedDeliveries } from '../../../src/webhooks/deliveries/index.ts'
import { newWorkspace, openTransaction, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
const workspaceId = crypto.randomUUID()
beforeAll(() => newWorkspace(database.sql, workspaceId))

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
  for (const webhookId of [removed, removed, active]) await dropDeliveries(database.sql, { workspaceId, webhookId })
  expect(await countsOf(removed)).toEqual({ dropped: 2500, delivered: 1, failed: 1 })
  const untouched = { 'pending due': 1, 'retrying due': 1, delivered: 1, failed: 1 }
  expect(await countsOf(other)).toEqual(untouched)
  await dropOrphanedDeliveries(database.sql)
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
