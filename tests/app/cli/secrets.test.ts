import { beforeAll, expect, test } from 'bun:test'
import { Keyring } from '../../../src/platform/encryption.ts'
import { findUndecryptable } from '../../../src/privacy/re-encryption/index.ts'
import { runCommand } from '../../support/command.ts'
import { dumpOf, holds } from '../../support/dump.ts'
import { useWorld } from '../../support/world.ts'

const bytesOf = (byte: number) => Buffer.alloc(32, byte)
const keyOf = (byte: number) => bytesOf(byte).toString('base64')

const world = useWorld({ SECRETS_KEY: keyOf(1) })
let rotated: string
beforeAll(async () => {
  const webhook = { url: 'https://hooks.example.com/x', events: ['message.status'], headers: { 'X-Token': 'of ours' } }
  const { id } = await world.expect(201, 'POST', '/v1/webhooks', { body: webhook })
  rotated = (await world.expect(200, 'POST', `/v1/webhooks/${id}/secret`)).secret
  const credentials = {
    phoneNumberId: '1'.repeat(15),
    accessToken: 'a'.repeat(40),
    appSecret: 'b'.repeat(32),
    verifyToken: 'verify-token-of-ours',
  }
  await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'whatsapp_cloud', name: 'WhatsApp', credentials } })
  await world.expect(200, 'POST', '/v1/auth/totp', { body: { password: world.owner.password } })
})

/** Runs the command with these keys. */
const reencryptWith = (options: string[], keys: number[]) => {
  const SECRETS_KEY = keys.map(keyOf).join()
  const settings = { DATABASE_URL: world.database.url, ...(SECRETS_KEY && { SECRETS_KEY }) }
  return runCommand(['secrets', 'reencrypt', ...options], settings)
}
const reencrypt = (...keys: number[]) => reencryptWith([], keys)

const isDecryptedBy = async (key: number) =>
  (await findUndecryptable(world.database.sql, new Keyring([bytesOf(key)]))).length === 0

test('waits until every process encrypts with the first key, and reports the wait', async () => {
  const refusal = async (...keys: number[]) => (await reencrypt(...keys)).error
  expect(await refusal(2, 1)).toContain('with another first key')
  await world.service.stop()
  const { sql } = world.database
  await sql`insert into processes (id, host, pid, alive_until) values (uuidv7(), 'other', 1, now() + interval '1 hour')`
  expect(await refusal(2, 1)).toContain('with another first key')
  await sql`delete from processes where host = 'other'`
  expect(await refusal()).toContain('SECRETS_KEY is not set')
  expect(await isDecryptedBy(1)).toBe(true)
})

test('encrypts credentials, secrets, headers and second factors with the first key, including secrets in clear text', async () => {
  const { sql } = world.database
  const inClear = `whsec_${'c'.repeat(43)}`
  await sql`
    insert into webhooks (workspace_id, url, events, secret)
    values (${world.workspaceId}, 'https://hooks.example.com/y', '{message.status}', ${inClear})`
  const { status, out } = await reencrypt(2, 1)
  expect(status).toBe(0)
  expect(out.split('\n').map(line => line.split(/ {2,}/))).toEqual([
    ['KIND', 'WITH FIRST KEY', 'NOT READABLE', 'CHANGED DURING RUN'],
    ['credentials of channels', '1', '0', '0'],
    ['webhook secrets', '3', '0', '0'],
    ['headers of webhooks', '1', '0', '0'],
    ['second factors', '1', '0', '0'],
    ['All secrets are encrypted with the first key. You can remove the other keys from SECRETS_KEY.'],
    [''],
  ])
  const dump = await dumpOf(sql)
  expect([rotated, inClear, 'whsec_'].filter(secret => holds(dump, secret))).toEqual([])
  expect([await isDecryptedBy(1), await isDecryptedBy(2)]).toEqual([false, true])
  expect((await reencrypt(2)).out, 'it can be repeated').toBe(out)
  expect(JSON.parse((await reencryptWith(['--json'], [2])).out)).toMatchObject({
    isComplete: true,
    kinds: { 'webhook secrets': { underFirstKey: 3, undecryptable: 0, left: 0 } },
  })
})

test('counts values that no key decrypts and leaves them unchanged', async () => {
  const { status, out } = await reencrypt(3)
  expect(status).toBe(1)
  expect(out).toMatch(/^webhook secrets +0 +3 +0$/m)
  expect(out).toContain('Keep the other keys.')
  expect(await isDecryptedBy(2)).toBe(true)
})

test('finds every row of several pages, and reads a concurrently changed row again', async () => {
  const { sql } = world.database
  const factors = await sql`select count(*)::integer as count from second_factors`
  expect(factors[0]!.count).toBe(1)
  await sql`
    insert into webhooks (workspace_id, url, events, secret)
    select ${world.workspaceId}, 'https://hooks.example.com/' || n, '{message.status}', convert_to('whsec_' || n, 'UTF8') from generate_series(1, 450) n`
  let changing = true
  const changes = (async () => {
    while (changing) await sql`update webhooks set updated_at = now() where url = 'https://hooks.example.com/225'`
  })()
  await reencrypt(2)
  changing = false
  await changes
  const { status, out } = await reencrypt(4, 2)
  expect(status).toBe(0)
  expect(out).toMatch(/^webhook secrets +453 +0 +0$/m)
  expect(holds(await dumpOf(sql), 'whsec_')).toBe(false)
})

test.each(['', 'recrypt', 'reencrypt now', 'reencrypt --all'])('rejects the arguments "%s"', async line => {
  expect((await runCommand(['secrets', ...line.split(' ').filter(Boolean)])).status).toBe(2)
})
