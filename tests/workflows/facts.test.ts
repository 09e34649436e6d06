import { expect, test } from 'bun:test'
import type { Comparison } from '../../src/core/conditions/condition.ts'
import { evaluateCondition } from '../../src/core/conditions/evaluate.ts'
import { render } from '../../src/core/texts.ts'

import type { Facts } from '../../src/workflows/runs/facts.ts'

const facts: Facts = {
  data: {
    total: 120.5,
    text: '12.50',
    code: '{{data.total}}',
    items: [{ sku: 'A' }, { sku: 'B' }],
    tags: ['new', 'gift'],
    none: null,
    yes: true,
    deep: { er: 1 },
  },
  event: { id: 'e', type: 'order.created' },
  customer: { id: 'c', name: null, phone: '+491', externalId: null, attributes: { tier: 'gold' } },
}

const cases: [string, Comparison['op'], unknown, boolean][] = [
  ['data.yes', 'eq', true, true],
  ['event.type', 'in', ['order.created', 'x'], true],
  ['event.type', 'in', 'order.created', false],
  ['data.tags', 'contains', 'gift', true],
  ['data.tags', 'contains', 'gif', false],
  ['data.items.1.sku', 'eq', 'B', true],
  ['customer.attributes.tier', 'eq', 'gold', true],
  ['data.missing', 'exists', undefined, false],
  ['data.missing', 'exists', false, true],
  ['data.none', 'exists', true, false],
  ['customer.name', 'eq', 'Ana', false],
  ['data.missing', 'ne', 1, false],
  ['data.deep.er.than', 'eq', 1, false],
  ['data.constructor', 'exists', true, false],
  ['data.toString', 'exists', undefined, false],
  ['data.__proto__.x', 'exists', true, false],
  ['data.text', 'contains', 2.5, true],
  ['data.text', 'contains', { toString: 1 }, false],
]
test.each(cases)('%s %s %j is %p', (path, op, value, outcome) => {
  expect(evaluateCondition({ path, op, value }, facts)).toBe(outcome)
})

test.each([
  ['{{data.total}} {{data.total}}', '120.5 120.5'],
  ['{{ data.items.1.sku }}!', 'B!'],
  ['{{customer.name | dear friend }}.', 'dear friend.'],
  ['{{customer.name}}.', '.'],
  ['{{data.deep}}', '{"er":1}'],
  ['{{data.code}}', '{{data.total}}'],
  ['no { braces } here', 'no { braces } here'],
])('the text %s is rendered as %s', (text, rendered) => {
  expect(render(text, facts)).toBe(rendered)
})
