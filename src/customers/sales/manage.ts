import { withAudit } from '../../accounts/audit/index.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId, minIdAt, newId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import { maxScanned, toScanPage } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import { JsonText } from '../../platform/json-text.ts'
import { validateAmount } from './amount.ts'
import { mark } from './mark.ts'
import type { MarkSale, Sale, SaleQuery, VoidSale } from './schema.ts'
import { findLastScannedSale, findSale, markVoided, needsScan, type SaleRow, selectSales } from './sql.ts'

/** Marks a conversation as a sale and emits an event. `digits` is the amount as it was sent. */
export const markSale = verb(
  { by: 'member' },
  async ({ sql, caller }, conversationId: string, { currency, note }: MarkSale, digits: string): Promise<Sale> => {
    const validated = validateAmount(digits, currency)
    if ('faults' in validated) throw invalidRequest(validated.faults)
    if (!isId(conversationId)) throw notFound('conversation')
    const row = await mark(sql, {
      workspaceId: caller.workspaceId,
      id: newId(),
      conversationId,
      customerId: null,
      amount: validated.amount,
      currency,
      note: note ?? null,
      markedBy: { type: 'user', id: caller.id },
      writtenBy: null,
    })
    return shape(row)
  },
)

export const listSales = verb({ by: 'member' }, async ({ sql, caller }, query: SaleQuery): Promise<PageOf<Sale>> => {
  const page = toPageRequest(query)
  const filter = {
    workspaceId: caller.workspaceId,
    customerId: query.customerId ?? null,
    conversationId: query.conversationId ?? null,
    from: query.from === undefined ? null : minIdAt(new Date(query.from)),
    to: query.to === undefined ? null : minIdAt(new Date(query.to)),
    markedBy: query.markedBy ?? null,
    voided: query.voided ?? null,
  }
  const rows = await selectSales(sql, filter, page, maxScanned)
  if (!needsScan(filter)) return toPage(rows, page, shape)
  return toScanPage(rows, page, () => findLastScannedSale(sql, filter, page, maxScanned), shape)
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
  const row = await withAudit(
    ctx,
    ({ sql }) => markVoided(sql, { workspaceId, id, reason }),
    // The audit entry omits the reason. The sale holds it, where an erasure can remove it.
    sale =>
      sale && {
        action: 'voidSale',
        target: { type: 'sale', id },
        detail: { amount: sale.amount, currency: sale.currency },
      },
  )
  if (row) return shape(row)
  if (!(await findSale(ctx.sql, workspaceId, id))) throw notFound('sale')
  throw new DomainError('unprocessable', 'The sale was already voided.')
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
