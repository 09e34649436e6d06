/** Marks sales for people. Concurrent calls share one write. */

import { DomainError, notFound } from '../../core/errors.ts'
import { Failed } from '../../platform/micro-batch.ts'
import { microBatched } from '../../platform/postgres/micro-batched.ts'
import { findConversations, findSales, insertSales, type SaleRow, type SaleToMark } from './sql.ts'

/** A sale with a conversation and its own id, which makes a repeated call idempotent. */
type ManualSale = SaleToMark & { id: string; conversationId: string }

/**
 * Marks the sale once and returns it. Fails with 404 (DomainError) if the conversation does not exist, and with 422 if
 * its customer was erased.
 */
export const mark = microBatched<ManualSale, SaleRow>(async (sql, sales) => {
  const marked = await insertSales(sql, sales)
  const markedIds = new Set(marked.map(({ id }) => id))
  const missing = sales.filter(({ id }) => !markedIds.has(id))
  if (missing.length === 0) return toInputOrder(sales, marked)
  // These sales were marked before the connection broke, or cannot be marked.
  const existing = await findSales(sql, missing)
  const conversationIds = new Set((await findConversations(sql, missing)).map(({ id }) => id))
  return toInputOrder(sales, [...marked, ...existing], ({ conversationId }) =>
    conversationIds.has(conversationId.toLowerCase()) ? customerErased : noConversation,
  )
})

const toInputOrder = (
  sales: ManualSale[],
  rows: SaleRow[],
  onMissing?: (sale: ManualSale) => Failed,
): (SaleRow | Failed)[] => {
  const byId = new Map(rows.map(row => [row.id, row]))
  return sales.map(sale => byId.get(sale.id) ?? onMissing!(sale))
}

const noConversation = new Failed(notFound('conversation'))

const customerErased = new Failed(
  new DomainError('unprocessable', 'The customer of this conversation was erased. A sale cannot be marked in it.'),
)
