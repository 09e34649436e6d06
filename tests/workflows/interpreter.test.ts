import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Arrival } from '../../src/workflows/runs/arrivals.ts'
import type { RunFacts } from '../../src/workflows/runs/facts.ts'
import {
  type Advance,
  initialState as begin,
  type RunState,
  advance as steps,
} from '../../src/workflows/runs/interpreter.ts'
import type { Definition } from '../../src/workflows/schema.ts'
import { facts as usual } from './steps/visit.ts'

const recordedAt = new Date('2026-03-01T09:00:00Z')
const now = new Date('2026-03-01T09:00:10Z')
const facts: RunFacts = { ...usual(), data: {}, event: { id: 'e', type: 't' } }
/** Executes a run with the given arrivals until it pauses or ends. */
const visited = (definition: Definition, run: RunState, arrivals: Arrival[], at: Date, seen = facts): Advance => {
  const visiting = steps(definition, run, seen, arrivals, recordedAt, at)
  for (;;) {
    const step = visiting.next()
    if (step.done) return step.value
  }
}
/** Executes a run without arrivals until it pauses or ends. */
const advance = (definition: Definition, run: RunState = begin, at = now): Advance => visited(definition, run, [], at)
const definition = (start: string, steps: Definition['steps']): Definition => ({
  trigger: { eventType: 't' },
  start,
  steps,
})

test('the first delay counts from the time of the event, also after a message, and a later one from now', () => {
  const delays = definition('say', {
    say: { type: 'send_message', text: 'hi', next: 'one' },
    one: { type: 'delay', for: '1h', next: 'two' },
    two: { type: 'delay', for: '1h', next: null },
  })
  const first = advance(delays)
  expect(first.wakeAt).toEqual(new Date('2026-03-01T10:00:00Z'))
  const second = advance(delays, first.state, new Date('2026-03-01T12:00:00Z'))
  expect(second.wakeAt).toEqual(new Date('2026-03-01T13:00:00Z'))
  const end = advance(delays, second.state, second.wakeAt!)
  expect(end).toMatchObject({ wakeAt: null, endReason: 'completed', state: { stepId: null } })
})

test('a loop through a delay ends after a thousand steps', () => {
  const circle = definition('wait', { wait: { type: 'delay', for: '0s', next: 'wait' } })
  let to = advance(circle)
  let visits = 1
  for (; to.wakeAt !== null; visits++) to = advance(circle, to.state)
  expect([to.endReason, visits]).toEqual(['too_many_steps', 1001])
})

test('a step that is missing from the version ends the run with that reason', () => {
  const broken = definition('gone', {})
  expect(advance(broken)).toMatchObject({ wakeAt: null, endReason: 'step_missing' })
})

test('a step of an unknown type postpones the run unchanged, for a process that knows the type', () => {
  const hologram = { type: 'hologram', next: null } as unknown as Definition['steps'][string]
  const mixed = definition('say', { say: { type: 'send_message', text: 'hi', next: 'show' }, show: hologram })
  const waiting: RunState = { ...begin, stepId: 'show', waiting: true, stepsTaken: 3 }
  for (const state of [begin, waiting])
    expect(advance(mixed, state)).toEqual({
      state,
      wakeAt: new Date(now.getTime() + 15_000),
      endReason: null,
      endDetail: null,
      waitsFor: [],
      unknownType: 'hologram',
      trace: [],
      effects: [],
    })
})

describe('a wait for an event or reply', () => {
  const order = (next: string | null) => ({ event: 'order.paid', match: { 'data.cart': 'trigger.data.cart' }, next })
  const waiting: Definition = {
    trigger: { eventType: 't' },
    exitOn: [{ event: 'order.cancelled', reason: 'cancelled' }],
    start: 'first',
    steps: {
      first: {
        type: 'wait_for',
        timeout: '1h',
        onTimeout: 'late',
        any: [{ reply: { in: ['yes'] }, next: 'second' }, order('second')],
      },
      second: { type: 'wait_for', timeout: '2h', onTimeout: null, any: [{ reply: {}, next: 'said' }, order('said')] },
      said: { type: 'send_message', text: 'said {{answer.text|nothing}} {{answer.data.cart}}', next: null },
      late: { type: 'exit', reason: 'late' },
    },
  }
  const seen = { ...facts, data: { cart: 7 } }
  const minute = (minutes: number) => new Date(recordedAt.getTime() + minutes * 60_000)
  const at = (minutes: number) => minute(minutes).toISOString()
  const reply = (id: string, text: string | null, minutes: number): Arrival => ({
    id,
    kind: 'reply',
    text,
    at: at(minutes),
  })
  const event = (id: string, type: string, cart: unknown, minutes: number): Arrival => ({
    id,
    kind: 'event',
    type,
    data: { cart },
    at: at(minutes),
  })
  const go = (run: RunState, minutes: number, ...arrivals: Arrival[]) =>
    visited(waiting, run, arrivals, minute(minutes), seen)
  const outcomes = ({ trace }: Advance) => trace.map(({ stepId, outcome }) => `${stepId} ${outcome}`)

  test('lasts until its timeout, lists what can end it, and is unchanged by an arrival that does not match', () => {
    const parked = go(begin, 0)
    expect(parked).toMatchObject({
      state: { stepId: 'first', waiting: true, waitUntil: at(60) },
      wakeAt: minute(60),
      endReason: null,
      waitsFor: [
        { kind: 'event', eventType: 'order.cancelled' },
        { kind: 'reply', eventType: null },
        { kind: 'event', eventType: 'order.paid' },
      ],
    })
    const woken = go(parked.state, 5, reply('1', 'maybe', 4), event('2', 'order.paid', 8, 4))
    expect(woken).toEqual({ ...parked, trace: [] })
  })

  test('ends with a match, and an arrival ends only one wait', () => {
    const parked = go(begin, 0)
    const answered = go(parked.state, 5, reply('1', 'YES!', 4))
    expect(outcomes(answered)).toEqual(['first reply', 'second waiting'])
    expect(answered.state).toMatchObject({ stepId: 'second', answer: { text: 'YES!' }, consumedArrivals: ['1'] })
    expect(answered.wakeAt).toEqual(minute(125))
    expect(outcomes(go(answered.state, 6, reply('1', 'YES!', 4)))).toEqual([])
    const paid = go(answered.state, 6, reply('1', 'YES!', 4), event('2', 'order.paid', 7, 6))
    expect(outcomes(paid)).toEqual(['second event', 'said queued'])
    expect(paid.effects).toMatchObject([{ text: 'said nothing 7' }])
    expect(paid.endReason).toBe('completed')
  })

  test('accepts earlier arrivals, two in one execution, and ignores the event that started the run', () => {
    const both = go(begin, 5, event('1', 'order.paid', 7, 1), reply('2', null, 2))
    expect(outcomes(both)).toEqual(['first waiting', 'first event', 'second waiting', 'second reply', 'said queued'])
    expect(outcomes(go(begin, 0, event('e', 'order.paid', 7, 0)))).toEqual(['first waiting'])
    // The second wait counts from now.
    expect(go(begin, 5, event('1', 'order.paid', 7, 1)).wakeAt).toEqual(minute(125))
  })

  test('times out, even if a later arrival matches', () => {
    const parked = go(begin, 0)
    const late = go(parked.state, 70, reply('1', 'yes', 61))
    expect([...outcomes(late), late.endReason, late.endDetail]).toEqual([
      'first timeout',
      'late exited',
      'exited',
      'late',
    ])
    const inTime = go(parked.state, 70, reply('1', 'yes', 60))
    expect(outcomes(inTime)).toEqual(['first reply', 'second waiting'])
  })

  test('ends with the run if an exit condition holds, even if another arrival matches', () => {
    const parked = go(begin, 0)
    const ended = go(parked.state, 5, reply('1', 'yes', 3), event('2', 'order.cancelled', 1, 4))
    expect(ended).toMatchObject({ endReason: 'exit_condition', endDetail: 'cancelled', wakeAt: null, trace: [] })
    const optedOut = { ...seen, customer: { ...seen.customer, optedOut: true } }
    const ends = { ...waiting, exitOn: [{ optOut: true as const }] }
    expect(visited(ends, begin, [], now, optedOut)).toMatchObject({ endReason: 'opted_out', trace: [] })
    expect(visited(waiting, begin, [], now, optedOut).endReason).toBeNull()
  })
})

test('steps see the changes of earlier steps in the same execution', () => {
  const set = definition('set', {
    set: { type: 'set_attribute', set: { vip: true, old: null }, next: 'vip?' },
    'vip?': {
      type: 'condition',
      if: { path: 'customer.attributes.vip', op: 'eq', value: true },
      then: 'say',
      else: null,
    },
    say: { type: 'send_message', text: '{{customer.attributes.old|gone}}', next: null },
  })
  const seen = { ...facts, customer: { ...facts.customer, attributes: { old: 1 } } }
  const to = visited(set, begin, [], now, seen)
  expect(to.effects.map(({ kind, position }) => [kind, position])).toEqual([
    ['set_attributes', 0],
    ['queue_message', 2],
  ])
  expect(to.effects[1]).toMatchObject({ text: 'gone' })
  expect(seen.customer.attributes).toEqual({ old: 1 })
})

describe('any definition', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const next = fc.constantFrom<string | null>(...ids, null, 'missing')
  /** Generates a step of the type whose fields have the given values. */
  const stepOf = (type: Definition['steps'][string]['type'], fields: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record({ type: fc.constant(type), ...fields }) as unknown as fc.Arbitrary<Definition['steps'][string]>
  const total = fc.record({ path: fc.constant('data.total'), op: fc.constant('gt'), value: fc.integer() })
  const timeOfDay = fc.record({
    time: fc.constantFrom('09:00', '23:59'),
    zone: fc.constantFrom('UTC', 'Europe/Berlin'),
  })
  const exit = fc.oneof(
    fc.record({ reply: fc.constantFrom({}, { in: ['yes'] }), next }),
    fc.record({ event: fc.constantFrom('x', 'y'), match: fc.constant({ 'data.total': 'data.total' }), next }),
  )
  const step = fc.oneof(
    stepOf('delay', { for: fc.constantFrom('0s', '1s', '1h', 'never'), next }),
    stepOf('delay', { until: timeOfDay, next }),
    stepOf('condition', { if: total, then: next, else: next }),
    stepOf('send_message', { text: fc.string({ minLength: 1 }), next }),
    stepOf('wait_for', {
      timeout: fc.constantFrom('0s', '1s', '2d'),
      onTimeout: next,
      any: fc.array(exit, { minLength: 1, maxLength: 3 }),
    }),
    stepOf('mark_sale', {
      amount: fc.constantFrom('{{data.total}}', '1'),
      currency: fc.constantFrom('EUR', '{{answer.text}}'),
      next,
    }),
    stepOf('set_attribute', { set: fc.constantFrom({ a: 1 }, { a: null, b: '{{now}}' }), next }),
    stepOf('exit', { reason: fc.constant('enough') }),
    stepOf('send_template', {
      templateId: fc.constantFrom('t', 'none'),
      variables: fc.constant({ name: '{{answer.data.total}}' }),
      next,
    }),
  )
  const anySteps = fc
    .array(step, { minLength: ids.length, maxLength: ids.length })
    .map(steps => definition('a', Object.fromEntries(ids.map((id, index) => [id, steps[index]!]))))

  const arrival = fc.oneof(
    fc.record({ kind: fc.constant('reply' as const), text: fc.constantFrom('yes', 'no', null) }),
    fc.record({
      kind: fc.constant('event' as const),
      type: fc.constantFrom('x', 'y', 'z'),
      data: fc.record({ total: fc.jsonValue() }),
    }),
  )
  const arrivals = fc.array(fc.tuple(arrival, fc.integer({ min: 0, max: 5000 })), { maxLength: 20 }).map(some =>
    some
      .toSorted(([, one], [, other]) => one - other)
      .map(([made, minutes], index): Arrival => {
        const at = new Date(recordedAt.getTime() + minutes * 60_000).toISOString()
        return { ...made, id: String(index).padStart(3, '0'), at }
      }),
  )

  test('never throws, gives the same result when repeated, advances with its timeouts and ends, for any arrivals', () => {
    fc.assert(
      fc.property(anySteps, arrivals, fc.integer(), (definition, arrivals, total) => {
        const seen = { ...facts, data: { total } }
        let [run, at, position, visits] = [begin, now, 0, 0]
        for (;;) {
          const there = arrivals.filter(arrival => new Date(arrival.at) <= at)
          const to = visited(definition, run, there, at, seen)
          expect(visited(definition, run, there, at, seen)).toEqual(to)
          expect(to.trace.map(entry => entry.position)).toEqual(to.trace.map((_, index) => position + index))
          position += to.trace.length
          const effective = to.trace.filter(({ outcome }) => ['queued', 'marked', 'set'].includes(outcome))
          expect(to.effects.map(effect => effect.position)).toEqual(effective.map(entry => entry.position))
          if (to.wakeAt === null) {
            expect(['completed', 'exited', 'too_many_steps', 'step_missing']).toContain(to.endReason!)
            break
          }
          expect(to.endReason).toBeNull()
          // A repeated execution changes nothing until the wake time.
          if (to.wakeAt > at)
            expect(visited(definition, to.state, there, at, seen)).toEqual({ ...to, trace: [], effects: [] })
          else expect(visited(definition, to.state, there, at, seen)).not.toEqual(to)
          const next = arrivals.map(arrival => new Date(arrival.at)).find(time => time > at && time < to.wakeAt!)
          if (next === undefined) expect(to.state.waitUntil).toBe(to.wakeAt.toISOString())
          at = next ?? new Date(Math.max(to.wakeAt.getTime(), at.getTime()))
          run = to.state
          expect(++visits).toBeLessThanOrEqual(1001 + arrivals.length)
        }
      }),
      { numRuns: 200 },
    )
  }, 60_000)
})
