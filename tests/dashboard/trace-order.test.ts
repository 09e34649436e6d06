/** Tests the order of the spans of a trace. */
import { expect, test } from 'bun:test'
import { inTimeOrder, sortByTime } from '../../src/dashboard/trace/order.ts'

const span = (key: string, minute?: number) => ({
  key,
  at: minute === undefined ? null : `2026-11-23T12:0${minute}:00.000Z`,
})
const keysOf = (...groups: ReturnType<typeof span>[][]) => sortByTime(groups).map(({ key }) => key)

test('groups of spans come by the time of their first span, and stay together', () => {
  expect(keysOf([span('read', 3), span('endpoint')], [], [span('waited', 1)], [span('sent', 2)])).toEqual([
    'waited',
    'sent',
    'read',
    'endpoint',
  ])
})

test('branches come by the time of their first span, and those without a time last', () => {
  const branches = inTimeOrder([[span('late', 3)], [span('never')], [], [span('early', 1), span('next', 4)]])
  expect(branches.map(([first]) => first?.key)).toEqual(['early', 'late', 'never'])
})

test('a wait without an end comes last', () => {
  expect(keysOf([span('waits')], [span('sent', 2)], [span('waited', 1)])).toEqual(['waited', 'sent', 'waits'])
})
