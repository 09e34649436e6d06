import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { loadKeyring, warnAboutSecrets } from '../../src/app/encryption.ts'
import { readConfig } from '../../src/config.ts'
import { Keyring } from '../../src/platform/encryption.ts'
import { newWorkspace, useDatabase } from '../support/database.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const aad = ['workspace', 'channel']
const configOf = (dataDir: string, settings: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: join(folder, dataDir), ...settings })

test('the embedded database creates one key, for processes that start together, readable only by its owner', async () => {
  const config = configOf('made')
  const program = `
    import { readConfig } from ${JSON.stringify(join(import.meta.dir, '../../src/config.ts'))}
    import { loadKeyring } from ${JSON.stringify(join(import.meta.dir, '../../src/app/encryption.ts'))}
    const keyring = await loadKeyring(readConfig({ DATA_DIR: ${JSON.stringify(config.dataDir)} }), true)
    console.log(keyring.encrypt('secret', ['workspace', 'channel']).toString('base64'))`
  const [texts, keyrings] = await Promise.all([
    Promise.all([1, 2].map(() => new Response(Bun.spawn([process.execPath, '-e', program]).stdout).text())),
    Promise.all(Array.from({ length: 8 }, () => loadKeyring(config, true))),
  ])
  const keyring = (await loadKeyring(config, true))!
  for (const text of texts) expect(keyring.decrypt(Buffer.from(text.trim(), 'base64'), aad)).toBe('secret')
  for (const one of keyrings) expect(keyring.decrypt(one!.encrypt('secret', aad), aad)).toBe('secret')
  expect(await readdir(config.dataDir)).toEqual(['secrets.key'])
  const file = join(config.dataDir, 'secrets.key')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(Buffer.from(await readFile(file, 'utf8'), 'base64')).toHaveLength(32)
})

test('with DATABASE_URL, there is a key only if it is configured', async () => {
  expect(await loadKeyring(configOf('none'), false)).toBeNull()
  const named = configOf('named', { SECRETS_KEY: Buffer.alloc(32, 5).toString('base64') })
  expect(await loadKeyring(named, false)).not.toBeNull()
  await loadKeyring(named, true)
  expect(await readdir(folder)).not.toContain('named')
})

test('an invalid key file stops the start with a sentence that names the file', async () => {
  const config = configOf('.')
  await writeFile(join(config.dataDir, 'secrets.key'), 'nonsense')
  expect(loadKeyring(config, true)).rejects.toThrow(/secrets\.key must contain a key of 32 bytes/)
})

describe('the warning at the start', () => {
  const database = useDatabase()

  /** Returns the warning for these keys. Asserts that there is at most one line. */
  const told = async (...bytes: number[]): Promise<string | null> => {
    const [first, ...others] = bytes.map(byte => Buffer.alloc(32, byte))
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    await warnAboutSecrets(database.sql, first ? new Keyring([first, ...others]) : null, log)
    expect(lines.length).toBeLessThan(2)
    if (lines.length === 0) return null
    const { msg, kinds = [] } = JSON.parse(lines[0]!)
    return [msg, ...kinds].join('; ')
  }

  test('names plain webhook secrets, and the kinds of stored values that the keys cannot decrypt', async () => {
    expect(await told()).toBe('SECRETS_KEY is not set: webhook secrets are stored in plain text')
    expect(await told(1)).toBeNull()
    const { sql } = database
    const workspaceId = await newWorkspace(sql)
    const [channelId, webhookId] = [randomUUID(), randomUUID()]
    const keyring = new Keyring([Buffer.alloc(32, 1)])
    const secret = keyring.encrypt('whsec_x', ['webhook secret', workspaceId, webhookId])
    await sql`
      insert into webhooks (workspace_id, id, url, events, secret)
      values (${workspaceId}, ${webhookId}, 'https://example.com', '{message.status}', ${secret})`
    expect(await told(1)).toBeNull()
    expect(await told(2, 1)).toBeNull()
    const other = 'SECRETS_KEY cannot decrypt the stored secrets: restore the key that encrypted them'
    expect(await told(2)).toBe(`${other}; webhook secrets`)
    expect(await told()).toBe(
      'SECRETS_KEY is not set, but stored secrets are encrypted: restore the key; webhook secrets',
    )
    await sql`update webhooks set secret = 'whsec_x'`
    expect(await told(1)).toBe(
      'webhook secrets from before SECRETS_KEY was set are in plain text: run "secrets reencrypt"',
    )
    await sql`update webhooks set secret = ${secret}`
    const credentials = keyring.encrypt('{}', ['credentials', workspaceId, channelId])
    await sql`
      insert into channels (workspace_id, id, kind, name, credentials)
      values (${workspaceId}, ${channelId}, 'twilio_sms', 'SMS', ${credentials})`
    expect(await told(2)).toBe(`${other}; credentials of channels; webhook secrets`)
    expect(await told(1)).toBeNull()
  })
})
