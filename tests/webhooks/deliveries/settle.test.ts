/** Tests recording attempts: one statement records a batch, and a row that fails does not affect the others. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { type AttemptSettlement, settleAttempts } from '../../../src/webhooks/deliveries/index.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'

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
