import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RunFacts } from '../../../src/domain/workflows/facts.ts'
import { type Advance, type RunState, advance as steps } from '../../../src/domain/workflows/interpreter.ts'
import type { Definition } from '../../../src/domain/workflows/schema.ts'

const recordedAt = new Date('2026-03-01T09:00:00Z')
const now = new Date('2026-03-01T09:00:10Z')
const begin: RunState = { stepId: null, waiting: false, stepsTaken: 0 }
const facts: RunFacts = {
  data: {},
  event: { id: 'e', type: 't' },
  customer: { id: 'c', name: 'Ana', phone: '+4915112345678', externalId: null, attributes: {} },
  channelIds: ['first', 'second'],
}
/** A visit in one go. */
const advance = (...visit: Parameters<typeof steps>): Advance => {
  const visiting = steps(...visit)
  for (;;) {
    const step = visiting.next()
    if (step.done) return step.value
  }
}
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

  test('counts from the moment the event was recorded when it is the first, from now when it is a later one', () => {
    const first = advance(twoDelays, begin, facts, recordedAt, now)
    expect(first.wakeAt).toEqual(new Date('2026-03-01T10:00:00Z'))
    const late = new Date('2026-03-01T12:00:00Z')
    const second = advance(twoDelays, first.state, facts, recordedAt, late)
    expect(second.wakeAt).toEqual(new Date('2026-03-01T13:00:00Z'))
    const end = advance(twoDelays, second.state, facts, recordedAt, late)
    expect(end).toMatchObject({ wakeAt: null, endReason: 'completed', state: { stepId: null } })
  })

  test('counts so too when a message went out before it', () => {
    const sayFirst = definition('say', {
      say: { type: 'send_message', text: 'hi', next: 'wait' },
      wait: { type: 'delay', for: '1h', next: null },
    })
    expect(advance(sayFirst, begin, facts, recordedAt, now).wakeAt).toEqual(new Date('2026-03-01T10:00:00Z'))
  })
})

test('a message goes over the channel it names, else over the one connected first, and is numbered by its step', () => {
  const say = definition('a', {
    a: { type: 'send_message', text: 'one', next: 'b' },
    b: { type: 'send_message', text: 'two', channelId: 'second', next: null },
  })
  expect(advance(say, begin, facts, recordedAt, now).effects).toEqual([
    { kind: 'queue_message', position: 0, text: 'one', channelId: 'first', handle: '+4915112345678' },
    { kind: 'queue_message', position: 1, text: 'two', channelId: 'second', handle: '+4915112345678' },
  ])
})

test('a circle through a delay ends after a thousand steps', () => {
  const circle = definition('wait', { wait: { type: 'delay', for: '0s', next: 'wait' } })
  let run: RunState = begin
  let visits = 0
  for (;;) {
    const to = advance(circle, run, facts, recordedAt, now)
    visits++
    if (to.wakeAt === null) {
      expect(to.endReason).toBe('too_many_steps')
      break
    }
    run = to.state
  }
  expect(visits).toBe(1001)
})

test('a visit pauses after each step, so that nobody in the process waits for the whole of it', () => {
  const text = 'hi'
  const two = definition('one', {
    one: { type: 'send_message', text, next: 'two' },
    two: { type: 'send_message', text, next: null },
  })
  const visiting = steps(two, begin, facts, recordedAt, now)
  expect([1, 2, 3].map(() => visiting.next().done)).toEqual([false, false, true])
})

test('a step that is missing from the version ends the run, and says so', () => {
  const broken = definition('gone', {})
  expect(advance(broken, begin, facts, recordedAt, now)).toMatchObject({ wakeAt: null, endReason: 'step_missing' })
})

describe('a step of a type that this process does not know', () => {
  const hologram = { type: 'hologram', next: null } as unknown as Definition['steps'][string]
  const mixed = definition('say', { say: { type: 'send_message', text: 'hi', next: 'show' }, show: hologram })

  test('puts the run off as it stood, with nothing done, for a process that knows it', () => {
    const to = advance(mixed, begin, facts, recordedAt, now)
    expect(to).toEqual({
      state: begin,
      wakeAt: new Date(now.getTime() + 15_000),
      endReason: null,
      unknownType: 'hologram',
      trace: [],
      effects: [],
    })
  })

  test('is left waiting, where the run waits at it', () => {
    const waiting: RunState = { stepId: 'show', waiting: true, stepsTaken: 3 }
    expect(advance(mixed, waiting, facts, recordedAt, now)).toMatchObject({ state: waiting, unknownType: 'hologram' })
  })
})

test('a run that has waited goes on behind the step, and one that has not enters it', () => {
  const steps = definition('wait', {
    wait: { type: 'delay', for: '1h', next: 'say' },
    say: { type: 'send_message', text: 'hi', next: null },
  })
  const entered = advance(steps, { stepId: 'wait', waiting: false, stepsTaken: 0 }, facts, recordedAt, now)
  expect(entered.trace.map(({ outcome }) => outcome)).toEqual(['waiting'])
  const resumed = advance(steps, entered.state, facts, recordedAt, now)
  expect(resumed.trace.map(({ stepId, outcome, position }) => [stepId, outcome, position])).toEqual([
    ['say', 'queued', 1],
  ])
})

describe('whatever steps there are', () => {
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
  )
  const anySteps = fc
    .array(step, { minLength: ids.length, maxLength: ids.length })
    .map(steps => definition('a', Object.fromEntries(ids.map((id, index) => [id, steps[index]!]))))

  /** Every visit of a run, the last one with its end. */
  const visits = (definition: Definition, total: number) => {
    const all = []
    for (let run = begin; ; ) {
      const to = advance(definition, run, { ...facts, data: { total } }, recordedAt, now)
      all.push(to)
      if (to.wakeAt === null) return all
      run = to.state
    }
  }

  test('a run ends after at most 1001 visits, each of its steps at a place of its own, in order', () => {
    fc.assert(
      fc.property(anySteps, fc.integer(), (definition, total) => {
        const all = visits(definition, total)
        expect(all.length).toBeLessThanOrEqual(1001)
        const positions = all.flatMap(({ trace }) => trace.map(({ position }) => position))
        expect(positions).toEqual(positions.map((_, index) => index))
        expect(all.slice(0, -1).every(({ endReason }) => endReason === null)).toBe(true)
        expect(['completed', 'too_many_steps', 'step_missing']).toContain(all.at(-1)!.endReason!)
      }),
      { numRuns: 200 },
    )
  })

  test('the same run in the same place does the same, and each effect stands at the place of its step', () => {
    fc.assert(
      fc.property(anySteps, fc.integer(), (definition, total) => {
        const [first, again] = [visits(definition, total), visits(definition, total)]
        expect(again).toEqual(first)
        for (const { trace, effects } of first) {
          const queued = trace.filter(({ outcome }) => outcome === 'queued').map(({ position }) => position)
          expect(effects.map(({ position }) => position)).toEqual(queued)
        }
      }),
      { numRuns: 100 },
    )
  })
})
