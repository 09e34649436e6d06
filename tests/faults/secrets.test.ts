/**
 * Tests of the upgrade from the release that stored webhook secrets in plain text. Uses that release's source if
 * available.
 */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from '../../src/db/client.ts'
import { testServer } from '../support/database.ts'
import { dumpOf, holds } from '../support/dump.ts'
import { endProcesses, spawnProcess, startProcess } from '../support/process.ts'
import { type ReceivedRequest, startReceiver, verifySignature } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import { openShop, shopSettings } from './support.ts'

setDefaultTimeout(120_000)

const project = resolve(import.meta.dir, '../..')
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  await endProcesses()
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Returns the source of the last commit before the migration that encrypts secrets. null in a shallow clone. */
const sourceBefore = (): string | null => {
  const folder = mkdtempSync(join(tmpdir(), 'before-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const script =
    'commit=$(git log --diff-filter=A --format=%H -- sql/052_secrets_sealed.sql | tail -1) && git archive "$commit~1" | tar -x -C "$0"'
  Bun.spawnSync(['sh', '-c', script, folder], { cwd: project, stderr: 'ignore' })
  if (!existsSync(join(folder, 'src/main.ts'))) return null
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  withoutItsPage(join(folder, 'src/http/pages.ts'))
  return folder
}

/** Removes an import of that release whose package is no longer installed. The test does not use it. */
const withoutItsPage = (file: string): void => {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/^import (\w+) from 'swagger-ui-dist[^\n]*$/gm, "const $1 = ''"))
}

test('encrypts the plain-text secrets of the previous release once that has ended, and keeps it out', async () => {
  const before = sourceBefore()
  if (before === null) return console.warn('The release before is not in this clone; nothing was tried.')
  const postgres = await testServer()
  const name = `secrets_${randomUUID().replaceAll('-', '')}`
  const url = await postgres.ensureDatabase(name)
  const sql = connect({ url, applicationName: 'test', max: 4 })
  cleanups.push(async () => {
    await sql.end({ timeout: 1 })
    await postgres.dropDatabase(name)
  })
  const receiver = await startReceiver()
  cleanups.push(receiver.stop)
  const settings = shopSettings(url, [receiver], { SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') })

  const older = await startProcess(settings, before)
  const shop = await openShop(older.url, [])
  const create = (at: string) =>
    shop.expect(201, at, 'POST', '/v1/webhooks', { url: receiver.url, events: ['message.status'] })
  const rotate = async (at: string, { id }: { id: string }) =>
    (await shop.expect(200, at, 'POST', `/v1/webhooks/${id}/secret`)).secret
  const one = await create(older.url)
  const newer = await startProcess(settings)
  const other = await create(newer.url)
  const secrets: Record<string, string[]> = {
    [one.id]: [await rotate(newer.url, one), one.secret],
    [other.id]: [await rotate(older.url, other), other.secret],
  }

  const pinged = new Map<string, string>()
  const ping = async (at: string) => {
    for (const { id } of [one, other])
      pinged.set((await shop.expect(202, at, 'POST', `/v1/webhooks/${id}/test`)).id, id)
  }
  for (let n = 0; n < 5; n++) for (const at of [older.url, newer.url]) await ping(at)
  await eventually('both have delivered', () => receiver.requests.length >= pinged.size)
  const isInClear = async () => holds(await dumpOf(sql), 'whsec_')
  expect(await isInClear()).toBe(true)

  const ending = older.end()
  await eventually('all is encrypted', async () => {
    await ping(newer.url)
    return !(await isInClear())
  })
  expect(await ending).toMatchObject({ code: 0 })
  await ping(newer.url)
  const third = await create(newer.url)
  secrets[third.id] = [third.secret]
  pinged.set((await shop.expect(202, newer.url, 'POST', `/v1/webhooks/${third.id}/test`)).id, third.id)
  expect(await isInClear()).toBe(false)

  await eventually('all has come in', () => idsOf(receiver.requests).size === pinged.size, 30_000)
  for (const request of receiver.requests)
    expect(signersOf(request, secrets[pinged.get(request.headers['x-service-delivery']!)!]!)).toBe('all')

  const again = spawnProcess(settings, before)
  expect(await again.ended).toMatchObject({ code: 1 })
  expect(again.complaints).toContain('use a newer build')
})

const idsOf = (requests: readonly ReceivedRequest[]) =>
  new Set(requests.map(({ headers }) => headers['x-service-delivery']))

/** Checks that the signatures are made with exactly these secrets, in this order. */
const signersOf = ({ headers, body }: ReceivedRequest, secrets: string[]): string => {
  const [t, ...signatures] = headers['x-service-signature']!.split(',')
  const holds = secrets.map(
    (secret, n) => signatures[n] && verifySignature(`${t},${signatures[n]}`, body, secret, Date.now() / 1000),
  )
  return signatures.length === secrets.length && holds.every(Boolean) ? 'all' : JSON.stringify(headers)
}
