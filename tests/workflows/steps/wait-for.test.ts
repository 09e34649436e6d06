import { expect, test } from 'bun:test'
import type { Arrival } from '../../../src/workflows/runs/arrivals.ts'
import { waitFor } from '../../../src/workflows/steps/wait-for.ts'
import { noon, visit } from './visit.ts'

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
const reply = (text: string | null): Arrival => ({ id: 'a', kind: 'reply', text, at })
const paid = (total: number): Arrival => ({ id: 'b', kind: 'event', type: 'order.paid', data: { total }, at })

test('waits until its timeout, counted from the start of waits in the execution', () => {
  expect(waitFor.enter(step, visit())).toEqual({
    outcome: 'waiting',
    detail: { until: '2026-03-03T12:00:00.000Z' },
    waitUntil: new Date('2026-03-03T12:00:00.000Z'),
  })
  expect(waitFor.resume!(step)).toEqual({ outcome: 'timeout', next: 'lost' })
})

test('takes the first exit that matches the arrival', () => {
  expect(waitFor.matchArrival!(step, reply('Yes!'), visit())).toEqual({
    outcome: 'reply',
    detail: { exit: 0, id: 'a' },
    next: 'sold',
  })
  expect(waitFor.matchArrival!(step, paid(120), visit())).toMatchObject({ detail: { exit: 1 }, next: 'thanks' })
  expect(waitFor.matchArrival!(step, paid(121), visit())).toBeNull()
  expect(waitFor.matchArrival!(step, reply('why?'), visit())).toMatchObject({ detail: { exit: 2 }, next: null })
})

test('lists what it waits for, and its minimum wait', () => {
  expect(waitFor.waitsFor!(step)).toEqual([
    { kind: 'reply', eventType: null },
    { kind: 'event', eventType: 'order.paid' },
    { kind: 'reply', eventType: null },
  ])
  expect(waitFor.minWaitMs!(step)).toBe(2 * 86_400_000)
})

test('points to each of its exits', () => {
  expect(waitFor.pointers(step)).toEqual({
    onTimeout: 'lost',
    'any.0.next': 'sold',
    'any.1.next': 'thanks',
    'any.2.next': null,
  })
})

test('reports a blank word and an unknown path at their positions', () => {
  const wrong = {
    ...step,
    any: [
      { reply: { in: ['yes', ' '] }, next: null },
      { event: 'x', match: { 'data.a': 'dat.a' }, next: null },
    ],
  }
  expect([...waitFor.faults!(wrong)].map(([field]) => field)).toEqual(['any.0.reply.in.1', 'any.1.match.data.a'])
})
