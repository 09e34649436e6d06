import { expect, test } from 'bun:test'
import { exit } from '../../../src/workflows/steps/exit.ts'
import { visit } from './visit.ts'

test('ends the run with its reason and has no next step', () => {
  const step = { type: 'exit' as const, reason: 'no_answer' }
  expect(exit.enter(step, visit())).toEqual({ outcome: 'exited', detail: { reason: 'no_answer' }, exit: 'no_answer' })
  expect(exit.pointers(step)).toEqual({})
})
