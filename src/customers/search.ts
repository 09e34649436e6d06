import { isId } from '../core/ids.ts'
import { continueAfter, type PageOf, toPage, toPageRequest } from '../core/pagination.ts'
import { maxScanned, toScanPage } from '../core/scan.ts'
import { verb } from '../core/verb.ts'
import { isIndexable } from '../core/word-search.ts'
import type { Sql } from '../platform/postgres/client.ts'
import {
  findByPhoneEnding,
  findLastSearched,
  type Search,
  searchByIndex,
  searchFirst,
  selectCustomers,
} from './list-sql.ts'
import { shape } from './record.ts'
import type { Customer, CustomerQuery } from './schema.ts'
import { type CustomerRow, findCustomer } from './sql.ts'

/** Lists the workspace's customers, newest first. All filters must match. */
export const listCustomers = verb(
  { by: 'key or member' },
  async ({ sql, caller }, query: CustomerQuery, signal: AbortSignal): Promise<PageOf<Customer>> => {
    const page = toPageRequest(query)
    const { workspaceId } = caller
    const { consent, channelId, externalId = null, q } = query
    const phone = query.phone?.replace(' ', '+') ?? null
    const text = q?.trim() || null
    const ids = query.ids?.split(',') ?? null
    const areFew = phone !== null || externalId !== null || ids !== null
    const needsSearch = text !== null || consent !== undefined || channelId !== undefined
    if (needsSearch && !areFew) return search(sql, { workspaceId, consent, channelId, text, page }, signal)
    const filter = { workspaceId, consent, channelId, phone, externalId, ids, text }
    return toPage(await selectCustomers(sql, filter, page), page, shape)
  },
)

/** Maximum number of matches read from the index. More frequent texts are found by scanning the newest customers. */
const maxMatches = 50_000
/**
 * Maximum number of scans for one page, each of `maxScanned` customers, and milliseconds after which no further scan
 * starts.
 */
const [maxScans, maxMs] = [50, 3000]

/**
 * Scans the first customers of the page, which usually fills the page or covers all customers. The others are found by
 * the index. If the index cannot be used, the scans continue until the page is full, all customers were read, or the
 * limits are reached. Only in the last case is a page short although more matches exist. Aborts when the caller
 * disconnects.
 */
const search = async (sql: Sql, request: Search, signal: AbortSignal): Promise<PageOf<Customer>> => {
  const { text, page } = request
  const matches: Awaited<ReturnType<typeof searchFirst>>[number][] = []
  const deadline = performance.now() + maxMs
  let rest = page
  for (let scans = 1; ; scans++) {
    signal.throwIfAborted()
    const scan = { ...request, page: { ...rest, limit: page.limit - matches.length } }
    const batch = await searchFirst(sql, scan, maxScanned)
    matches.push(...batch)
    if (matches.length > page.limit || batch.at(-1)?.hasMore) return toPage(matches, page, shape)
    const last = await findLastSearched(sql, scan, maxScanned)
    if (last === null) return toPage(matches, page, shape)
    const usesIndex = scans === 1 && text !== null && isIndexable(text)
    const byIndex = usesIndex ? await searchByIndex(sql, { ...request, text }, maxMatches) : null
    if (byIndex) return toPage(byIndex, page, shape)
    if (scans === maxScans || performance.now() > deadline) return toScanPage(matches, page, async () => last, shape)
    rest = continueAfter(page, last)
  }
}

/**
 * Finds the newest customers with all words in the name, the phone or the external id. In a large workspace, older
 * customers are found by the index, which needs three letters or digits and at most `maxMatches` matches. Customers
 * whose phone ends with the digits of the text come first.
 */
export const findCustomersByText = async (
  sql: Sql,
  { workspaceId, text, limit }: { workspaceId: string; text: string; limit: number },
): Promise<CustomerRow[]> => {
  const digits = phoneEndingOf(text)
  const byPhone = digits === null ? [] : await findByPhoneEnding(sql, { workspaceId, digits, limit }, maxEndings)
  if (byPhone.length >= limit) return byPhone
  const request = { workspaceId, text, page: { limit, before: null } }
  const newest = await searchFirst(sql, request, maxScanned)
  const needsIndex = newest.length < limit && isIndexable(text)
  const byText = (needsIndex ? await searchByIndex(sql, request, maxMatches) : null) ?? newest
  return [...new Map([...byPhone, ...byText].map(customer => [customer.id, customer])).values()].slice(0, limit)
}

/** Maximum number of customers with the same ending that are compared by age. */
const maxEndings = 10_000

/**
 * Returns the digits of a text that can be the end of a phone number. The zero of a national number is left out. A text
 * with a plus is the start of a number, which many customers have in common, so it would read most of the index.
 */
const phoneEndingOf = (text: string): string | null => {
  if (!/^[\d\s\p{Cf}\p{Pd}()./]+$/u.test(text)) return null
  const digits = text.replace(/\D/g, '')
  const ending = digits.length > 5 ? digits.replace(/^0+/, '') : digits
  return ending.length >= 3 && ending.length <= 15 ? ending : null
}

/** Returns one customer of the caller's workspace. */
export const readCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string): Promise<Customer> =>
    shape(isId(id) ? await findCustomer(sql, caller.workspaceId, id) : null),
)
