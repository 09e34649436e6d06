/** Tests concurrent opt-outs: one statement records all of them, and each caller gets its own answer. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { DomainError } from '../../../src/core/errors.ts'
import { optOut } from '../../../src/messaging/consent/index.ts'
import { transaction } from '../../../src/platform/postgres/client.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
const [workspaceId, otherId] = [randomUUID(), randomUUID()]
let notified = 0
beforeAll(async () => {
  for (const id of [workspaceId, otherId]) await newWorkspace(database.sql, id)
  await database.sql.listen('outbound_events', () => notified++)
})

const newCustomers = async (workspaceId: string, count: number): Promise<string[]> => {
  const rows = await database.sql<{ id: string }[]>`
    insert into customers (workspace_id, external_id)
    select ${workspaceId}, gen_random_uuid()::text from generate_series(1, ${count}) returning id`
  return rows.map(({ id }) => id)
}

const optOutOf = (workspaceId: string, id: string, reason = 'asked') =>
  optOut(database.sql, { workspaceId, id, reason, source: 'api' })

const toldOf = (ids: string[]) => database.sql<{ customer: string; reason: string }[]>`
  select e.data_subject_id as customer, e.data ->> 'reason' as reason from outbound_events e
  join consents c on c.workspace_id = e.workspace_id and c.outbound_event_id = e.id and c.customer_id = e.data_subject_id
    and c.words = e.data ->> 'reason'
  where e.data_subject_id = any(${ids}::uuid[])`

describe('concurrent opt-outs', () => {
  test('emit one event each and one notification for all, across workspaces', async () => {
    const [ofOne, ofTwo] = await Promise.all([workspaceId, otherId].map(id => newCustomers(id, 100)))
    const ids = [...ofOne!, ...ofTwo!]
    const before = notified
    const rows = await Promise.all(ids.map((id, n) => optOutOf(n < 100 ? workspaceId : otherId, id, id)))
    expect(rows.map(({ id }) => id)).toEqual(ids)
    const told = await toldOf(ids)
    expect([told.length, told.every(({ customer, reason }) => customer === reason)]).toEqual([200, true])
    await eventually('the notification arrives', () => notified > before)
    expect(notified).toBe(before + 1)
  })

  test('are answered separately: a repeated opt-out keeps the first, and an unknown or erased customer is not found', async () => {
    const [ana, ben, erased] = (await newCustomers(workspaceId, 3)) as [string, string, string]
    await optOutOf(workspaceId, ben, 'long ago')
    await database.sql`update customers set erased_at = now(), external_id = null where id = ${erased}`
    const [first, second, again, ...unknown] = await Promise.allSettled([
      optOutOf(workspaceId, ana, 'first'),
      optOutOf(workspaceId, ana.toUpperCase(), 'second'),
      optOutOf(workspaceId, ben, 'once more'),
      optOutOf(otherId, ana),
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
})
