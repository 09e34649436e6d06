/** Tests the maximum number of customers of a workspace. */
import { expect, test } from 'bun:test'
import { requireCustomerCapacity } from '../../src/customers/limit.ts'
import { newWorkspace, useDatabase } from '../support/database.ts'

const database = useDatabase()

test('rejects a customer over the limit with 422, and accepts one again after an erasure', async () => {
  const { sql } = database
  const workspaceId = await newWorkspace(sql)
  const add = (count: number) => sql`
    insert into customers (workspace_id, external_id)
    select ${workspaceId}, gen_random_uuid()::text from generate_series(1, ${count}::integer)`
  const refusal = (max: number) =>
    requireCustomerCapacity(sql, workspaceId, max).catch(error => `${error.code}: ${error.message}`)
  await add(9)
  expect(await refusal(10)).toBeUndefined()
  await add(1)
  // The count is cached for a short time, so a lower limit makes the code query the database.
  const sentence = 'unprocessable: A workspace has at most 9 customers. Erase customers that you no longer need.'
  expect(await refusal(9)).toBe(sentence)
  expect(await refusal(10)).toBe(sentence.replace('9', '10'))
  await sql`
    update customers set external_id = null, erased_at = now()
    where ctid = (select ctid from customers where workspace_id = ${workspaceId} limit 1)`
  expect(await refusal(10)).toBeUndefined()
})
