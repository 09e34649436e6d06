/** Tests of GET /v1/customers?q= in a workspace with more customers than one scan reads. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { searchByIndex } from '../../../../src/customers/sql.ts'
import type { Database } from '../../../../src/platform/postgres/client.ts'
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

interface Page {
  data: { id: string; name: string }[]
  nextCursor: string | null
}

const search = async (q: string, cursor: string | null = null, limit = 10): Promise<Page> =>
  world.expect(
    200,
    'GET',
    `/v1/customers?limit=${limit}&q=${encodeURIComponent(q)}${cursor === null ? '' : `&cursor=${cursor}`}`,
  )

const names = ({ data }: Page) => data.map(({ name }) => name)

describe('matches behind 20,000 other customers', () => {
  test('are found immediately by three letters or digits, newest first and in pages', async () => {
    const both = await search('FERNÁNDEZ')
    expect([names(both), both.nextCursor]).toEqual([['Ana Fernández', 'Zoë Fernández'], null])
    const first = await search('fern', null, 1)
    expect(names(first)).toEqual(['Ana Fernández'])
    const second = await search('fern', first.nextCursor, 1)
    expect([names(second), second.nextCursor]).toEqual([['Zoë Fernández'], null])
    expect(await search('100%_\\')).toEqual({ data: [], nextCursor: null })
  })

  test('are on the first page where the index cannot be used', async () => {
    const page = await search('ö!')
    expect([names(page), page.nextCursor]).toEqual([['Ö!'], null])
  })

  test('are on the first page among thousands of matches, and every page but the last is full', async () => {
    const seen = new Set<string>()
    let cursor: string | null = null
    for (let pages = 0; pages === 0 || cursor !== null; pages++) {
      const page: Page = await search('common', cursor, 100)
      for (const { id } of page.data) seen.add(id)
      if (page.nextCursor !== null) expect(page.data).toHaveLength(100)
      cursor = page.nextCursor
    }
    expect(seen.size).toBe(5001)
  })

  test('are found across several scans', async () => {
    // No index supports two letters. One match is among the newest, the other behind 20,000 customers.
    const page = await search('ez')
    expect([names(page), page.nextCursor]).toEqual([['Ana Fernández', 'Zoë Fernández'], null])
    const first = await search('ez', null, 1)
    expect(names(first)).toEqual(['Ana Fernández'])
    const second = await search('ez', first.nextCursor, 1)
    expect([names(second), second.nextCursor]).toEqual([['Zoë Fernández'], null])
  })
})

test('a search by index reads only its matches', async () => {
  const { sql } = world.database
  const plans = await searchByIndex(explaining(sql), asked('fernández'), 5000)
  const plan = JSON.stringify(plans)
  expect(plan).toContain('"Index Name":"customers_search"')
  expect(plan).not.toContain('Seq Scan')
  const removed = [...plan.matchAll(/"Rows Removed by (?:Filter|Index Recheck)":(\d+)/g)].map(([, count]) =>
    Number(count),
  )
  expect(Math.max(0, ...removed)).toBeLessThan(20)
  expect(await searchByIndex(sql, asked('common'), 5000)).toBeNull()
})

const asked = (text: string) => ({ workspaceId: world.workspaceId, text, page: { limit: 10, before: null } })

/** Explains each statement instead of running it, and leaves fragments unchanged. */
const explaining = (sql: Database): Database =>
  new Proxy(sql, {
    apply: (target, self, [template, ...values]: [string | TemplateStringsArray, ...unknown[]]) => {
      const isStatement = typeof template !== 'string' && template[0]!.trimStart().startsWith('with ')
      if (!isStatement) return Reflect.apply(target, self, [template, ...values])
      const [first, ...rest] = template
      const explained = Object.assign([`explain (analyze, format json) ${first}`, ...rest], { raw: template.raw })
      return Reflect.apply(target, self, [explained, ...values])
    },
  })
