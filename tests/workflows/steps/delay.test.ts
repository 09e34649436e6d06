import { expect, test } from 'bun:test'
import { delay } from '../../../src/workflows/steps/delay.ts'
import { facts, visit } from './visit.ts'

const hour = { type: 'delay', for: 'PT1H', next: 'after' } as const

test('waits for its duration, counted from the start of waits in the execution', () => {
  expect(delay.enter(hour, visit())).toEqual({
    outcome: 'waiting',
    detail: { until: '2026-03-01T13:00:00.000Z' },
    waitUntil: new Date('2026-03-01T13:00:00.000Z'),
  })
})

test('continues when its time has come', () => {
  expect(delay.resume!(hour)).toEqual({ next: 'after' })
  expect(delay.resume!({ ...hour, next: null })).toEqual({ next: null })
})

const nine = { type: 'delay' as const, until: { time: '09:00' }, next: 'after' }
const until = (step: Parameters<typeof delay.enter>[0], attributes: object, timezone = 'UTC') => {
  const seen = visit({ timezone, customer: { ...facts().customer, attributes: { ...attributes } } })
  return delay.enter(step, seen).detail
}

test('waits until a time of day in the given zone, or that of the customer, or that of the workspace', () => {
  expect(until(nine, {})).toEqual({ until: '2026-03-02T09:00:00.000Z' })
  expect(until(nine, {}, 'Europe/Berlin')).toEqual({ until: '2026-03-02T08:00:00.000Z' })
  expect(until(nine, { timezone: 'America/New_York' }, 'Europe/Berlin')).toEqual({ until: '2026-03-01T14:00:00.000Z' })
  expect(until(nine, { timezone: 'the moon' }, 'Europe/Berlin')).toEqual({ until: '2026-03-02T08:00:00.000Z' })
  const named = { ...nine, until: { time: '09:00', zone: 'Asia/Kolkata', weekdays: ['wed' as const] } }
  expect(until(named, { timezone: 'America/New_York' })).toEqual({ until: '2026-03-04T03:30:00.000Z' })
})

test('has a minimum wait, for the check of loops', () => {
  expect(delay.minWaitMs!(hour)).toBe(3_600_000)
  expect(delay.minWaitMs!({ ...hour, for: 'never' })).toBe(0)
  expect(delay.minWaitMs!(nine)).toBeGreaterThan(1000)
})

test('requires exactly one of for and until, with a valid duration or zone', () => {
  const faultsOf = (step: object) => [...delay.faults!({ type: 'delay', next: null, ...step })]
  const fieldsOf = (step: object) => faultsOf(step).map(([field]) => field)
  expect([hour, { until: nine.until }].flatMap(faultsOf)).toEqual([])
  expect(faultsOf({ for: 'soon' })).toEqual([
    ['for', 'Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.'],
  ])
  expect(fieldsOf({})).toEqual(['for'])
  expect(fieldsOf({ for: '1h', until: nine.until })).toEqual(['until'])
  expect(fieldsOf({ until: { time: '09:00', zone: 'Mars/Olympus' } })).toEqual(['until.zone'])
})
