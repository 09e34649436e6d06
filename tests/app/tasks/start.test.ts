import { expect, test } from 'bun:test'
import pino from 'pino'
import { startWorld } from '../../support/world.ts'

test('the start logs no warning', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => lines.push(line) })
  const world = await startWorld({}, { log })
  expect(lines).toEqual([])
  await world.stop()
})
