import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { openSeals } from '../../src/service/seals.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seals-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const place = ['workspace', 'channel']
const configOf = (dataDir: string, settings: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: join(folder, dataDir), ...settings })

test('without a setting the embedded default makes a key once, which its owner alone can read', async () => {
  const config = configOf('made')
  const all = await Promise.all(Array.from({ length: 8 }, () => openSeals(config, true)))
  const sealed = all[0]!.seal('secret', place)
  for (const seals of all) expect(seals!.open(sealed, place)).toBe('secret')
  expect((await openSeals(config, true))!.open(sealed, place)).toBe('secret')
  expect(await readdir(config.dataDir)).toEqual(['secrets.key'])
  const file = join(config.dataDir, 'secrets.key')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(Buffer.from(await readFile(file, 'utf8'), 'base64')).toHaveLength(32)
})

test('two processes that start together have one key', async () => {
  const config = configOf('two')
  const program = `
    import { readConfig } from ${JSON.stringify(join(import.meta.dir, '../../src/config.ts'))}
    import { openSeals } from ${JSON.stringify(join(import.meta.dir, '../../src/service/seals.ts'))}
    const seals = await openSeals(readConfig({ DATA_DIR: ${JSON.stringify(config.dataDir)} }), true)
    console.log(seals.seal('secret', ['workspace', 'channel']).toString('base64'))`
  const said = await Promise.all(
    [1, 2].map(() => new Response(Bun.spawn([process.execPath, '-e', program]).stdout).text()),
  )
  const seals = await openSeals(config, true)
  for (const one of said) expect(seals!.open(Buffer.from(one.trim(), 'base64'), place)).toBe('secret')
})

test('with DATABASE_URL there is a key only where the setting names one', async () => {
  expect(await openSeals(configOf('none'), false)).toBeNull()
  const named = configOf('named', { SECRETS_KEY: Buffer.alloc(32, 5).toString('base64') })
  expect(await openSeals(named, false)).not.toBeNull()
  await openSeals(named, true)
  expect(await readdir(folder)).not.toContain('named')
})

test('a kept key that cannot be used stops the start with a sentence that names its file', async () => {
  const config = configOf('.')
  await writeFile(join(config.dataDir, 'secrets.key'), 'nonsense')
  expect(openSeals(config, true)).rejects.toThrow(/secrets\.key must hold a key of 32 bytes/)
})
