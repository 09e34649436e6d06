import { expect, test } from 'bun:test'
import type { Attention } from '../../../src/domain/attention/index.ts'
import { Needs } from '../../../src/domain/stream/needs.ts'

const shop = 'a0000000-0000-7000-8000-000000000001'
const workspace = 'a0000000-0000-7000-8000-000000000002'

const late = (count: number): Attention => ({
  kind: 'deliveries_waiting',
  since: '2026-11-22T12:00:00.000Z',
  title: `${count} deliveries wait for Shop.`,
  detail: 'It is on hold: releasing it sends them.',
  subject: { type: 'webhook', id: shop },
})
const failing: Attention = { ...late(1), kind: 'endpoint_failing' }
const full: Attention = {
  ...late(1),
  kind: 'allowance_nearly_full',
  subject: { type: 'allowance', id: 'monthlyEvents' },
}

const told = (rows: ReturnType<Needs['take']>) => rows.map(({ id, data }) => [id, data.kind, data.over])

test('emits an alert once when it starts and once when it ends, and nothing for alerts that exist at first', () => {
  const needs = new Needs(workspace, [late(1)], 0, 60_000)
  expect(needs.take([late(1)], 1)).toEqual([])
  expect(told(needs.take([failing, full], 2))).toEqual([
    [shop, 'deliveries_waiting', true],
    [shop, 'endpoint_failing', false],
    [workspace, 'allowance_nearly_full', false],
  ])
  expect(needs.take([failing, full], 3)).toEqual([])
  expect(told(needs.take([], 4))).toEqual([
    [shop, 'endpoint_failing', true],
    [workspace, 'allowance_nearly_full', true],
  ])
  expect(needs.take([], 5)).toEqual([])
})

test('emits a lasting alert again when its text changes, at most once per minute', () => {
  const needs = new Needs(workspace, [late(1)], 0, 60_000)
  expect(needs.take([late(2)], 59_999)).toEqual([])
  expect(told(needs.take([late(2)], 60_000))).toEqual([[shop, 'deliveries_waiting', false]])
  expect(needs.take([late(3)], 119_999)).toEqual([])
  expect(needs.take([late(2)], 120_000)).toEqual([])
  expect(told(needs.take([late(3)], 120_001))).toEqual([[shop, 'deliveries_waiting', false]])
})
