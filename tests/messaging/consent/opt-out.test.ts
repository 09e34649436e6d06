/** Tests concurrent opt-outs: one statement records all of them, and each caller gets its own answer. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { createWorkspace } from '../../../src/accounts/workspaces/index.ts'
import { DomainError } from '../../../src/core/errors.ts'
import { optOut } from '../../../src/messaging/consent/index.ts'
import { transaction } from '../../../src/platform/postgres/client.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

let database: TestDatabase
let workspaces: string[]
let notified = 0
beforeAll(async () => {
  database = await testDatabase()
  workspaces = await Promise.all(['one', 'two'].map(newWorkspace))
  await database.sql.listen('outbound_events', () => notified++)
})
afterAll(() => database.drop())

const newWorkspace = async (name: string): Promise<string> => {
  const owner = { email: `${name}@shop.example`, password: 'correct horse battery' }
  return (await createWorkspace(database.sql, { name, planId: 'unlimited', owner })).id
}

const newCustomers = async (workspaceId: string, count: number): Promise<string[]> => {
  const rows = await database.sql<{ id: string }[]>`
    insert into customers (workspace_id, external_id)
    select ${workspaceId}, gen_random_uuid()::text from generate_series(1, ${count}) returning id`
  return rows.map(({ id }) => id)
}

const optOutOf = (workspaceId: string, id: string, reason = 'asked', sql = database.sql) =>
  optOut(sql, { workspaceId, id, reason, source: 'api' })

const toldOf = (ids: string[]) => database.sql<{ customer: string; reason: string }[]>`
  select e.tells_of as customer, e.data ->> 'reason' as reason from outbound_events e
  join consents c on c.workspace_id = e.workspace_id and c.outbound_event_id = e.id and c.customer_id = e.tells_of
    and c.words = e.data ->> 'reason'
  where e.tells_of = any(${ids}::uuid[])`

describe('concurrent opt-outs', () => {
  test('emit one event each and one notification for all, across workspaces', async () => {
    const [ofOne, ofTwo] = await Promise.all(workspaces.map(workspace => newCustomers(workspace, 100)))
    const before = notified
    const rows = await Promise.all([
      ...ofOne!.map(id => optOutOf(workspaces[0]!, id, id)),
      ...ofTwo!.map(id => optOutOf(workspaces[1]!, id, id)),
    ])
    expect(rows.map(({ id }) => id)).toEqual([...ofOne!, ...ofTwo!])
    expect(rows.every(({ optedOutAt }) => optedOutAt instanceof Date)).toBe(true)
    const told = await toldOf([...ofOne!, ...ofTwo!])
    expect(told.every(({ customer, reason }) => customer === reason)).toBe(true)
    expect(told).toHaveLength(200)
    await eventually('the notification arrives', () => notified > before)
    expect(notified).toBe(before + 1)
  })

  test('are answered separately: a repeated opt-out keeps the first, and an unknown or erased customer is not found', async () => {
    const [workspaceId, other] = workspaces as [string, string]
    const [ana, ben, erased] = (await newCustomers(workspaceId, 3)) as [string, string, string]
    await optOutOf(workspaceId, ben, 'long ago')
    await database.sql`update customers set erased_at = now(), external_id = null where id = ${erased}`
    const [first, second, again, ...unknown] = await Promise.allSettled([
      optOutOf(workspaceId, ana, 'first'),
      optOutOf(workspaceId, ana.toUpperCase(), 'second'),
      optOutOf(workspaceId, ben, 'once more'),
      optOutOf(other, ana),
      optOutOf(workspaceId, erased),
      optOutOf(workspaceId, randomUUID()),
    ])
    expect(first).toMatchObject({ status: 'fulfilled', value: { id: ana } })
    expect(second).toEqual(first)
    expect(again).toMatchObject({ status: 'fulfilled', value: { id: ben } })
    for (const one of unknown) expect((one as PromiseRejectedResult).reason).toBeInstanceOf(DomainError)
    const told = await toldOf([ana, ben, erased])
    expect(told.map(({ reason }) => reason).sort()).toEqual(['first', 'long ago'])
  })

  test('do not wait for a customer that another transaction has locked', async () => {
    const [workspaceId] = workspaces as [string]
    const [held, ...others] = (await newCustomers(workspaceId, 5)) as [string, ...string[]]
    const stuck = Promise.withResolvers<{ id: string }>()
    await transaction(database.sql, async tx => {
      await tx`select 1 from customers where id = ${held} for update`
      optOutOf(workspaceId, held).then(stuck.resolve, stuck.reject)
      expect(await Promise.all(others.map(id => optOutOf(workspaceId, id)))).toHaveLength(4)
      expect(await Promise.race([stuck.promise, 'not yet'])).toBe('not yet')
    })
    expect((await stuck.promise).id).toBe(held)
    expect(await toldOf([held, ...others])).toHaveLength(5)
  })

  test("join the caller's transaction and roll back with it", async () => {
    const [workspaceId] = workspaces as [string]
    const [id] = (await newCustomers(workspaceId, 1)) as [string]
    const undone = transaction(database.sql, async tx => {
      expect((await optOut(tx, { workspaceId, id, reason: 'asked', source: 'customer' })).optedOutAt).toBeInstanceOf(
        Date,
      )
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await toldOf([id])).toHaveLength(0)
  })
})
