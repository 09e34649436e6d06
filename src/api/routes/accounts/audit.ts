import { AuditEntry, AuditQuery, listAuditEntries } from '../../../accounts/audit/index.ts'
import { Page } from '../../../core/schema.ts'
import { type Operation, operation } from '../../operation.ts'

export const auditRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/audit',
    id: 'listAuditEntries',
    verb: listAuditEntries,
    tag: 'Audit',
    summary: 'List audit entries',
    description:
      'Returns audit entries, newest first. Each entry is written in the same transaction as its action and never changes. With several filters, a page can contain fewer entries than `limit` and still have a `nextCursor`.',
    query: AuditQuery,
    answers: {
      200: {
        description: 'A page of entries.',
        schema: Page(AuditEntry),
        example: { data: [example], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
]

const example: AuditEntry = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e11',
  at: '2026-03-01T09:30:00.000Z',
  actor: { type: 'user', id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01', name: 'Ana Owner' },
  action: 'issueApiKey',
  target: { type: 'api_key', id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7a01' },
  detail: { name: 'web shop', prefix: 'ces_Y2FyZWZ1' },
  address: '203.0.113.7',
  requestId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e12',
  via: null,
}
