/** Marks sales by hand. Concurrent calls share one write. */
import { Failed } from '../../db/batch.ts'
import { DomainError, notFound } from '../errors.ts'
import { gathered } from '../gather.ts'
import { findConversationsOfSales, findSales, insertSales, type SaleRow, type SaleToMark } from './sql.ts'

/** A sale with a conversation and its own id, which makes a repeated call idempotent. */
type ByHand = SaleToMark & { id: string; conversationId: string }

/**
 * Marks the sale once and returns it. Fails with 404 (DomainError) if the conversation does not exist, and with 422 if
 * its customer was erased.
 */
export const mark = gathered<ByHand, SaleRow>(async (sql, asked) => {
  const marked = await insertSales(sql, asked)
  const done = new Set(marked.map(({ id }) => id))
  const others = asked.filter(({ id }) => !done.has(id))
  if (others.length === 0) return inOrder(asked, marked)
  // These sales were marked before the connection broke, or cannot be marked.
  const before = await findSales(sql, others)
  const known = new Set((await findConversationsOfSales(sql, others)).map(({ id }) => id))
  return inOrder(asked, [...marked, ...before], ({ conversationId }) =>
    known.has(conversationId.toLowerCase()) ? customerErased : noConversation,
  )
})

const inOrder = (asked: ByHand[], rows: SaleRow[], orElse?: (one: ByHand) => Failed): (SaleRow | Failed)[] => {
  const byId = new Map(rows.map(row => [row.id, row]))
  return asked.map(one => byId.get(one.id) ?? orElse!(one))
}

const noConversation = new Failed(notFound('conversation'))

const customerErased = new Failed(
  new DomainError('unprocessable', 'The customer of this conversation was erased; no sale can be marked in it.'),
)
