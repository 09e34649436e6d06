/** Tests the maximum number of customers of a workspace. */
import { beforeAll, expect, test } from 'bun:test'
import { createWorkspace } from '../../src/accounts/workspaces/index.ts'
import { requireCustomerCapacity } from '../../src/customers/limit.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()
let workspaceId: string
beforeAll(async () => {
  const owner = { email: 'owner@shop.example', password: 'correct horse battery' }
  workspaceId = (await createWorkspace(database.sql, { name: 'Shop', planId: 'unlimited', owner })).id
})

const add = (count: number) => database.sql`
  insert into customers (workspace_id, external_id)
  select ${workspaceId}, gen_random_uuid()::text from generate_series(1, ${count}::integer)`
const refusal = async (max: number) =>
  requireCustomerCapacity(database.sql, workspaceId, max).then(
    () => null,
    error => `${error.code}: ${error.message}`,
  )

test('rejects a customer over the limit with 422, and accepts one again after an erasure', async () => {
  await add(9)
  expect(await refusal(10)).toBeNull()
  await add(1)
  // The count is cached for a short time, so a lower limit makes the code query the database.
  const sentence = 'unprocessable: A workspace has at most 9 customers. Erase customers that you no longer need.'
  expect(await refusal(9)).toBe(sentence)
  expect(await refusal(10)).toBe(sentence.replace('9', '10'))
  await database.sql`
    update customers set external_id = null, erased_at = now()
    where ctid = (select ctid from customers where workspace_id = ${workspaceId} limit 1)`
  expect(await refusal(10)).toBeNull()
})
