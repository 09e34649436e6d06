import { expect, test } from 'bun:test'
import { markSale } from '../../../src/workflows/steps/mark-sale.ts'
import { visit } from './visit.ts'

const sold = {
  type: 'mark_sale' as const,
  amount: '{{data.total}}',
  currency: '{{data.currency|EUR}}',
  note: 'cart {{data.id}}',
  next: 'after',
}

test('marks the sale with the exact digits of the event', () => {
  expect(markSale.enter(sold, visit({ data: { total: '129.90', currency: 'usd', id: 7 } }))).toEqual({
    outcome: 'marked',
    effects: [{ kind: 'mark_sale', amount: '129.90', currency: 'USD', note: 'cart 7' }],
    next: 'after',
  })
})

test.each([
  ['no_amount', {}],
  ['no_amount', { total: 'much' }],
  ['no_amount', { total: -1 }],
  ['no_amount', { total: '1.234' }],
  ['no_amount', { total: 1e21 }],
  ['no_amount', { total: '1.5e20' }],
  ['no_amount', { total: '10.' }],
  ['no_amount', { total: '.0' }],
  ['no_amount', { total: [1] }],
  ['no_currency', { total: 1, currency: 'EURO' }],
])('is skipped with the reason %s if the event contains %j', (reason, data) => {
  expect(markSale.enter(sold, visit({ data }))).toEqual({ outcome: 'skipped', detail: { reason }, next: 'after' })
})

test.each([
  ['10', 'JPY', '10.00'],
  ['10', 'JPY', 10.0],
  ['0', 'JPY', '0.0'],
  ['100', 'JPY', '100.0'],
  ['12.5', 'EUR', '12.500'],
  ['12.50', 'EUR', '12.50'],
  ['12.5', 'EUR', 12.5],
])('marks %s %s if the event contains %j: a number and a text are the same amount', (amount, currency, total) => {
  expect(markSale.enter(sold, visit({ data: { total, currency } })).effects).toMatchObject([{ amount, currency }])
})

const faultsOf = (other: object) => [...markSale.faults!({ ...sold, ...other })].map(([field]) => field)

test('requires a literal amount and currency to be valid', () => {
  expect([{}, { amount: 12.5 }, { amount: '12', currency: 'JPY' }].map(faultsOf)).toEqual([[], [], []])
  expect(faultsOf({ amount: 'much' })).toEqual(['amount'])
  expect(faultsOf({ amount: 1e15 })).toEqual(['amount'])
  expect(faultsOf({ amount: 12.5, currency: 'JPY' })).toEqual(['amount'])
  expect(faultsOf({ currency: 'eur' })).toEqual(['currency'])
  expect(faultsOf({ currency: '{{currency}}', note: '{{x}}' })).toEqual(['currency', 'note'])
})
