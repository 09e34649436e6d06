import { describe, expect, test } from 'bun:test'
import { DomainError } from '../../src/core/errors.ts'
import type { Definition } from '../../src/workflows/schema.ts'
import type { Step } from '../../src/workflows/steps/index.ts'
import { checkDefinition, referencesOf, rejectMissing } from '../../src/workflows/validate.ts'

const definition = (start: string, steps: Record<string, Step>): Definition => ({
  trigger: { eventType: 'order.created' },
  start,
  steps,
})
const delay = (next: string | null, time = '1h'): Step => ({ type: 'delay', for: time, next })
const say = (next: string | null, text = 'Hello'): Step => ({ type: 'send_message', text, next })

/** Returns the rejected fields with their reasons. */
const refused = (work: () => void): Record<string, string> => {
  try {
    work()
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_request') return error.details ?? {}
    throw error
  }
  return {}
}
const refusedIn = (checked: Definition) => refused(() => checkDefinition(checked))

test('accepts connected steps', () => {
  expect(refusedIn(definition('wait', { wait: delay('hello'), hello: say(null) }))).toEqual({})
})

describe('a step is rejected', () => {
  test('if it points to a missing step, at the pointing field', () => {
    expect(refusedIn(definition('wait', { wait: delay('hi') }))).toEqual({
      'definition.steps.wait.next': 'There is no step "hi". The steps are wait.',
    })
    expect(Object.keys(refusedIn(definition('nowhere', { wait: delay(null) })))).toEqual(['definition.start'])
  })

  test('if no path leads to it', () => {
    expect(Object.keys(refusedIn(definition('wait', { wait: delay(null), alone: say('wait') })))).toEqual([
      'definition.steps.alone',
    ])
  })

  test('if its type reports an error, at its field', () => {
    expect(Object.keys(refusedIn(definition('a', { a: delay('b', 'soon'), b: say(null, '  ') })))).toEqual([
      'definition.steps.a.for',
      'definition.steps.b.text',
    ])
  })

  test('if this release does not know its type, even in a draft of another release', () => {
    const hologram = { type: 'hologram', next: null } as unknown as Step
    expect(refusedIn(definition('a', { a: hologram }))).toEqual({
      'definition.steps.a.type': 'This release does not support the step type "hologram".',
    })
  })

  test('if its id cannot be referenced', () => {
    expect(Object.keys(refusedIn(definition('a', { a: say(null), '1 b': say(null) })))).toEqual([
      'definition.steps.1 b',
    ])
  })
})

describe('a loop', () => {
  const circle = (wait: string) => definition('a', { a: say('b'), b: delay('a', wait) })

  test('is accepted if it waits one second', () => {
    expect(refusedIn(circle('1s'))).toEqual({})
  })

  test('is accepted if its waits add up to one second, on each path', () => {
    const wanted = { path: 'data.total', op: 'exists' as const }
    const ways = (otherwise: string, time = '500ms') =>
      definition('a', {
        a: delay('b', '500ms'),
        b: { type: 'condition', if: wanted, then: 'c', else: otherwise },
        c: delay('a', time),
        d: delay('a', '2s'),
      })
    expect(refusedIn(ways('d'))).toEqual({})
    expect(Object.keys(refusedIn(ways('d', '499ms')))).toEqual(['definition.steps.a'])
    expect(Object.keys(refusedIn({ ...ways('a'), steps: { ...ways('a').steps, c: delay('d') } }))).toEqual([
      'definition.steps.a',
    ])
  })

  test('is rejected if it waits less', () => {
    expect(Object.keys(refusedIn(circle('999ms')))).toEqual(['definition.steps.a'])
    expect(Object.keys(refusedIn(definition('a', { a: say('a') })))).toEqual(['definition.steps.a'])
  })
})

test('the filter of a trigger can only use the event', () => {
  const filtered: Definition = {
    ...definition('a', { a: say(null) }),
    trigger: { eventType: 'x', where: { path: 'customer.name', op: 'eq', value: 'Ana' } },
  }
  expect(Object.keys(refusedIn(filtered))).toEqual(['definition.trigger.where.path'])
})

test('reports at most twenty errors', () => {
  const steps = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${index}`, say('nowhere')]))
  expect(Object.keys(refusedIn(definition('s0', steps)))).toHaveLength(20)
})

test('returns the references of steps with their fields, and rejects missing ones there', () => {
  const channelId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7f09'
  const draft = definition('a', { a: { type: 'send_message', text: 'Hi', channelId, next: 'b' }, b: say(null) })
  expect(referencesOf(draft)).toEqual([{ kind: 'channel', id: channelId, field: 'steps.a.channelId' }])
  expect(refused(() => rejectMissing(referencesOf(draft), { channelIds: [], templates: [] }))).toEqual({
    'definition.steps.a.channelId': 'No such channel in this workspace. GET /v1/channels lists all channels.',
  })
  expect(refused(() => rejectMissing(referencesOf(draft), { channelIds: [channelId], templates: [] }))).toEqual({})
})

describe('a wait for an event or reply', () => {
  const wait = (timeout: string, onTimeout: string | null, next: string | null): Step => ({
    type: 'wait_for',
    timeout,
    onTimeout,
    any: [{ reply: {}, next }],
  })

  test('allows a loop by its timeout, on any path', () => {
    expect(refusedIn(definition('a', { a: wait('1s', 'a', 'a') }))).toEqual({})
    expect(refusedIn(definition('a', { a: wait('2d', null, 'b'), b: say('a') }))).toEqual({})
    for (const spinning of [wait('999ms', 'a', null), wait('0s', null, 'a')])
      expect(Object.keys(refusedIn(definition('a', { a: spinning })))).toEqual(['definition.steps.a'])
  })

  test('is rejected if one of its exits leads nowhere', () => {
    expect(Object.keys(refusedIn(definition('a', { a: wait('1h', 'b', 'c') })))).toEqual([
      'definition.steps.a.onTimeout',
      'definition.steps.a.any.0.next',
    ])
  })
})

test('a delay until a time of day allows a loop', () => {
  expect(refusedIn(definition('a', { a: { type: 'delay', until: { time: '09:00' }, next: 'a' } }))).toEqual({})
})

test('accepts step names that every object inherits', () => {
  expect(refusedIn(definition('constructor', { constructor: say('toString'), toString: say(null) }))).toEqual({})
  expect(Object.keys(refusedIn(definition('a', { a: say('constructor') })))).toEqual(['definition.steps.a.next'])
})

test('a template must exist, and exactly its variables must be given', () => {
  const templateId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7f09'
  const variables = { total: '1', extra: 'x' }
  const draft = definition('vip', { vip: { type: 'send_template', templateId, variables, next: null } })
  const templates = [{ id: templateId, variables: ['name', 'total'].map(name => ({ name, sample: name })) }]
  const missing = (there: typeof templates) =>
    refused(() => rejectMissing(referencesOf(draft), { channelIds: [], templates: there }))
  expect(missing([])).toEqual({
    'definition.steps.vip.templateId': 'No such template in this workspace. GET /v1/templates lists all templates.',
  })
  expect(missing(templates)).toEqual({
    'definition.steps.vip.variables.name': 'Is required by the template.',
    'definition.steps.vip.variables.extra': 'Is not a variable of the template. Its variables are name, total.',
  })
})
