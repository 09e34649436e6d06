import { expect, test } from 'bun:test'
import { attributeLimits as limits } from '../../../src/customers/schema.ts'
import { attributeLimits, setAttribute } from '../../../src/workflows/steps/set-attribute.ts'
import { facts, visit } from './visit.ts'

const step = (set: Record<string, string | number | boolean | null>) => ({
  type: 'set_attribute' as const,
  set,
  next: 'after',
})
const withAttributes = (attributes: Record<string, unknown>) => visit({ customer: { ...facts().customer, attributes } })

test('sets the values with rendered texts', () => {
  expect(
    setAttribute.enter(step({ lastTotal: '{{data.total}}', at: '{{now}}', vip: true, old: null }), visit()),
  ).toEqual({
    outcome: 'set',
    effects: [
      {
        kind: 'set_attributes',
        set: { lastTotal: '120', at: '2026-03-01T12:00:00.000Z', vip: true, old: null },
      },
    ],
    next: 'after',
  })
})

test('is skipped if the attributes exceed the limits, and not if it replaces others', () => {
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, 1]))
  const skipped = { outcome: 'skipped' as const, detail: { reason: 'attributes_full' }, next: 'after' }
  expect(setAttribute.enter(step({ more: 1 }), withAttributes(full))).toEqual(skipped)
  expect(setAttribute.enter(step({ more: 1, a0: null }), withAttributes(full)).outcome).toBe('set')
  expect(setAttribute.enter(step({ a: 'x'.repeat(1000) }), withAttributes({ b: 'x'.repeat(16_000) }))).toEqual(skipped)
})

test('has the limits of customers', () => {
  expect(attributeLimits).toEqual({ fields: limits.fields, bytes: limits.bytes })
})

test('reports a name that no path can contain, and an unknown placeholder', () => {
  expect(
    [...setAttribute.faults!(step({ 'a b': 1, c: '{{d}}', __proto__: null, ok: '' }))].map(([field]) => field),
  ).toEqual(['set.a b', 'set.c'])
})
