/** Tests that `doctor` reports each check, and what to do about a failed one. */
import { expect, test } from 'bun:test'
import { runCommand } from '../../support/command.ts'
import { testServer } from '../../support/database.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { use } from '../../support/use.ts'
import { useWorld } from '../../support/world.ts'

const mail = use(startMailServer)
const key = Buffer.alloc(32, 7).toString('base64')
const world = useWorld(() => ({ SECRETS_KEY: key }))

const examine = async (settings: Record<string, string>) => {
  const { status, out, error } = await runCommand(['doctor', '--json'], {
    DATABASE_URL: world.database.url,
    ...settings,
  })
  expect(error).toBe('')
  const checks: { name: string; result: string; detail: string }[] = JSON.parse(out)
  return { status, checks, of: (name: string) => checks.find(check => check.name === name) }
}

test('reports every check of a healthy service as ok', async () => {
  const settings = { SMTP_URL: mail.url, MAIL_FROM: 'a@shop.example', PUBLIC_URL: world.url, SECRETS_KEY: key }
  const { status, checks } = await examine(settings)
  expect(checks.map(({ name }) => name)).toEqual([
    'settings',
    'open files',
    'database',
    'extensions',
    'rights',
    'migrations',
    'durability',
    'pooler',
    'connections',
    'clock',
    'disk',
    'keys',
    'mail',
    'public URL',
  ])
  // The server of the tests is not durable, and its role is a superuser.
  const others = checks.filter(({ name }) => !['open files', 'durability', 'connections'].includes(name))
  expect(others.filter(({ result }) => result !== 'ok')).toEqual([])
  expect(status).toBe(1)
})

test('says what to do about each failure', async () => {
  await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: 'https://example.com/x', events: ['message.status'] },
  })
  const { status, of } = await examine({
    SECRETS_KEY: Buffer.alloc(32, 8).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@shop.example',
    PUBLIC_URL: `${world.url}/elsewhere`,
    PUBLIC_ULR: 'x',
  })
  expect(status).toBe(1)
  expect(of('keys')).toMatchObject({
    result: 'failed',
    detail: 'SECRETS_KEY cannot decrypt: webhook secrets. Restore the key that encrypted them.',
  })
  expect(of('mail')).toMatchObject({ result: 'failed', detail: expect.stringContaining('Check SMTP_URL.') })
  expect(of('public URL')).toMatchObject({ result: 'failed', detail: expect.stringContaining('not the service') })
})

test('reports pending migrations, and invalid settings', async () => {
  const server = await testServer()
  const name = `doctor_${crypto.randomUUID().replaceAll('-', '')}`
  try {
    const { of } = await examine({ DATABASE_URL: await server.ensureDatabase(name) })
    expect(of('migrations')).toMatchObject({ result: 'failed', detail: 'Migrations are pending. Run "migrate".' })
  } finally {
    await server.dropDatabase(name)
  }
  const invalid = await examine({ PORT: 'x' })
  expect(invalid.checks).toEqual([
    { name: 'settings', result: 'failed', detail: 'PORT must be a whole number from 0 to 65535, not "x".' },
  ])
  const unreachable = await examine({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  expect(unreachable.of('database')).toMatchObject({ result: 'failed' })
  expect((await runCommand(['doctor', 'x'])).status).toBe(2)
})
