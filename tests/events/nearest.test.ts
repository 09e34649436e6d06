import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TriggerTypes } from '../../src/events/trigger-types.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
let workspaceId: string
beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database
  const [row] = await sql<
    { id: string }[]
  >`insert into workspaces (name, plan_id) values ('w', 'unlimited') returning id`
  workspaceId = row!.id
  for (const type of ['order.created', 'order.created', 'order.paid', 'cart abandoned', 'buy', 'sale', 'Order_Created'])
    await listenTo(type)
})
afterAll(() => database.drop())

const listenTo = (type: string) =>
  database.sql`insert into workflows (workspace_id, name, draft, trigger_type) values (${workspaceId}, 'w', '{}', ${type})`

const nearest = async (type: string) => {
  const types = new TriggerTypes()
  await types.refresh(database.sql, [workspaceId])
  return types.nearest(workspaceId, type)
}

describe('the suggested type', () => {
  test.each([
    ['ORDER.CREATED', 'order.created', 2],
    ['order_created', 'order.created', 2],
    [' order - created ', 'order.created', 2],
    ['order.creted', 'order.created', 2],
    ['order.craeted', 'order.created', 2],
    ['ordre.paid', 'order.paid', 1],
    ['Cart.Abandoned', 'cart abandoned', 1],
    ['sales', 'sale', 1],
    ['Buy', 'buy', 1],
  ])('for %s is %s', async (given, type, workflows) => {
    expect(await nearest(given)).toEqual({ type, workflows })
  })

  test.each(['bus', 'tale.', 'order.shipped', 'ordercreated.now', 'x', ' '])('for %j is null', async given => {
    expect(await nearest(given)).toBeNull()
  })

  test('is cached for a short time and then read again', async () => {
    const types = new TriggerTypes()
    await types.refresh(database.sql, [workspaceId])
    expect(types.nearest(workspaceId, 'Late.Comer')).toBeNull()
    await listenTo('late.comer')
    await types.refresh(database.sql, [workspaceId])
    expect(types.nearest(workspaceId, 'Late.Comer')).toBeNull()
    const later = performance.now() + 200
    while (performance.now() <= later) await new Promise(resolve => setTimeout(resolve, 20))
    await types.refresh(database.sql, [workspaceId])
    expect(types.nearest(workspaceId, 'Late.Comer')).toEqual({ type: 'late.comer', workflows: 1 })
  })

  test('limits the number of comparisons, so that many unknown types with many workflows stay cheap', async () => {
    const { sql } = database
    await sql`
      insert into workflows (workspace_id, name, draft, trigger_type)
      select ${workspaceId}, 'w', '{}', 'some.event.number.' || n from generate_series(10000, 14000) n`
    const types = new TriggerTypes()
    await types.refresh(sql, [workspaceId])
    const from = performance.now()
    for (let n = 0; n < 20_000; n++) types.nearest(workspaceId, `other.event.number.${n}`)
    expect(performance.now() - from).toBeLessThan(500)
  })
})
