/** Tests of GET /v1/customers?q= in a workspace with more customers than one scan reads. */
import { beforeAll, expect, test } from 'bun:test'
import { searchByIndex } from '../../../../src/customers/list-sql.ts'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()
beforeAll(async () => {
  const add = (count: number, name: string) => world.database.sql`
    insert into customers (workspace_id, phone, name)
    select ${world.workspaceId}, '+49' || (15000000000 + (select count(*) from customers) + n), ${name}
    from generate_series(1, ${count}) n`
  await add(1, 'Zoë Fernández')
  await add(1, 'Ö!')
  await add(5001, 'Common')
  await add(20_000, 'Ben')
  await add(1, 'Ana Fernández')
  await world.database.sql`analyze customers`
})

const path = (q: string, limit = 10) => `/v1/customers?limit=${limit}&q=${encodeURIComponent(q)}`
const search = async (q: string) => {
  const { data, nextCursor } = await world.expect(200, 'GET', path(q))
  return { names: data.map(({ name }: { name: string }) => name), nextCursor }
}
const found = (...names: string[]) => ({ names, nextCursor: null })

// No index supports two letters. One match is among the newest, the other behind 20,000 customers.
test.each(['FERNÁNDEZ', 'ez', 'fernandez', 'DEZ fern'])('are found by %s, newest first and in pages', async q => {
  expect(await search(q)).toEqual(found('Ana Fernández', 'Zoë Fernández'))
  const pages = await world.pages(path(q, 1))
  expect(pages.map(page => page.map(({ name }) => name))).toEqual([['Ana Fernández'], ['Zoë Fernández']])
})

test('matches behind 20,000 other customers are on the first page where the index cannot be used', async () => {
  expect(await search('ö!')).toEqual(found('Ö!'))
  expect(await search('100%_\\')).toEqual(found())
})

test('pages are full where thousands of customers match', async () => {
  const pages = await world.pages(path('common', 100))
  for (const page of pages.slice(0, -1)) expect(page).toHaveLength(100)
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(5001)
})

test('the index is used for a text with at most that many matches', async () => {
  const search = { workspaceId: world.workspaceId, text: 'common', page: { limit: 10, before: null } }
  expect(await searchByIndex(world.database.sql, search, 5001)).toHaveLength(11)
  expect(await searchByIndex(world.database.sql, search, 5000)).toBeNull()
})
