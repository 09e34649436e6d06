/** `listen` while the service is killed and restarted. */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { endPrograms, startListening } from '../app/cli/client/program.ts'
import { testDatabase } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { connectionsLost, expectVerified, owner, shopSettings } from './support.ts'

setDefaultTimeout(120_000)
afterEach(async () => {
  endPrograms()
  await endProcesses()
})

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const count = 500

test('posts 500 events once each and in order, through two kills of the service', async () => {
  await using database = await ownDatabase()
  const receiver = await startReceiver()
  let service = await startProcess(shopSettings(database.url, []))
  const { port, origin } = new URL(service.url)
  const ask = async (method: string, path: string, body: object, token = '') => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    const response = await fetch(`${origin}${path}`, { method, headers, body: JSON.stringify(body) })
    if (response.status !== 201 && response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
    return response.json()
  }
  const session = (await ask('POST', '/v1/auth/sign-in', owner)).token
  const { token } = await ask('POST', '/v1/auth/tokens', { name: 'cli', access: 'write' }, session)
  const channel = await ask('POST', '/v1/channels', { kind: 'sandbox', name: 'Sandbox' }, token)
  const program = await startListening(origin, token, ['--forward-to', receiver.url, '--secret', secret])

  for (let n = 0; n < count; n++) {
    const message = { from: '+15550104477', text: `n${n}` }
    await ask('POST', `/v1/channels/${channel.id}/sandbox/messages`, message, token)
    if (n !== 150 && n !== 350) continue
    await service.end('SIGKILL')
    service = await startProcess({ ...shopSettings(database.url, []), PORT: port })
  }
  await program.until('every event', ({ events }) => events.length >= count, 60_000)

  const texts = receiver.requests.map(({ body, headers }) => {
    expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
    return JSON.parse(body).data.text
  })
  expect(texts).toEqual(Array.from({ length: count }, (_, n) => `n${n}`))
  expect(program.events.every(({ status }) => status === 200)).toBe(true)
  expect(program.error.split('Service not reachable, retrying.').length).toBeGreaterThan(1)
  expect(await program.interrupt()).toMatchObject({ status: 0 })
  await service.end()
  await expectVerified(database.sql)
  await receiver.stop()
})

/** Creates an empty database. The killed processes lose their connections. */
const ownDatabase = async () => {
  const database = await testDatabase()
  database.expectErrors(...connectionsLost)
  return { url: database.url, sql: database.sql, [Symbol.asyncDispose]: database.drop }
}
