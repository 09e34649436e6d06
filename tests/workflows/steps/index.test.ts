import { expect, test } from 'bun:test'
import { exit } from '../../../src/workflows/steps/exit.ts'
import type { Step } from '../../../src/workflows/steps/index.ts'
import { Step as StepShape, stepTypeOf } from '../../../src/workflows/steps/index.ts'
import { visit } from './visit.ts'

const named = StepShape.anyOf.map(variant => variant.properties.type!.const as string)

test('every published step type is found by its `type`', () => {
  expect(named).toContain('send_message')
  for (const type of named) expect(stepTypeOf({ type } as Step)!.schema.properties.type!.const).toBe(type)
})

test.each(['hologram', 'toString', '__proto__', 'constructor', ''])('no step type is called %j', type => {
  expect(stepTypeOf({ type } as unknown as Step)).toBeUndefined()
})

test('the step `exit` ends the run with its reason and has no next step', () => {
  const step = { type: 'exit' as const, reason: 'no_answer' }
  expect(exit.enter(step, visit())).toEqual({ outcome: 'exited', detail: { reason: 'no_answer' }, exit: 'no_answer' })
  expect(exit.pointers(step)).toEqual({})
})
