import { describe, expect, test } from 'bun:test'
import type { Comparison } from '../../src/core/conditions/condition.ts'
import { evaluateCondition } from '../../src/core/conditions/evaluate.ts'
import { valueAt } from '../../src/core/conditions/value.ts'
import { render } from '../../src/core/texts.ts'

import type { Facts } from '../../src/workflows/runs/facts.ts'

const facts: Facts = {
  data: {
    total: 120.5,
    text: '12.50',
    items: [{ sku: 'A' }, { sku: 'B' }],
    tags: ['new', 'gift'],
    none: null,
    yes: true,
    deep: { er: 1 },
  },
  event: { id: 'e', type: 'order.created' },
  customer: { id: 'c', name: null, phone: '+491', externalId: null, attributes: { tier: 'gold' } },
}

describe('a comparison', () => {
  const cases: [string, Comparison['op'], unknown, boolean][] = [
    ['data.total', 'eq', 120.5, true],
    ['data.total', 'eq', '120.50', true],
    ['data.text', 'eq', 12.5, true],
    ['data.total', 'ne', 120.5, false],
    ['data.total', 'gt', 120.5, false],
    ['data.total', 'gte', 120.5, true],
    ['data.total', 'lt', '200', true],
    ['data.total', 'lte', 100, false],
    ['data.total', 'gt', 'many', false],
    ['data.yes', 'eq', true, true],
    ['data.yes', 'gt', 0, false],
    ['event.type', 'in', ['order.created', 'x'], true],
    ['event.type', 'in', 'order.created', false],
    ['data.tags', 'contains', 'gift', true],
    ['data.tags', 'contains', 'gif', false],
    ['event.type', 'contains', 'created', true],
    ['data.items.1.sku', 'eq', 'B', true],
    ['customer.attributes.tier', 'eq', 'gold', true],
    ['data.total', 'exists', undefined, true],
    ['data.missing', 'exists', undefined, false],
    ['data.missing', 'exists', false, true],
    ['data.none', 'exists', true, false],
    ['customer.name', 'eq', 'Ana', false],
    ['data.missing', 'ne', 1, false],
    ['data.deep.er.than', 'eq', 1, false],
    ['data.constructor', 'exists', true, false],
    ['data.__proto__.x', 'exists', true, false],
    ['data.text', 'contains', 2.5, true],
    ['data.text', 'contains', { toString: 1 }, false],
  ]
  test.each(cases)('%s %s %j is %p', (path, op, value, outcome) => {
    expect(evaluateCondition({ path, op, value }, facts)).toBe(outcome)
  })
})

test('all, any and not combine', () => {
  const yes: Comparison = { path: 'data.total', op: 'gt', value: 1 }
  const no: Comparison = { path: 'data.total', op: 'gt', value: 1000 }
  expect(evaluateCondition({ all: [yes, { not: no }] }, facts)).toBe(true)
  expect(evaluateCondition({ all: [yes, no] }, facts)).toBe(false)
  expect(evaluateCondition({ any: [no, { any: [no, yes] }] }, facts)).toBe(true)
})

test('a path reads own properties only', () => {
  expect(valueAt(facts, 'data.items.0.sku')).toBe('A')
  expect(valueAt(facts, 'data.toString')).toBeUndefined()
})

describe('a rendered text', () => {
  test.each([
    ['{{data.total}}', '120.5'],
    ['{{ data.items.1.sku }}!', 'B!'],
    ['{{customer.name|there}}', 'there'],
    ['{{customer.name | dear friend }}.', 'dear friend.'],
    ['{{customer.name}}.', '.'],
    ['{{data.deep}}', '{"er":1}'],
    ['{{data.total}} {{data.total}}', '120.5 120.5'],
    ['no { braces } here', 'no { braces } here'],
  ])('is, for %s, %s', (text, rendered) => {
    expect(render(text, facts)).toBe(rendered)
  })

  test('does not interpret placeholders in a value', () => {
    const sly = { ...facts, data: { a: '{{customer.phone}}' } }
    expect(render('{{data.a}}', sly)).toBe('{{customer.phone}}')
  })

  const render400 = (a: unknown, text = '{{data.a}}'.repeat(400)) => render(text, { ...facts, data: { a } })

  test('has at most 4096 characters, and a value that does not fit is truncated', () => {
    expect(render400('x'.repeat(1_000_000))).toBe('x'.repeat(4096))
    expect(render400('x'.repeat(4000), 'a {{data.a}} b {{data.a}} c')).toBe(
      `a ${'x'.repeat(4000)} b ${'x'.repeat(4096 - 4000 - 7)} c`,
    )
    expect(render400(undefined, `{{data.a|${'x'.repeat(4000)}}}`.repeat(2))).toBe('x'.repeat(4096))
  })

  test('keeps the text around its placeholders, even if it leaves no space for values', () => {
    const around = `${'x'.repeat(2000)}{{data.a}}${'y'.repeat(2096)}`
    expect(render400('value', around)).toBe('x'.repeat(2000) + 'y'.repeat(2096))
  })

  test('counts characters in the same way as the limit of a step, and never splits one', () => {
    const emoji = '😀'.repeat(4096)
    expect(render400('', emoji)).toBe(emoji)
    const cut = render400('😀'.repeat(5000), 'a{{data.a}}')
    expect([cut.isWellFormed(), cut]).toEqual([true, `a${'😀'.repeat(4095)}`])
    expect(render400('\ud800', '{{data.a}}')).toBe('\ufffd')
    expect([...render400('x'.repeat(5000), '\ud83d{{data.a}}\ude00')]).toHaveLength(4096)
  })

  test('is created quickly for any template', () => {
    const began = performance.now()
    render400({ long: 'x'.repeat(1_000_000) })
    render400(1, `{{${' '.repeat(4000)}`)
    render400(1, '{{'.repeat(2000))
    expect(performance.now() - began).toBeLessThan(500)
  })
})
