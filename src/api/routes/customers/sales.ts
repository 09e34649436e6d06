import { Page } from '../../../core/schema.ts'
import {
  listSales,
  MarkSale,
  markSale,
  readSale,
  Sale,
  SaleQuery,
  VoidSale,
  voidSale,
} from '../../../customers/sales/index.ts'
import { type Operation, operation } from '../../operation.ts'

const tag = 'Sales'

export const saleRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/conversations/:id/sale',
    id: 'markSale',
    locationBase: '/v1/sales',
    verb: markSale,
    tag,
    summary: 'Mark a conversation as a sale',
    description:
      'Marks the conversation as a sale and emits `sale.created` to endpoints. The amount is a JSON number. The service stores, returns and emits exactly the digits that you send.',
    body: MarkSale,
    example: { amount: 129.9, currency: 'EUR', note: 'Two pairs' },
    answers: { 201: { description: 'The sale.', schema: Sale, example: example() } },
    errors: {
      unprocessable: 'the customer of the conversation was erased.',
    },
    needsDigits: true,
    runsWithoutConnection: true,
    args: ({ params, body, digits }) => [params.id!, body, digits.amount!],
  }),
  operation({
    method: 'GET',
    path: '/v1/sales',
    id: 'listSales',
    verb: listSales,
    tag,
    summary: 'List sales',
    description: 'Returns sales, newest first. Voided sales are included.',
    query: SaleQuery,
    answers: {
      200: { description: 'A page of sales.', schema: Page(Sale), example: { data: [example()], nextCursor: null } },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/sales/:id',
    id: 'readSale',
    verb: readSale,
    tag,
    summary: 'Read a sale',
    answers: { 200: { description: 'The sale.', schema: Sale, example: example() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/sales/:id/void',
    id: 'voidSale',
    verb: voidSale,
    tag,
    summary: 'Void a sale',
    description: 'Marks the sale as void. The sale stays in the list, and no event is emitted to endpoints.',
    body: VoidSale,
    example: { reason: 'Entered twice' },
    answers: {
      200: {
        description: 'The voided sale.',
        schema: Sale,
        example: { ...example(), voidedAt: '2026-03-02T10:00:00.000Z', voidReason: 'Entered twice' },
      },
    },
    errors: {
      unprocessable: 'the sale is already void.',
    },
    args: ({ params, body }) => [params.id!, body],
  }),
]

function example(): Sale {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e03',
    conversationId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e01',
    customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
    amount: 129.9,
    currency: 'EUR',
    note: 'Two pairs',
    markedBy: { type: 'user', id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7a02' },
    voidedAt: null,
    voidReason: null,
    createdAt: '2026-03-01T09:30:00.000Z',
  }
}
