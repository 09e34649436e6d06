/** Tests that every service follows the contract of src/platform/service.ts. */
import { expect, test } from 'bun:test'
import pino from 'pino'
import { createServices } from '../../src/app/index.ts'
import { readConfig } from '../../src/config.ts'
import type { Service } from '../../src/platform/service.ts'
import { useDatabase } from '../support/database.ts'
import { eventually } from '../support/world.ts'

const database = useDatabase()

const leavesOf = (service: Service): Service[] => (service.services ? service.services.flatMap(leavesOf) : [service])

const soon = () => AbortSignal.timeout(5000)

/** Creates the services of a process without starting them. */
const create = async () => {
  const log = pino({ level: 'silent' })
  const { service } = await createServices(
    { config: readConfig({ PORT: '0' }), databaseUrl: database.url, log },
    () => false,
  )
  return service
}

test('the services start with traces and the connections and end with the server, and close all connections after a stop', async () => {
  const service = await create()
  const names = leavesOf(service).map(({ name }) => name)
  expect([...names.slice(0, 2), names.at(-1)]).toEqual(['traces', 'connections', 'server'])
  const connected = async () => {
    const rows = await database.sql`
      select application_name as name from pg_stat_activity
      where datname = current_database() and application_name <> 'test'`
    return rows.map(({ name }) => name)
  }
  await service.start()
  expect(await connected()).toContain('customer-engagement tasks')
  await service.stop(soon())
  await eventually('every connection is closed', async () => (await connected()).length === 0, 3000)
})

const lifecycles: Record<string, (service: Service) => Promise<unknown>> = {
  'can be started twice and stopped twice': async service => {
    await service.start()
    await service.start()
    await service.stop(soon())
    await service.stop(soon())
  },
  'can be stopped before it is started, and then does nothing': async service => {
    await service.stop(soon())
    await service.start().catch(() => {})
    await service.stop(soon())
  },
  'can be stopped while it starts, and without any time left': async service => {
    const started = service.start().catch(() => {})
    await service.stop(AbortSignal.abort())
    await started
    await service.stop(AbortSignal.abort())
  },
}
test.each(Object.entries(lifecycles))('every service %s', async (_, live) => {
  const { length } = leavesOf(await create())
  expect(length).toBeGreaterThan(15)
  for (let index = 0; index < length; index++) {
    const services = leavesOf(await create())
    const service = services[index]!
    await live(service).catch(error => {
      throw new Error(`${service.name}: ${error.message}`)
    })
    await services[0]!.stop(soon())
  }
})
