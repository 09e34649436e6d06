/** Results of a campaign: what happened after its messages were sent. */
import { durationMs } from '../../core/duration.ts'
import { invalidRequest, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest, toPeriod } from '../../core/pagination.ts'
import { maxScanned, toScanPage } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import { JsonText } from '../../platform/json-text.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import { providers } from '../channels/index.ts'
import { type Result, type ResultsQuery, results, withinMessage } from './results-schema.ts'
import {
  countEffects,
  countResults,
  countSentStatuses,
  findLastRecipient,
  hasFewEffects,
  type ResultsOf,
  type ResultsPage,
  selectRecipientsWith,
} from './results-sql.ts'
import type { Recipient, RecipientQuery } from './schema.ts'
import { findCampaign, findChannelOf, type RecipientRow, selectRecipients } from './sql.ts'

const defaultWithinMs = 7 * 86_400_000

const withinMsOf = ({ within }: ResultsQuery): number => {
  if (within === undefined) return defaultWithinMs
  const ms = durationMs(within)
  if (ms === null || ms === 0) throw invalidRequest({ within: withinMessage })
  return ms
}

/** Number of recipients that one statement reads. */
const pageSize = 20_000
/** Maximum number of failure reasons in a response. The others are counted as `other`. */
const maxReasons = 20
/** Maximum number of different failure reasons that are collected. */
const maxCollected = 2000

/** The results with exact sums, which a double may not hold. */
export interface CampaignResults extends Omit<ResultsPage, 'last' | 'read' | 'failed' | 'buyers' | 'sales'> {
  read: number | null
  failed: { reason: string; count: number }[]
  sales: { count: number; customers: number; amounts: { currency: string; amount: JsonText | number }[] }
}

/** Counts the results of a campaign. */
export const readCampaignResults = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string, query: ResultsQuery, signal: AbortSignal): Promise<CampaignResults> => {
    const { workspaceId } = caller
    const withinMs = withinMsOf(query)
    const campaign = isId(id) ? await findCampaign(sql, workspaceId, id) : null
    if (campaign === null) throw notFound('campaign')
    const channel = await findChannelOf(sql, workspaceId, campaign.channelId)
    const of = { workspaceId, campaignId: id, withinMs }
    const whole = campaign.sent > pageSize ? await readAtOnce(sql, of, campaign.channelId) : null
    const totals = whole ?? (await readInPages(sql, of, signal))
    return totals.shape(channel !== null && (providers[channel.kind]?.capabilities.reportsRead ?? false))
  },
)

/**
 * Reads the results of all recipients together. Returns null if customers did more in the period than the campaign has
 * recipients.
 */
const readAtOnce = async (sql: Sql, of: ResultsOf, channelId: string): Promise<Totals | null> => {
  const { firstSentAt, lastSentAt, ...statuses } = await countSentStatuses(sql, of)
  const totals = new Totals()
  if (firstSentAt === null || lastSentAt === null) return totals.add({ ...statuses, ...noEffects })
  // A Date has no microseconds.
  const range = { ...of, channelId, from: firstSentAt, until: new Date(+lastSentAt + of.withinMs + 1) }
  if (!(await hasFewEffects(sql, range, statuses.sent))) return null
  return totals.add({ ...statuses, ...(await countEffects(sql, of, range)) })
}

const noEffects = { replied: 0, optedOut: 0, buyers: 0, sales: [] }

/** Reads the results recipient by recipient, in pages, so that no statement is long. */
const readInPages = async (sql: Sql, of: ResultsOf, signal: AbortSignal): Promise<Totals> => {
  const totals = new Totals()
  let [after, isEnd] = [smallestId, false]
  while (!isEnd) {
    signal.throwIfAborted()
    const { last, ...page } = await countResults(sql, of, after, pageSize)
    totals.add(page)
    after = last ?? after
    isEnd = page.sent < pageSize
  }
  return totals
}

type Counts = Omit<ResultsPage, 'last' | 'failed' | 'sales'>

/** Sums of the pages. */
class Totals {
  readonly #counts: Counts = { sent: 0, delivered: 0, read: 0, replied: 0, optedOut: 0, buyers: 0 }
  readonly #failed = new Map<string, number>()
  readonly #sales = new Map<string, { count: number; amount: Decimal }>()

  add({ failed, sales, ...page }: Omit<ResultsPage, 'last'>): Totals {
    for (const name of Object.keys(this.#counts) as (keyof Counts)[]) this.#counts[name] += page[name]
    for (const { reason, count } of failed) {
      const key = reason ?? 'unknown'
      const isFull = this.#failed.size >= maxCollected && !this.#failed.has(key)
      add(this.#failed, isFull ? 'other' : key, count)
    }
    for (const { currency, count, amount } of sales) {
      const before = this.#sales.get(currency)
      const sum = { count: (before?.count ?? 0) + count, amount: Decimal.sum(before?.amount, amount) }
      this.#sales.set(currency, sum)
    }
    return this
  }

  shape(reportsRead: boolean): CampaignResults {
    const { buyers, read, ...counts } = this.#counts
    const sales = [...this.#sales].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      ...counts,
      read: reportsRead ? read : null,
      failed: this.#reasons(),
      sales: {
        count: sales.reduce((sum, [, { count }]) => sum + count, 0),
        customers: buyers,
        amounts: sales.map(([currency, { amount }]) => ({ currency, amount: new JsonText(String(amount)) })),
      },
    }
  }

  #reasons(): { reason: string; count: number }[] {
    // By name among equals, so that repeated reads have the same order and the same `other`.
    const sorted = [...this.#failed].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    const named = sorted.filter(([reason]) => reason !== 'other')
    const rest = [...named.slice(maxReasons), ...sorted.filter(([reason]) => reason === 'other')]
    const other = rest.reduce((sum, [, count]) => sum + count, 0)
    return [
      ...named.slice(0, maxReasons).map(([reason, count]) => ({ reason, count })),
      ...(other > 0 ? [{ reason: 'other', count: other }] : []),
    ]
  }
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

/** Decimal number with at most three decimals, which keeps the most decimals of its summands. */
class Decimal {
  private constructor(
    private readonly thousandths: bigint,
    private readonly decimals: number,
  ) {}

  static sum(before: Decimal | undefined, text: string): Decimal {
    const [whole = '0', fraction = ''] = text.split('.')
    const value = BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'))
    return new Decimal((before?.thousandths ?? 0n) + value, Math.max(before?.decimals ?? 0, fraction.length))
  }

  toString(): string {
    const fraction = String(this.thousandths % 1000n)
      .padStart(3, '0')
      .slice(0, this.decimals)
    return `${this.thousandths / 1000n}${this.decimals > 0 ? `.${fraction}` : ''}`
  }
}

export const listCampaignRecipients = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string, query: RecipientQuery): Promise<PageOf<Recipient>> => {
    const { workspaceId } = caller
    const withinMs = withinMsOf(query)
    if (!isId(id) || (await findCampaign(sql, workspaceId, id)) === null) throw notFound('campaign')
    const { limit, cursor, customerId = null } = query
    const page = toPageRequest({ limit, cursor })
    const period = toPeriod(query)
    const result = isResult(query.outcome) ? query.outcome : null
    const outcome = isResult(query.outcome) ? 'sent' : (query.outcome ?? null)
    if (result !== null || period !== undefined) {
      const filter = { workspaceId, campaignId: id, withinMs, outcome, result, customerId, period, page }
      const rows = await selectRecipientsWith(sql, filter, maxScanned)
      return toScanPage(rows, page, () => findLastRecipient(sql, filter, maxScanned), shapeRecipient)
    }
    const rows = await selectRecipients(sql, { workspaceId, campaignId: id, outcome, customerId }, page)
    return toPage(rows, page, shapeRecipient)
  },
)

const isResult = (outcome: RecipientQuery['outcome']): outcome is Result => results.some(result => result === outcome)

const shapeRecipient = ({ id, at, ...row }: RecipientRow): Recipient => ({
  customerId: id,
  ...row,
  at: at.toISOString(),
})
