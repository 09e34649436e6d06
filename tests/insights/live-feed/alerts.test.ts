import { expect, test } from 'bun:test'
import type { Attention } from '../../../src/insights/alerts/index.ts'
import { durationText } from '../../../src/insights/alerts/texts.ts'
import { AlertTracker } from '../../../src/insights/live-feed/alert-tracker.ts'

const shop = 'a0000000-0000-7000-8000-000000000001'
const workspace = 'a0000000-0000-7000-8000-000000000002'

const late = (count: number): Attention => ({
  kind: 'deliveries_waiting',
  since: '2026-11-22T12:00:00.000Z',
  title: `${count} deliveries are queued for Shop.`,
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

test('formats a duration in hours from 60 minutes, and does not announce a future time too early', () => {
  const minutes = (count: number, round?: (value: number) => number) =>
    durationText(new Date(0), new Date(count * 60_000), round)
  expect([0.5, 1, 59.9, 60, 119, 47 * 60, 48 * 60].map(count => minutes(count))).toEqual([
    'less than a minute',
    '1 minute',
    '59 minutes',
    '1 hour',
    '1 hour',
    '47 hours',
    '2 days',
  ])
  expect([0.5, 59.5, 119, 47.5 * 60].map(count => minutes(count, Math.ceil))).toEqual([
    '1 minute',
    '1 hour',
    '2 hours',
    '2 days',
  ])
})
