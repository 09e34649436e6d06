/** Tests what each step type does when a run enters it. The interpreter and the API test waits and rejected steps. */
import { expect, test } from 'bun:test'
import type { Condition } from '../../../src/core/conditions/condition.ts'
import type { Arrival } from '../../../src/workflows/runs/arrivals.ts'
import { condition } from '../../../src/workflows/steps/condition.ts'
import { type Step, stepTypeOf } from '../../../src/workflows/steps/index.ts'
import { waitFor } from '../../../src/workflows/steps/wait-for.ts'
import { channel, facts, noon, visit } from './visit.ts'

type Facts = Parameters<typeof visit>[0]

/** Enters a step that continues with the step `after`, and returns its outcome. */
const enter = (step: object, seen: Facts = {}) => {
  const named = { next: 'after', ...step } as Step
  const { next, ...entered } = stepTypeOf(named)!.enter(named, visit(seen)) as unknown as Record<string, unknown>
  if (entered.outcome !== 'waiting') expect(next as string).toBe('after')
  return entered
}
const skipped = (reason: string) => ({ outcome: 'skipped', detail: { reason } })
const withAttributes = (attributes: object) => ({ customer: { ...facts().customer, attributes: { ...attributes } } })

test.each(['hologram', 'toString', '__proto__', 'constructor', ''])('no step type is called %j', type => {
  expect(stepTypeOf({ type } as unknown as Step)).toBeUndefined()
})

const large = { path: 'data.total', op: 'gte' as const, value: 100 }
const at = (path: string) => ({ path, op: 'eq' as const, value: 1 })
const list = Array.from({ length: 60_000 }, () => 1)
const twenty = Array.from({ length: 20 }, (_, index) => at(`data.a${index}`))
const ten = twenty.slice(0, 10).map(({ path }) => path)
test.each<[string, Condition, object, object]>([
  ['that it holds', large, { total: 100 }, { outcome: 'then' }],
  ['that it does not hold', large, { total: 99 }, { outcome: 'else' }],
  ['a path without a value', large, {}, { outcome: 'else', detail: { absent: ['data.total'] } }],
  [
    'each compared path without a value',
    { any: [at('data.a'), { not: at('customer.attributes.b') }, at('data.never')] },
    {},
    { outcome: 'then', detail: { absent: ['data.a', 'customer.attributes.b'] } },
  ],
  ['no path whose existence was asked', { path: 'data.a', op: 'exists' }, {}, { outcome: 'else' }],
  ['at most ten paths', { any: twenty }, {}, { outcome: 'else', detail: { absent: ten } }],
  [
    'that there was too much to compare',
    { not: { path: 'data.list', op: 'contains', value: 2 } },
    { list },
    { outcome: 'else', detail: { reason: 'too_much_to_compare' } },
  ],
])('the trace of a condition reports %s', (_, asked, data, entered) => {
  const step = { type: 'condition', if: asked, then: 'after', else: 'after' }
  expect(enter(step, { data: { ...data } })).toEqual(entered as never)
})

test('a condition has at most 200 comparisons, 10 levels, and lists of 1000 values', () => {
  const one = { path: 'data.total', op: 'exists' as const }
  const faultsOf = (wanted: Condition) => [
    ...condition.faults!({ type: 'condition', if: wanted, then: null, else: null }),
  ]
  const lists = (count: number): Condition => ({ all: Array(count).fill({ any: Array(50).fill(one) }) })
  const nested = (levels: number): Condition => (levels === 0 ? one : { not: nested(levels - 1) })
  const listed = (count: number): Condition => ({ path: 'data.total', op: 'in', value: Array(count).fill(1) })
  expect([lists(4), nested(10), listed(1000)].map(faultsOf)).toEqual([[], [], []])
  expect(faultsOf(lists(5))).toEqual([['if', 'Has 250 comparisons. The maximum is 200.']])
  expect(faultsOf(nested(11))).toEqual([['if', 'Has conditions nested 11 levels deep. The maximum is 10.']])
  expect(faultsOf(listed(1001)).map(([field]) => field)).toEqual(['if.value'])
})

const nine = { until: { time: '09:00' } }
const inBerlin = { timezone: 'Europe/Berlin' }
test.each<[until: string, step: object, seen: Facts]>([
  ['2026-03-01T13:00:00.000Z', { for: 'PT1H' }, {}],
  ['2026-03-02T09:00:00.000Z', nine, {}],
  ['2026-03-02T08:00:00.000Z', nine, inBerlin],
  ['2026-03-01T14:00:00.000Z', nine, { ...inBerlin, ...withAttributes({ timezone: 'America/New_York' }) }],
  ['2026-03-02T08:00:00.000Z', nine, { ...inBerlin, ...withAttributes({ timezone: 'the moon' }) }],
  [
    '2026-03-04T03:30:00.000Z',
    { until: { time: '09:00', zone: 'Asia/Kolkata', weekdays: ['wed'] } },
    withAttributes({ timezone: 'America/New_York' }),
  ],
])(
  'a delay waits until %s: its own zone, else that of the customer, else that of the workspace',
  (until, step, seen) => {
    expect(enter({ type: 'delay', ...step }, seen)).toEqual({
      outcome: 'waiting',
      detail: { until },
      waitUntil: new Date(until),
    })
  },
)

test('a wait takes the first exit that matches the arrival', () => {
  const step = {
    type: 'wait_for' as const,
    timeout: '2d',
    onTimeout: 'lost',
    any: [
      { reply: { in: ['yes', '1'] }, next: 'sold' },
      { event: 'order.paid', match: { 'data.total': 'data.total' }, next: 'thanks' },
      { reply: {}, next: null },
    ],
  }
  const at = noon.toISOString()
  const exitOf = (arrival: Arrival) => waitFor.matchArrival!(step, arrival, visit())
  const reply = (text: string) => exitOf({ id: 'a', kind: 'reply', text, at })
  const paid = (total: number) => exitOf({ id: 'b', kind: 'event', type: 'order.paid', data: { total }, at })
  expect(reply('Yes!')).toEqual({ outcome: 'reply', detail: { exit: 0, id: 'a' }, next: 'sold' })
  expect([paid(120)?.next, paid(121), reply('why?')?.detail]).toEqual(['thanks', null, { exit: 2, id: 'a' }])
})

const sale = {
  type: 'mark_sale',
  amount: '{{data.total}}',
  currency: '{{data.currency|EUR}}',
  note: 'cart {{data.id}}',
}
test.each([undefined, 'much', -1, '1.234', 1e21, '1.5e20', '10.', '.0', [[1]]])('%j is no amount of a sale', total => {
  expect(enter(sale, { data: { total } })).toEqual(skipped('no_amount'))
})

test.each([
  ['10', 'JPY', '10.00'],
  ['10', 'JPY', 10.0],
  ['0', 'JPY', '0.0'],
  ['100', 'jpy', '100.0'],
  ['12.5', 'EUR', '12.500'],
  ['129.90', 'EUR', '129.90'],
  ['12.5', 'EUR', 12.5],
])('a sale is %s %s if the event contains %j: a number and a text are the same amount', (amount, currency, total) => {
  const detail = { amount, currency: currency.toUpperCase() }
  const effects = [{ kind: 'mark_sale', ...detail, note: 'cart 7' }]
  expect(enter(sale, { data: { total, currency, id: 7 } })).toEqual({ outcome: 'marked', detail, effects })
})

const hello = { type: 'send_message', text: 'Hello {{customer.name|there}}' }
const first = { channelId: 'first', handle: '+4915112345678', skipped: null }
test('a message has the rendered text, and its own channel or the one that was connected first', () => {
  const effect = { kind: 'queue_message', text: 'Hello Ana', template: null, ...first }
  expect(enter(hello)).toEqual({ outcome: 'queued', effects: [effect] })
  expect(enter({ ...hello, channelId: 'SECOND' }).effects).toEqual([{ ...effect, channelId: 'second' }])
})

const templateId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7f09'
const variables = ['name', 'total'].map(name => ({ name, sample: 'x' }))
const provider = { name: 'welcome', language: 'en' }
const template = {
  id: templateId,
  name: 'Welcome',
  category: 'utility' as const,
  body: 'Hello {{name}}, {{total}}',
  variables,
  provider,
}
const templated = {
  type: 'send_template',
  templateId: templateId.toUpperCase(),
  variables: { name: '{{customer.name|there}}', total: '{{data.total}}' },
}
const known = (other: object = {}) => ({ templates: { [templateId]: { ...template, ...other } } })
const marketing = known({ category: 'marketing' })

test('a template is filled, with the parameters of its provider', () => {
  const sent = { id: templateId, marketing: false, provider: { ...provider, parameters: ['Ana', '120'] } }
  expect(enter(templated, known())).toEqual({
    outcome: 'queued',
    effects: [{ kind: 'queue_message', text: 'Hello Ana, 120', template: sent, ...first }],
  })
  expect(enter(templated, marketing).effects).toMatchObject([{ template: { marketing: true } }])
})

const shop = { body: `${template.body} {{shop}}`, variables: [...variables, { name: 'shop', sample: 'Ours' }] }
const gone = channel({ id: 'gone', connected: false })
test.each<[reason: string, step: object, seen: Facts]>([
  ['no_currency', sale, { data: { total: 1, currency: 'EURO' } }],
  ['no_channel', hello, { channels: [] }],
  ['no_channel', { ...hello, channelId: 'unknown' }, {}],
  ['no_channel', { ...templated, channelId: 'gone' }, { ...known(), channels: [gone] }],
  ['no_address', hello, { channels: [channel({ address: null })] }],
  ['no_text', { ...hello, text: ' {{data.text}}\n' }, {}],
  ['no_text', { ...hello, text: '{{data.blank}}' }, { data: { blank: ' \t ' } }],
  ['no_text', { ...hello, text: '{{data.invisible}}' }, { data: { invisible: '\u200b\u2800' } }],
  ['no_template', templated, {}],
  ['no_template', templated, known(shop)],
])('a step is skipped for the reason %s: %j', (reason, step, seen) => {
  expect(enter(step, seen)).toEqual(skipped(reason))
})

const windowed = (other: object) => ({ channels: [channel({ windowHours: 24, windowClosesAt: null, ...other })] })
const noonClosed = windowed({ templates: true, windowClosesAt: noon.toISOString() })
test.each<[reason: string, seen: Facts]>([
  ['plan', { plan: { workflows: false } }],
  ['opted_out', { customer: { ...facts().customer, optedOut: true } }],
  ['no_opt_in', { ...marketing, customer: { ...facts().customer, optedIn: false } }],
  ['window_closed', windowed({})],
  ['window_closed', { ...known({ provider: null }), ...noonClosed }],
])('a template is stored as skipped for the reason %s', (reason, seen) => {
  const done = enter(templated, { ...known(), ...seen })
  expect(done).toMatchObject({ outcome: 'skipped', detail: { reason } })
  expect(done.effects).toMatchObject([{ kind: 'queue_message', text: 'Hello Ana, 120', skipped: reason }])
})

test('a template is sent while the window is open, and at any time if the provider allows templates', () => {
  const open = windowed({ windowClosesAt: new Date(noon.getTime() + 1).toISOString() })
  for (const seen of [open, windowed({ templates: true })])
    expect(enter(templated, { ...known(), ...seen })).toMatchObject({ outcome: 'queued' })
})

test('attributes are set with rendered texts, unless they would exceed the limits', () => {
  const set = (values: object, attributes: object = {}) =>
    enter({ type: 'set_attribute', set: values }, withAttributes(attributes))
  const values = { lastTotal: '{{data.total}}', at: '{{now}}', vip: true, old: null }
  expect(set(values)).toEqual({
    outcome: 'set',
    effects: [{ kind: 'set_attributes', set: { ...values, lastTotal: '120', at: '2026-03-01T12:00:00.000Z' } }],
  })
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, 1]))
  expect(set({ more: 1 }, full)).toEqual(skipped('attributes_full'))
  expect(set({ more: 1, a0: null }, full).outcome).toBe('set')
  expect(set({ a: 'x'.repeat(1000) }, { b: 'x'.repeat(16_000) })).toEqual(skipped('attributes_full'))
})
