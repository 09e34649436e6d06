/**
 * Verifies deliveries of the service with the official libraries of Standard Webhooks. Libraries of other languages are
 * installed once into `.data/libraries`, by the ordinary client of their registry.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decodeSigningSecret, newSigningSecret } from '../../src/core/secrets.ts'
import { signStandard } from '../../src/webhooks/signatures/index.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { useWorld } from '../support/world.ts'

setDefaultTimeout(60_000)

const root = resolve(import.meta.dir, '../..')
const runners = join(import.meta.dir, 'standard-webhooks')
const libraries = join(root, '.data/libraries')
const installTimeoutMs = 120_000

interface Language {
  name: string
  /** Program that has to be installed. */
  program: string
  /** Folder of the runner, copied into the library's folder. Null if the runner stays where it is. */
  copied: string | null
  install: string[] | null
  build?: string[]
  /** Command that runs in the library's folder. The path of the cases follows. */
  run: string[]
  env?: Record<string, string>
}

const languages: Language[] = [
  { name: 'JavaScript', program: 'node', copied: null, install: null, run: ['node', join(runners, 'verify.mjs')] },
  {
    name: 'Python',
    program: 'python3',
    copied: null,
    install: 'python3 -m pip install --quiet --target . standardwebhooks==1.1.0'.split(' '),
    run: ['python3', join(runners, 'verify.py')],
    env: { PYTHONPATH: '.' },
  },
  {
    name: 'Go',
    program: 'go',
    copied: 'go',
    install: ['go', 'mod', 'tidy'],
    build: ['go', 'build', '-o', 'verify', '.'],
    run: ['./verify'],
    env: { GOTOOLCHAIN: 'local', GOFLAGS: '' },
  },
  {
    name: 'Rust',
    program: 'cargo',
    copied: 'rust',
    install: ['cargo', 'build', '--quiet'],
    build: ['cargo', 'build', '--quiet', '--offline'],
    run: ['target/debug/verify'],
  },
  {
    name: 'Java',
    program: 'mvn',
    copied: 'java',
    install: 'mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib'.split(' '),
    run: ['java', '-cp', 'lib/*', 'Verify.java'],
  },
  {
    name: 'Ruby',
    program: 'gem',
    copied: null,
    install: 'gem install --no-document --install-dir . standardwebhooks'.split(' '),
    run: ['ruby', join(runners, 'verify.rb')],
    env: { GEM_PATH: '.' },
  },
  {
    name: 'PHP',
    program: 'composer',
    copied: null,
    install: 'composer require --quiet standard-webhooks/standard-webhooks'.split(' '),
    run: ['php', join(runners, 'verify.php')],
    env: { LIBRARY: '.' },
  },
]

const folderOf = ({ name }: Language): string => join(libraries, name.toLowerCase())

const spawn = (language: Language, command: string[], timeout?: number) =>
  Bun.spawn(command, {
    cwd: language.install ? folderOf(language) : root,
    env: { ...process.env, ...language.env },
    stdout: 'pipe',
    stderr: 'pipe',
    timeout,
  })

/** Installs the library if it is missing. Returns why the test has to be skipped, or null. */
const prepare = async (language: Language): Promise<string | null> => {
  if (Bun.which(language.program) === null) return `${language.program} is not installed`
  if (language.install === null) return null
  const folder = folderOf(language)
  const isInstalled = join(folder, '.installed')
  mkdirSync(folder, { recursive: true })
  if (language.copied !== null) cpSync(join(runners, language.copied), folder, { recursive: true })
  if (existsSync(isInstalled)) return null
  const child = spawn(language, language.install, installTimeoutMs)
  const [, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (code !== 0) return 'its registry did not provide the library'
  writeFileSync(isInstalled, '')
  return null
}

const reasons = await Promise.all(languages.map(prepare))

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

type Case = [name: string, isGenuine: boolean, fields: [secret: string, headers: Record<string, string>, body: string]]

let cases: Case[]
let casesPath: string
const folder = mkdtempSync(join(tmpdir(), 'standard-webhooks-'))

beforeAll(async () => {
  const body = { url: receiver.url, events: ['message.status'] }
  const { id, secret: oldSecret } = await world.expect(201, 'POST', '/v1/webhooks', { body })
  const ping = async (count: number) => {
    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    return (await receiver.waitFor(count)).at(-1)!
  }
  const before = await ping(1)
  const { secret: newSecret } = await world.expect(200, 'POST', `/v1/webhooks/${id}/secret`)
  const during = await ping(2)
  const old = Math.floor(Date.now() / 1000) - 600
  const oldHeaders = {
    'webhook-id': 'an-id',
    'webhook-timestamp': `${old}`,
    'webhook-signature': signStandard([decodeSigningSecret(oldSecret)], 'an-id', old, before.body),
  }
  cases = [
    ['before a rotation', true, [oldSecret, before.headers, before.body]],
    ['during a rotation, with the new secret', true, [newSecret, during.headers, during.body]],
    ['during a rotation, with the old secret', true, [oldSecret, during.headers, during.body]],
    ['before a rotation, with the new secret', false, [newSecret, before.headers, before.body]],
    ['with another secret', false, [newSigningSecret(), during.headers, during.body]],
    ['with a changed body', false, [newSecret, during.headers, `${during.body} `]],
    ['with the ID of another event', false, [newSecret, { ...during.headers, 'webhook-id': id }, during.body]],
    ['that is ten minutes old', false, [oldSecret, oldHeaders, before.body]],
  ]
  casesPath = join(folder, 'cases')
  writeFileSync(casesPath, cases.map(toLine).join('\n'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the fields of a case, separated by tabs: every language can read this format without a library. */
const toLine = ([, , [secret, headers, body]]: Case): string => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  return [secret, ...names.map(name => headers[name]), Buffer.from(body).toString('base64')].join('\t')
}

const run = async (language: Language, command: string[]): Promise<string> => {
  const child = spawn(language, command)
  const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(await child.exited, errors).toBe(0)
  return out
}

describe('the library of Standard Webhooks verifies deliveries, and rejects changed and old ones', () => {
  for (const [index, language] of languages.entries()) {
    const reason = reasons[index]
    test.skipIf(reason !== null)(`in ${language.name}${reason === null ? '' : ` (skipped: ${reason})`}`, async () => {
      if (language.build) await run(language, language.build)
      const verdicts = (await run(language, [...language.run, casesPath])).trim().split(/\r?\n/)
      const named = cases.map(([name], number) => [name, verdicts[number]])
      expect(named).toEqual(cases.map(([name, isGenuine]) => [name, String(isGenuine)]))
    })
  }
})
