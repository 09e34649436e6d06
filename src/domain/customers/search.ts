import type { Sql } from '../../db/client.ts'
import { isId } from '../ids.ts'
import { maxLookedAt, pageOfLook } from '../look.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { verb } from '../verb.ts'
import { shape } from './record.ts'
import type { Customer, CustomerQuery } from './schema.ts'
import { findCustomer, findLastSearched, type Search, searchByIndex, searchNewest, selectCustomers } from './sql.ts'

/** The workspace's customers, newest first; what is asked for of phone, external id and `q` must all hold. */
export const listCustomers = verb(
  { by: 'key or member' },
  async ({ sql, caller }, query: CustomerQuery, signal: AbortSignal): Promise<PageOf<Customer>> => {
    const page = pageRequest(query)
    const filter = {
      phone: query.phone?.replace(' ', '+') ?? null,
      externalId: query.externalId ?? null,
      search: query.q?.trim() || null,
    }
    const { workspaceId } = caller
    if (filter.search !== null && filter.phone === null && filter.externalId === null)
      return search(sql, { workspaceId, text: filter.search, page }, signal)
    return pageOf(await selectCustomers(sql, workspaceId, filter, page), page.limit, shape)
  },
)

/** Maximum number of matches that the index answers. More are frequent enough to be met while customers are looked at. */
const maxMatches = 50_000
/** Maximum number of looks for one page, each at `maxLookedAt` customers, and milliseconds after which no other begins. */
const [maxLooks, maxMs] = [50, 3000]

/**
 * Looks at the newest customers first: mostly that fills the page, or is all. What lies behind them is found by the index;
 * where that cannot serve, the looks go on until the page is full, the customers end, or the limits are reached. Only then
 * is a page short although there are more. Stops when the caller has gone.
 */
const search = async (sql: Sql, asked: Search, signal: AbortSignal): Promise<PageOf<Customer>> => {
  const { text, page } = asked
  const found: Awaited<ReturnType<typeof searchNewest>>[number][] = []
  const until = performance.now() + maxMs
  let { before } = page
  for (let looks = 1; ; looks++) {
    signal.throwIfAborted()
    const look = { ...asked, page: { limit: page.limit - found.length, before } }
    const near = await searchNewest(sql, look, maxLookedAt)
    found.push(...near)
    if (found.length > page.limit || near.at(-1)?.hasMore) return pageOf(found, page.limit, shape)
    const last = await findLastSearched(sql, look, maxLookedAt)
    if (last === null) return pageOf(found, page.limit, shape)
    const byIndex = looks === 1 && indexed.test(text) ? await searchByIndex(sql, asked, maxMatches) : null
    if (byIndex) return pageOf(byIndex, page.limit, shape)
    if (looks === maxLooks || performance.now() > until) return pageOfLook(found, page.limit, async () => last, shape)
    before = last
  }
}

/** What the index is made of: three signs in a row that are letters or digits to PostgreSQL in any locale. */
const indexed = /[a-z0-9]{3}/i

/** One customer of the caller's workspace. */
export const readCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string): Promise<Customer> =>
    shape(isId(id) ? await findCustomer(sql, caller.workspaceId, id) : null),
)
