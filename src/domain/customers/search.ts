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
  async ({ sql, caller }, query: CustomerQuery): Promise<PageOf<Customer>> => {
    const page = pageRequest(query)
    const filter = {
      phone: query.phone?.replace(' ', '+') ?? null,
      externalId: query.externalId ?? null,
      search: query.q?.trim() || null,
    }
    const { workspaceId } = caller
    if (filter.search !== null && filter.phone === null && filter.externalId === null)
      return search(sql, { workspaceId, text: filter.search, page })
    return pageOf(await selectCustomers(sql, workspaceId, filter, page), page.limit, shape)
  },
)

/** Beyond so many matches of the index, they are many enough to be met on the way. */
const maxMatches = 5000

/**
 * The newest customers are looked at one after the other: mostly that is all, or fills the page. What lies behind them is
 * searched by the index; where it cannot serve, the page ends with the last customer that was looked at.
 */
const search = async (sql: Sql, asked: Search): Promise<PageOf<Customer>> => {
  const { text, page } = asked
  const near = await searchNewest(sql, asked, maxLookedAt)
  const isFull = near.length > page.limit || near.at(-1)?.hasMore
  const last = isFull ? null : await findLastSearched(sql, asked, maxLookedAt)
  const found = last !== null && indexed.test(text) ? await searchByIndex(sql, asked, maxMatches) : null
  return found ? pageOf(found, page.limit, shape) : pageOfLook(near, page.limit, async () => last, shape)
}

/** What the index is made of: three signs in a row that are letters or digits to PostgreSQL in any locale. */
const indexed = /[a-z0-9]{3}/i

/** One customer of the caller's workspace. */
export const readCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string): Promise<Customer> =>
    shape(isId(id) ? await findCustomer(sql, caller.workspaceId, id) : null),
)
