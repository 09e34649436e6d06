import { describe, expect, test } from 'bun:test'
import type { RunFacts } from '../../../src/domain/workflows/facts.ts'
import { advance, type RunState } from '../../../src/domain/workflows/interpreter.ts'
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

test('a step that is missing from the version ends the run, and says so', () => {
  const broken = definition('gone', {})
  expect(advance(broken, begin, facts, recordedAt, now)).toMatchObject({ wakeAt: null, endReason: 'step_missing' })
})
