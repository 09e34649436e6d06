import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { validator } from '../../src/core/validate.ts'
import type { Arrival } from '../../src/workflows/runs/arrivals.ts'
import type { RunFacts } from '../../src/workflows/runs/facts.ts'
import {
  type Advance,
  initialState as begin,
  type RunState,
  advance as steps,
} from '../../src/workflows/runs/interpreter.ts'
import { type Definition, Definition as Shape } from '../../src/workflows/schema.ts'
import { facts as usual } from './steps/visit.ts'

const recordedAt = new Date('2026-03-01T09:00:00Z')
const now = new Date('2026-03-01T09:00:10Z')
const facts: RunFacts = {
  ...usual(),
  data: {},
  event: { id: 'e', type: 't' },
}
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

describe('a delay', () => {
  const twoDelays = definition('one', {
    one: { type: 'delay', for: '1h', next: 'two' },
    two: { type: 'delay', for: '1h', next: null },
  })

  test('counts from the time of the event if it is the first, and from now if it is a later one', () => {
    const first = advance(twoDelays)
    expect(first.wakeAt).toEqual(new Date('2026-03-01T10:00:00Z'))
    const late = new Date('2026-03-01T12:00:00Z')
    const second = advance(twoDelays, first.state, late)
    expect(second.wakeAt).toEqual(new Date('2026-03-01T13:00:00Z'))
    const end = advance(twoDelays, second.state, second.wakeAt!)
    expect(end).toMatchObject({ wakeAt: null, endReason: 'completed', state: { stepId: null } })
  })

  test('counts from the time of the event after a message', () => {
    const sayFirst = definition('say', {
      say: { type: 'send_message', text: 'hi', next: 'wait' },
      wait: { type: 'delay', for: '1h', next: null },
    })
    expect(advance(sayFirst).wakeAt).toEqual(new Date('2026-03-01T10:00:00Z'))
  })
})

test('a message uses its own channel or the first connected one, and has the position of its step', () => {
  const say = definition('a', {
    a: { type: 'send_message', text: 'one', next: 'b' },
    b: { type: 'send_message', text: 'two', channelId: 'second', next: null },
  })
  const plain = { template: null, skipped: null }
  expect(advance(say).effects).toEqual([
    { kind: 'queue_message', position: 0, text: 'one', channelId: 'first', handle: '+4915112345678', ...plain },
    { kind: 'queue_message', position: 1, text: 'two', channelId: 'second', handle: '+4915112345678', ...plain },
  ])
})

test('a loop through a delay ends after a thousand steps', () => {
  const circle = definition('wait', { wait: { type: 'delay', for: '0s', next: 'wait' } })
  let run: RunState = begin
  let visits = 0
  for (;;) {
    const to = advance(circle, run)
    visits++
    if (to.wakeAt === null) {
      expect(to.endReason).toBe('too_many_steps')
      break
    }
    run = to.state
  }
  expect(visits).toBe(1001)
})

test('an execution pauses after each step, so that the process can do other work', () => {
  const text = 'hi'
  const two = definition('one', {
    one: { type: 'send_message', text, next: 'two' },
    two: { type: 'send_message', text, next: null },
  })
  const visiting = steps(two, begin, facts, [], recordedAt, now)
  expect([1, 2, 3].map(() => visiting.next().done)).toEqual([false, false, true])
})

test('a step that is missing from the version ends the run with that reason', () => {
  const broken = definition('gone', {})
  expect(advance(broken)).toMatchObject({ wakeAt: null, endReason: 'step_missing' })
})

describe('a step of an unknown type', () => {
  const hologram = { type: 'hologram', next: null } as unknown as Definition['steps'][string]
  const mixed = definition('say', { say: { type: 'send_message', text: 'hi', next: 'show' }, show: hologram })

  test('postpones the run unchanged, for a process that knows the type', () => {
    const to = advance(mixed)
    expect(to).toEqual({
      state: begin,
      wakeAt: new Date(now.getTime() + 15_000),
      endReason: null,
      endDetail: null,
      waitsFor: [],
      unknownType: 'hologram',
      trace: [],
      effects: [],
    })
  })

  test('keeps a run waiting that waits at it', () => {
    const waiting: RunState = { ...begin, stepId: 'show', waiting: true, stepsTaken: 3 }
    expect(advance(mixed, waiting)).toMatchObject({ state: waiting, unknownType: 'hologram' })
  })
})

test('a run that has waited continues after the step, and a run that has not enters it', () => {
  const steps = definition('wait', {
    wait: { type: 'delay', for: '1h', next: 'say' },
    say: { type: 'send_message', text: 'hi', next: null },
  })
  const entered = advance(steps, { ...begin, stepId: 'wait' })
  expect(entered.trace.map(({ outcome }) => outcome)).toEqual(['waiting'])
  const resumed = advance(steps, entered.state, entered.wakeAt!)
  expect(resumed.trace.map(({ stepId, outcome, position }) => [stepId, outcome, position])).toEqual([
    ['say', 'queued', 1],
  ])
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
  const reply = (id: string, text: string | null, minutes: number): Arrival => ({
    id,
    kind: 'reply',
    text,
    at: minute(minutes).toISOString(),
  })
  const event = (id: string, type: string, cart: unknown, minutes: number): Arrival => ({
    id,
    kind: 'event',
    type,
    data: { cart },
    at: minute(minutes).toISOString(),
  })
  const go = (run: RunState, minutes: number, ...arrivals: Arrival[]) =>
    visited(waiting, run, arrivals, minute(minutes), seen)
  const outcomes = ({ trace }: Advance) => trace.map(({ stepId, outcome }) => `${stepId} ${outcome}`)

  test('waits until its timeout and lists what can end it', () => {
    const parked = go(begin, 0)
    expect(parked).toMatchObject({
      state: { stepId: 'first', waiting: true, waitUntil: minute(60).toISOString() },
      wakeAt: minute(60),
      endReason: null,
      waitsFor: [
        { kind: 'event', eventType: 'order.cancelled' },
        { kind: 'reply', eventType: null },
        { kind: 'event', eventType: 'order.paid' },
      ],
    })
  })

  test('continues until the same time after an arrival that does not match', () => {
    const parked = go(begin, 0)
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

  test('accepts earlier arrivals, and one execution can pass two waits with two arrivals', () => {
    const both = go(begin, 5, event('1', 'order.paid', 7, 1), reply('2', null, 2))
    expect(outcomes(both)).toEqual(['first waiting', 'first event', 'second waiting', 'second reply', 'said queued'])
  })

  test('times out, even if a later arrival matches', () => {
    const parked = go(begin, 0)
    const late = go(parked.state, 70, reply('1', 'yes', 61))
    expect([outcomes(late), late.endReason, late.endDetail]).toEqual([
      ['first timeout', 'late exited'],
      'exited',
      'late',
    ])
    const inTime = go(parked.state, 70, reply('1', 'yes', 60))
    expect(outcomes(inTime)).toEqual(['first reply', 'second waiting'])
  })

  test('ignores the event that started the run', () => {
    const own = { ...event('e', 'order.paid', 7, 0) }
    expect(outcomes(go(begin, 0, own))).toEqual(['first waiting'])
  })

  test('ends with the run if an exit condition holds, even if another arrival matches', () => {
    const parked = go(begin, 0)
    const ended = go(parked.state, 5, reply('1', 'yes', 3), event('2', 'order.cancelled', 1, 4))
    expect(ended).toMatchObject({ endReason: 'exit_condition', endDetail: 'cancelled', wakeAt: null, trace: [] })
  })

  test('ends with the run after an opt-out if the definition has that exit condition', () => {
    const optedOut = { ...seen, customer: { ...seen.customer, optedOut: true } }
    const ends = { ...waiting, exitOn: [{ optOut: true as const }] }
    expect(visited(ends, begin, [], now, optedOut)).toMatchObject({ endReason: 'opted_out', trace: [] })
    expect(visited(waiting, begin, [], now, optedOut).endReason).toBeNull()
  })
})

test('a delay does not end early after an arrival, except for an exit condition', () => {
  const delayed: Definition = {
    ...definition('wait', { wait: { type: 'delay', for: '1h', next: null } }),
    exitOn: [{ event: 'x' }],
  }
  const parked = visited(delayed, begin, [], now)
  const reply: Arrival = { id: '1', kind: 'reply', text: 'hi', at: now.toISOString() }
  expect(visited(delayed, parked.state, [reply], now)).toEqual({ ...parked, trace: [] })
  const x: Arrival = { id: '1', kind: 'event', type: 'x', data: {}, at: now.toISOString() }
  expect(visited(delayed, parked.state, [x], now).endReason).toBe('exit_condition')
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
  const step: fc.Arbitrary<Definition['steps'][string]> = fc.oneof(
    fc.record({ type: fc.constant('delay' as const), for: fc.constantFrom('0s', '1s', '1h', 'never'), next }),
    fc.record({
      type: fc.constant('condition' as const),
      if: fc.record({ path: fc.constant('data.total'), op: fc.constant('gt' as const), value: fc.integer() }),
      then: next,
      else: next,
    }),
    fc.record({ type: fc.constant('send_message' as const), text: fc.string({ minLength: 1 }), next }),
    fc.record({
      type: fc.constant('delay' as const),
      until: fc.record({ time: fc.constantFrom('09:00', '23:59'), zone: fc.constantFrom('UTC', 'Europe/Berlin') }),
      next,
    }),
    fc.record({
      type: fc.constant('wait_for' as const),
      timeout: fc.constantFrom('0s', '1s', '2d'),
      onTimeout: next,
      any: fc.array(
        fc.oneof(
          fc.record({ reply: fc.constantFrom<{ in?: string[] }[]>({}, { in: ['yes'] }), next }),
          fc.record({ event: fc.constantFrom('x', 'y'), match: fc.constant({ 'data.total': 'data.total' }), next }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    fc.record({
      type: fc.constant('mark_sale' as const),
      amount: fc.constantFrom('{{data.total}}', '1'),
      currency: fc.constantFrom('EUR', '{{answer.text}}'),
      next,
    }),
    fc.record({
      type: fc.constant('set_attribute' as const),
      set: fc.constantFrom<Record<string, string | number | null>[]>({ a: 1 }, { a: null, b: '{{now}}' }),
      next,
    }),
    fc.record({ type: fc.constant('exit' as const), reason: fc.constant('enough') }),
    fc.record({
      type: fc.constant('send_template' as const),
      templateId: fc.constantFrom('t', 'none'),
      variables: fc.constant({ name: '{{answer.data.total}}' }),
      next,
    }),
  )
  const anySteps = fc
    .array(step, { minLength: ids.length, maxLength: ids.length })
    .map(steps => definition('a', Object.fromEntries(ids.map((id, index) => [id, steps[index]!]))))

  const arrival: fc.Arbitrary<(minutes: number, id: string) => Arrival> = fc.oneof(
    fc.constantFrom('yes', 'no', null).map(text => (minutes: number, id: string) => ({
      id,
      kind: 'reply' as const,
      text,
      at: new Date(recordedAt.getTime() + minutes * 60_000).toISOString(),
    })),
    fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.jsonValue()).map(([type, total]) => (minutes: number, id: string) => ({
      id,
      kind: 'event' as const,
      type,
      data: { total },
      at: new Date(recordedAt.getTime() + minutes * 60_000).toISOString(),
    })),
  )
  const arrivals = fc
    .array(fc.tuple(arrival, fc.integer({ min: 0, max: 5000 })), { maxLength: 20 })
    .map(some =>
      some
        .toSorted(([, one], [, other]) => one - other)
        .map(([made, minutes], index) => made(minutes, String(index).padStart(3, '0'))),
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

  test('is unchanged after it was stored and read, if it is valid', () => {
    fc.assert(
      fc.property(anySteps, definition => {
        const fit = validator(Shape)
        const back = JSON.parse(JSON.stringify(definition))
        let taken = true
        try {
          fit(back)
        } catch {
          taken = false
        }
        if (taken) expect(fit(back)).toEqual(definition)
      }),
    )
  })
})
