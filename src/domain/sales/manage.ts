import { audited } from '../audited.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { firstIdOf, isId, newId } from '../ids.ts'
import { JsonText } from '../json-text.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { verb } from '../verb.ts'
import { judgeAmount } from './amount.ts'
import { mark } from './mark.ts'
import type { MarkSale, Sale, SaleQuery, VoidSale } from './schema.ts'
import { findSale, type SaleRow, selectSales, updateVoided } from './sql.ts'

/** Marks a conversation as a sale and emits an event. `digits` is the amount as it was sent. */
export const markSale = verb(
  { by: 'member' },
  async ({ sql, caller }, conversationId: string, { currency, note }: MarkSale, digits: string): Promise<Sale> => {
    const judged = judgeAmount(digits, currency)
    if ('faults' in judged) throw invalidRequest(judged.faults)
    if (!isId(conversationId)) throw notFound('conversation')
    const row = await mark(sql, {
      workspaceId: caller.workspaceId,
      id: newId(),
      conversationId,
      customerId: null,
      amount: judged.amount,
      currency,
      note: note ?? null,
      markedBy: { type: 'user', id: caller.id },
      writtenBy: null,
    })
    return shape(row)
  },
)

export const listSales = verb({ by: 'member' }, async ({ sql, caller }, query: SaleQuery): Promise<PageOf<Sale>> => {
  const page = pageRequest(query)
  const filter = {
    workspaceId: caller.workspaceId,
    customerId: query.customerId ?? null,
    conversationId: query.conversationId ?? null,
    from: query.from === undefined ? null : firstIdOf(new Date(query.from)),
    to: query.to === undefined ? null : firstIdOf(new Date(query.to)),
  }
  return pageOf(await selectSales(sql, filter, page), page.limit, shape)
})

export const readSale = verb({ by: 'member' }, async ({ sql, caller }, id: string): Promise<Sale> => {
  const row = isId(id) ? await findSale(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('sale')
  return shape(row)
})

/**
 * Voids a sale. The sale stays in lists. No event is emitted, because endpoints have already received `sale.created`.
 */
export const voidSale = verb({ by: 'member' }, async (ctx, id: string, { reason }: VoidSale): Promise<Sale> => {
  if (!isId(id)) throw notFound('sale')
  const { workspaceId } = ctx.caller
  const row = await audited(
    ctx,
    ({ sql }) => updateVoided(sql, { workspaceId, id, reason }),
    // The audit entry omits the reason. The sale holds it, where an erasure can remove it.
    sale =>
      sale && {
        action: 'voidSale',
        target: { type: 'sale', id },
        detail: { amount: sale.amount, currency: sale.currency },
      },
  )
  if (row) return shape(row)
  const voided = await findSale(ctx.sql, workspaceId, id)
  if (!voided) throw notFound('sale')
  throw new DomainError('unprocessable', `The sale was voided already, at ${voided.voidedAt!.toISOString()}.`)
})

const shape = (row: SaleRow): Sale => ({
  id: row.id,
  conversationId: row.conversationId,
  customerId: row.customerId,
  amount: new JsonText(row.amount),
  currency: row.currency,
  note: row.note,
  markedBy: { type: row.markedByType, id: row.markedById },
  voidedAt: row.voidedAt?.toISOString() ?? null,
  voidReason: row.voidReason,
  createdAt: row.createdAt.toISOString(),
})
