import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  groupRejectedRequests,
  type RejectedRequest,
  type RejectedRequestGroup,
} from '../../../src/events/rejected-requests/group.ts'

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 9, 0, second))

const refusalWith = (given: Partial<RejectedRequest>): RejectedRequest => ({
  workspaceId: 'w',
  sender: 'custom',
  apiKeyId: null,
  method: 'POST',
  path: '/v1/events',
  status: 400,
  error: { code: 'invalid_request', message: 'phone: Is required.', details: { phone: 'Is required.' } },
  requestId: 'first',
  at: at(0),
  ...given,
})

const only = (problems: RejectedRequestGroup[]): RejectedRequestGroup => {
  expect(problems).toHaveLength(1)
  return problems[0]!
}

test.each([
  ['sender', { sender: 'shopify' }],
  ['API key', { apiKeyId: 'k' }],
  ['method', { method: 'PATCH' }],
  ['path', { path: '/v1/events/batch' }],
  ['status', { status: 409 }],
  ['code', { error: { ...refusalWith({}).error, code: 'conflict' as const } }],
  ['message', { error: { ...refusalWith({}).error, message: 'phone: Must be a text.' } }],
  ['details', { error: { ...refusalWith({}).error, details: { phone: 'Is required.', type: 'Is required.' } } }],
  ['empty details', { error: { code: 'invalid_request' as const, message: 'phone: Is required.' } }],
])('equal refusals become one problem, but another %s makes another', (_, other) => {
  const problems = groupRejectedRequests([refusalWith({}), refusalWith(other), refusalWith({})])
  expect(problems.map(({ count }) => count).sort()).toEqual([1, 2])
  expect(new Set(problems.map(({ digest }) => digest)).size).toBe(2)
})

test('the text of a problem is truncated and can be stored: without U+0000 and half characters', () => {
  const kept = (message: string, details: Record<string, string>) =>
    only(groupRejectedRequests([refusalWith({ error: { code: 'invalid_request', message, details } })]))
  const { message, details } = kept('m'.repeat(5000), { ['p'.repeat(2000)]: 'r'.repeat(2000) })
  expect(message).toBe(`${'m'.repeat(4000)}…`)
  expect(details).toEqual({ [`${'p'.repeat(1000)}…`]: `${'r'.repeat(1000)}…` })
  const odd = kept(`a\0b${'😀'.repeat(2500)}`, JSON.parse('{"\\ud800": "\\u0000", "__proto__": "x"}'))
  expect(odd.message).toBe(`a\ufffdb${'😀'.repeat(1998)}\ufffd…`)
  expect(Object.entries(odd.details!)).toEqual(Object.entries(JSON.parse('{"\ufffd": "\ufffd", "__proto__": "x"}')))
})

describe('any refusals', () => {
  const someText = fc.oneof(
    fc.constantFrom('a', 'b', '__proto__', '\0', '\ud800'),
    fc.integer({ min: 990, max: 5000 }).map(length => '😀'.repeat(length)),
  )
  const someRefusal = fc
    .record({
      workspaceId: fc.constantFrom('w', 'v', 'u'),
      sender: fc.constantFrom('custom', 'shopify'),
      error: fc.record({
        code: fc.constantFrom('invalid_request' as const, 'conflict' as const),
        message: someText,
        details: fc.option(fc.dictionary(someText, someText, { maxKeys: 2, noNullPrototype: true }), {
          nil: undefined,
        }),
      }),
      requestId: fc.uuid(),
    })
    .map(refusalWith as (drawn: object) => RejectedRequest)
  const someRefusals = fc
    .array(someRefusal, { maxLength: 20 })
    .map(refusals => refusals.map((refusal, second) => ({ ...refusal, at: at(second) })))

  const named = ({ workspaceId, digest }: RejectedRequestGroup) => `${workspaceId} ${digest}`

  test('are counted once each per workspace, with bounded text that can be stored', () => {
    fc.assert(
      fc.property(someRefusals, refusals => {
        const problems = groupRejectedRequests(refusals)
        for (const workspaceId of ['u', 'v', 'w']) {
          const isTheirs = (one: { workspaceId: string }) => one.workspaceId === workspaceId
          const counts = problems.filter(isTheirs).map(({ count }) => count)
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(refusals.filter(isTheirs).length)
        }
        for (const { message, details, firstAt, lastAt, requestId } of problems) {
          const inDetails = Object.entries(details ?? {}).flat()
          expect(message.length).toBeLessThanOrEqual(4001)
          for (const text of inDetails) expect(text.length).toBeLessThanOrEqual(1001)
          expect([message, ...inDetails].every(text => text.isWellFormed() && !text.includes('\0'))).toBe(true)
          expect(firstAt <= lastAt).toBe(true)
          expect(refusals.find(refusal => refusal.at === lastAt)!.requestId).toBe(requestId)
        }
        // Every process and every order makes the same problems, sorted.
        const names = problems.map(named)
        expect(groupRejectedRequests(refusals.toReversed()).map(named)).toEqual(names)
        expect(names).toEqual([...new Set(names)].sort())
      }),
    )
  })
})
