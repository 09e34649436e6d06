import type { Sql } from '../../db/client.ts'
import { isId } from '../ids.ts'
import { maxLookedAt, pageOfLook } from '../look.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { verb } from '../verb.ts'
import { shape } from './record.ts'
import type { Customer, CustomerQuery } from './schema.ts'
import { findCustomer, findLastSearched, type Search, searchByIndex, searchNewest, selectCustomers } from './sql.ts'

/** Lists the workspace's customers, newest first. Phone, external id and `q` must all match. */
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

/** Maximum number of matches read from the index. More frequent texts are found by scanning the newest customers. */
const maxMatches = 50_000
/**
 * Maximum number of scans for one page, each of `maxLookedAt` customers, and milliseconds after which no further scan
 * starts.
 */
const [maxLooks, maxMs] = [50, 3000]

/**
 * Scans the newest customers first, which usually fills the page or covers all customers. Older customers are found by
 * the index. If the index cannot be used, the scans continue until the page is full, all customers were read, or the
 * limits are reached. Only in the last case is a page short although more matches exist. Aborts when the caller
 * disconnects.
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

/**
 * The trigram index needs three consecutive letters or digits. These are the ones that PostgreSQL recognizes in any
 * locale.
 */
const indexed = /[a-z0-9]{3}/i

/** Returns one customer of the caller's workspace. */
export const readCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string): Promise<Customer> =>
    shape(isId(id) ? await findCustomer(sql, caller.workspaceId, id) : null),
)
