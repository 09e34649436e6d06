import { expect, test } from 'bun:test'
import type { Attention } from '../../../src/insights/alerts/index.ts'
import { AlertTracker } from '../../../src/insights/live-feed/alert-tracker.ts'

const shop = 'a0000000-0000-7000-8000-000000000001'
const workspace = 'a0000000-0000-7000-8000-000000000002'

const late = (count: number): Attention => ({
  kind: 'deliveries_waiting',
  since: '2026-11-22T12:00:00.000Z',
  title: `${count} deliveries are waiting for Shop.`,
  detail: 'It is paused. Resume it to send them.',
  subject: { type: 'webhook', id: shop },
})
const failing: Attention = { ...late(1), kind: 'endpoint_failing' }
const full: Attention = {
  ...late(1),
  kind: 'allowance_nearly_full',
  subject: { type: 'allowance', id: 'monthlyEvents' },
}

const told = (rows: ReturnType<AlertTracker['update']>) => rows.map(({ id, data }) => [id, data.kind, data.over])

test('emits an alert once when it starts and once when it ends, and nothing for alerts that exist at first', () => {
  const needs = new AlertTracker(workspace, [late(1)], 0, 60_000)
  expect(needs.update([late(1)], 1)).toEqual([])
  expect(told(needs.update([failing, full], 2))).toEqual([
    [shop, 'deliveries_waiting', true],
    [shop, 'endpoint_failing', false],
    [workspace, 'allowance_nearly_full', false],
  ])
  expect(needs.update([failing, full], 3)).toEqual([])
  expect(told(needs.update([], 4))).toEqual([
    [shop, 'endpoint_failing', true],
    [workspace, 'allowance_nearly_full', true],
  ])
  expect(needs.update([], 5)).toEqual([])
})

test('emits a lasting alert again when its text changes, at most once per minute', () => {
  const needs = new AlertTracker(workspace, [late(1)], 0, 60_000)
  expect(needs.update([late(2)], 59_999)).toEqual([])
  expect(told(needs.update([late(2)], 60_000))).toEqual([[shop, 'deliveries_waiting', false]])
  expect(needs.update([late(3)], 119_999)).toEqual([])
  expect(needs.update([late(2)], 120_000)).toEqual([])
  expect(told(needs.update([late(3)], 120_001))).toEqual([[shop, 'deliveries_waiting', false]])
})
