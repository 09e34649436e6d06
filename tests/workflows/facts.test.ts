import { describe, expect, test } from 'bun:test'
import type { Comparison } from '../../src/core/conditions/condition.ts'
import { evaluateCondition } from '../../src/core/conditions/evaluate.ts'
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
    ['data.yes', 'eq', true, true],
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
    ['data.items.0.sku', 'exists', undefined, true],
    ['data.toString', 'exists', undefined, false],
    ['data.__proto__.x', 'exists', true, false],
    ['data.text', 'contains', 2.5, true],
    ['data.text', 'contains', { toString: 1 }, false],
  ]
  test.each(cases)('%s %s %j is %p', (path, op, value, outcome) => {
    expect(evaluateCondition({ path, op, value }, facts)).toBe(outcome)
  })
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

  const render400 = (a: unknown, text = '{{data.a}}'.repeat(400)) => render(text, { ...facts, data: { a } })

  const emoji = '😀'.repeat(4096)
  const around = ['x'.repeat(2000), 'y'.repeat(2096)] as const
  test.each<[string, string | undefined, string | undefined, string]>([
    ['does not interpret placeholders in a value', '{{data.b}}', '{{data.a}}', '{{data.b}}'],
    ['has at most 4096 characters', 'x'.repeat(1_000_000), undefined, 'x'.repeat(4096)],
    ['truncates a fallback', undefined, `{{data.a|${'x'.repeat(4000)}}}`.repeat(2), 'x'.repeat(4096)],
    ['keeps the text around a value without space', 'value', around.join('{{data.a}}'), around.join('')],
    ['counts an emoji as one character', '', emoji, emoji],
    ['never splits an emoji', '😀'.repeat(5000), 'a{{data.a}}', `a${'😀'.repeat(4095)}`],
    ['replaces half of an emoji', '\ud800', '{{data.a}}', '\ufffd'],
  ])('%s', (_, a, text, rendered) => {
    expect(render400(a, text)).toBe(rendered)
  })

  test('is created quickly for any template', () => {
    const began = performance.now()
    render400({ long: 'x'.repeat(1_000_000) })
    render400(1, `{{${' '.repeat(4000)}`)
    render400(1, '{{'.repeat(2000))
    expect(performance.now() - began).toBeLessThan(500)
  })
})
