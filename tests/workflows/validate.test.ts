import { expect, test } from 'bun:test'
import type { Definition } from '../../src/workflows/schema.ts'
import type { Step } from '../../src/workflows/steps/index.ts'
import { checkDefinition, referencesOf, rejectMissing } from '../../src/workflows/validate.ts'
import { refusalOf } from '../support/refusal.ts'

const definition = (start: string, steps: Record<string, Step>): Definition => ({
  trigger: { eventType: 'order.created' },
  start,
  steps,
})
const delay = (next: string | null, time = '1h'): Step => ({ type: 'delay', for: time, next })
const say = (next: string | null, text = 'Hello'): Step => ({ type: 'send_message', text, next })
const wait = (timeout: string, onTimeout: string | null, next: string | null): Step => ({
  type: 'wait_for',
  timeout,
  onTimeout,
  any: [{ reply: {}, next }],
})

/** Returns the rejected fields with their reasons. */
const refused = (work: () => void): Record<string, string> => refusalOf(work) ?? {}
const refusedIn = (checked: Definition) => refused(() => checkDefinition(checked))

const total = { path: 'data.total', op: 'exists' as const }
/** A loop with two paths, which wait one second together with step `a`. */
const loop = (otherwise: string, c: Step = delay('a', '500ms')) => ({
  a: delay('b', '500ms'),
  b: { type: 'condition' as const, if: total, then: 'c', else: otherwise },
  c,
  d: delay('a', '2s'),
})
const circle = (time: string) => ({ a: say('b'), b: delay('a', time) })

/** The fields that are rejected, and the steps of the definition. */
test.each<[string, string[], Record<string, Step>]>([
  ['connected steps', [], { a: delay('hello'), hello: say(null) }],
  ['step names that every object inherits', [], { a: say('toString'), toString: say(null) }],
  ['a missing step with such a name', ['steps.a.next'], { a: say('constructor') }],
  ['a loop that waits one second', [], circle('1s')],
  ['a loop that waits one second on each path', [], loop('d')],
  ['a loop that waits less on one path', ['steps.a'], loop('d', delay('a', '499ms'))],
  ['a loop with a short path', ['steps.a'], loop('a', delay('d'))],
  ['a loop by the timeout of a wait', [], { a: wait('1s', 'a', 'a') }],
  ['a loop by an exit of a wait', [], { a: wait('2d', null, 'b'), b: say('a') }],
  ['a loop by a short timeout', ['steps.a'], { a: wait('999ms', 'a', null) }],
  ['a loop by an exit of a wait without a timeout', ['steps.a'], { a: wait('0s', null, 'a') }],
  ['a loop with a delay until a time of day', [], { a: { type: 'delay', until: { time: '09:00' }, next: 'a' } }],
])('checks %s: rejects %j', (_, fields, steps) => {
  expect(Object.keys(refusedIn(definition('a', steps)))).toEqual(fields.map(field => `definition.${field}`))
})

test('rejects a step type that this release does not know, even in a draft of another release', () => {
  const hologram = { type: 'hologram', next: null } as unknown as Step
  expect(refusedIn(definition('a', { a: hologram }))).toEqual({
    'definition.steps.a.type': 'This release does not support the step type "hologram".',
  })
})

const id = '01981b7e-3c00-7a51-9a64-1f0f5c3d7f09'

test('a template must exist, and exactly its variables must be given', () => {
  const variables = { total: '1', extra: 'x' }
  const draft = definition('vip', { vip: { type: 'send_template', templateId: id, variables, next: null } })
  const templates = [{ id, variables: ['name', 'total'].map(name => ({ name, sample: name })) }]
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
