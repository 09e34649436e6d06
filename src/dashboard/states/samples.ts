/** Sample values of the page of states: ordinary ones, and those that break layouts. */
import { Failure } from '../api/client.ts'

export const now = Date.parse('2026-03-12T14:30:00Z')
export const hourMs = 3_600_000

export const names = {
  usual: 'Ana Moreno',
  long: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh '.repeat(3).trim(),
  unbroken: 'W'.repeat(120),
  rightToLeft: 'مريم الحسيني',
  mixed: 'מרים Ana 123 شركة',
  emoji: '👩‍👩‍👧‍👦 Family 🏳️‍🌈',
  markup: '<b>bold</b><img src=x onerror=alert(1)>',
  phone: '+447700900123',
}

const requestId = '01a20380-d0cb-7327-93bc-fba9f86b236c'
const failed = (
  status: number,
  code: Failure['code'],
  message: string,
  details = {},
  retryAfter: number | null = null,
) => new Failure(status, code, message, details, status === 0 ? null : requestId, retryAfter)

export const failures: Record<string, unknown> = {
  'wrong password': failed(
    401,
    'unauthorized',
    'No account has this e-mail address and password. Check both and try again.',
  ),
  fields: failed(400, 'invalid_request', 'The request has invalid fields.', {
    phone: 'Must be in E.164 format, for example +4915112345678.',
    [names.unbroken]: names.long,
  }),
  'missing record': failed(404, 'not_found', 'No such workflow in this workspace.'),
  conflict: failed(409, 'conflict', 'The record changed since you read it. Read it again.', {
    version: '"2026-03-12"',
  }),
  overloaded: failed(
    503,
    'internal_error',
    'The database is overloaded. Retry after 1 second.',
    { reason: 'overload' },
    600,
  ),
  unreachable: failed(0, 'unreachable', ''),
  'second factor': failed(403, 'forbidden', 'This workspace requires two-factor authentication.', {
    secondFactor: 'required',
  }),
  crash: new TypeError('x is undefined'),
}

export const payload = {
  orderId: 'EU-70112',
  total: 129.95,
  customer: { name: names.rightToLeft, note: names.unbroken },
  items: Array.from({ length: 30 }, (_, index) => ({ name: names.mixed, qty: index, markup: names.markup })),
  empty: {},
  missing: null,
}

export interface Row {
  id: string
  name: string
  status: 'delivered' | 'retrying' | 'failed'
  count: number
}

export const rows = (length: number): Row[] =>
  Array.from({ length }, (_, index) => ({
    id: String(index),
    name: Object.values(names)[index % Object.keys(names).length]!,
    status: (['delivered', 'retrying', 'failed'] as const)[index % 3]!,
    count: (index * 7919) % 10_007,
  }))

export interface Hour {
  at: string
  accepted: number
  rejected: number
  latency: number | null
}

/** Hours with a wave of events. Every fifth hour has no latency. */
export const hours = (count: number, scale: number): Hour[] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(now - (count - index) * hourMs).toISOString(),
    accepted: Math.round(scale * (1 + Math.sin(index / 3))),
    rejected: index % 4 === 0 ? Math.round(scale / 10) : 0,
    latency: index % 5 === 0 ? null : 20 + ((index * 37) % 90),
  }))
