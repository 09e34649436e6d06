import { expect, test } from 'bun:test'
import { delay } from '../../../../src/domain/workflows/steps/delay.ts'
import { visit } from './visit.ts'

const hour = { type: 'delay', for: 'PT1H', next: 'after' } as const

test('waits for its time, counted from where the visit counts waits', () => {
  expect(delay.enter(hour, visit())).toEqual({
    outcome: 'waiting',
    detail: { until: '2026-03-01T13:00:00.000Z' },
    waitUntil: new Date('2026-03-01T13:00:00.000Z'),
  })
})

test('leads on when its time has come', () => {
  expect(delay.resume!(hour)).toBe('after')
  expect(delay.resume!({ ...hour, next: null })).toBeNull()
})

test('a time that is none is a fault of its field', () => {
  expect([...delay.faults!({ ...hour, for: 'soon' })]).toEqual([
    ['for', 'Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.'],
  ])
  expect([...delay.faults!(hour)]).toEqual([])
})

test('says how long it waits at least, for the circles that need a wait', () => {
  expect(delay.minWaitMs!(hour)).toBe(3_600_000)
  expect(delay.minWaitMs!({ ...hour, for: 'never' })).toBe(0)
})
