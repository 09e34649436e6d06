/** Tests that every service follows the contract of src/platform/service.ts. */
import { afterEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { createServices } from '../../src/app/index.ts'
import { readConfig } from '../../src/config.ts'
import type { Service } from '../../src/platform/service.ts'
import { useDatabase } from '../support/database.ts'
import { eventually } from '../support/world.ts'

const database = useDatabase()

const leavesOf = (part: Service): Service[] => (part.services ? part.services.flatMap(leavesOf) : [part])

const made: Service[] = []
/** Most tests stop a single service. This closes the connections that it used. */
afterEach(async () => {
  for (const part of made.splice(0)) await part.stop(soon())
})

/** Creates the services of a process without starting them. */
const parts = async () => {
  const { service: parts } = await createServices(
    {
      config: readConfig({ PORT: '0' }),
      databaseUrl: database.url,
      log: pino({ level: 'silent' }),
    },
    () => false,
  )
  const [connections, ...others] = leavesOf(parts)
  made.push(connections!)
  return [connections!, ...others]
}

const names = [
  'connections',
  'audit retention',
  'clock comparison',
  'changes for streams',
  'hold',
  'streams',
  'endpoint health',
  'actors',
  'outbox',
  'runs',
  'listener',
  'local wake-ups',
  'statistics of new tables',
  'secret maintenance',
  'tasks',
  'credential use',
  'refusals',
  'failed sign-ins',
  'rate limits',
  'event writer',
  'server',
]

const soon = () => AbortSignal.timeout(5000)

test('the services start in this order', async () => {
  expect((await parts()).map(({ name }) => name)).toEqual(names)
})

describe.each(names)('%s', name => {
  const part = async () => (await parts()).find(one => one.name === name)!

  test('can be started twice and stopped twice', async () => {
    const one = await part()
    await one.start()
    await one.start()
    await one.stop(soon())
    await one.stop(soon())
  })

  test('can be stopped before it is started, and then does nothing', async () => {
    const one = await part()
    await one.stop(soon())
    await one.start().catch(() => {})
    await one.stop(soon())
  })

  test('can be stopped while it starts, and without any time left', async () => {
    const one = await part()
    const started = one.start().catch(() => {})
    await one.stop(AbortSignal.abort())
    await started
    await one.stop(AbortSignal.abort())
  })
})

test('the services close all connections after a start and a stop', async () => {
  const { service: parts } = await createServices(
    { config: readConfig({ PORT: '0' }), databaseUrl: database.url, log: pino({ level: 'silent' }) },
    () => false,
  )
  const connected = async () =>
    (
      await database.sql`
        select application_name as name from pg_stat_activity
        where datname = current_database() and application_name <> 'test'`
    ).map(({ name }) => name)
  await parts.start()
  expect(await connected()).toContain('customer-engagement tasks')
  await parts.stop(soon())
  await eventually('every connection is closed', async () => (await connected()).length === 0, 3000)
})
