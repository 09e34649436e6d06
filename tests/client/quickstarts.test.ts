/**
 * Starts the quickstarts with the ordinary tools of their languages, and delivers to them. They are installed and built
 * once into `.data/quickstarts`.
 */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { decodeSigningSecret, newSigningSecret } from '../../src/core/secrets.ts'
import { signStandard } from '../../src/webhooks/signatures/index.ts'
import { freePort } from '../support/http-server.ts'
import { eventually, useWorld } from '../support/world.ts'

setDefaultTimeout(60_000)

const root = resolve(import.meta.dir, '../..')
const sources = join(root, 'openapi/quickstarts')
const installed = join(root, '.data/quickstarts')
const installTimeoutMs = 300_000

interface Quickstart {
  name: string
  /** Program that has to be installed. */
  program: string
  /** Commands that need a registry. Their failure skips the test. */
  install: string[]
  build?: string[]
  run: string[]
  env?: Record<string, string>
}

const npmInstall = 'npm install --no-audit --no-fund --silent'.split(' ')
const pipInstall = 'python3 -m pip install --quiet --target packages --upgrade -r requirements.txt'.split(' ')

const quickstarts: Quickstart[] = [
  { name: 'express', program: 'npm', install: npmInstall, run: ['node', 'server.js'] },
  { name: 'hono', program: 'npm', install: npmInstall, run: ['node', 'server.js'] },
  {
    name: 'nextjs',
    program: 'npm',
    install: npmInstall,
    build: ['npm', 'run', 'build'],
    run: ['node', 'node_modules/next/dist/bin/next', 'start'],
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  },
  {
    name: 'fastapi',
    program: 'python3',
    install: pipInstall,
    run: ['python3', '-m', 'uvicorn', 'main:app', '--port', '$PORT'],
    env: { PYTHONPATH: 'packages' },
  },
  {
    name: 'go',
    program: 'go',
    install: ['go', 'mod', 'download'],
    build: ['go', 'build', '-o', 'receiver', '.'],
    run: ['./receiver'],
    env: { GOTOOLCHAIN: 'local', GOFLAGS: '' },
  },
  {
    name: 'laravel',
    program: 'composer',
    install: [
      'sh',
      '-ec',
      `rm -rf receiver && composer create-project --quiet laravel/laravel:^12.0 receiver && cp -r bootstrap routes receiver/
      cd receiver && composer require --quiet standard-webhooks/standard-webhooks`,
    ],
    run: ['php', '-S', '127.0.0.1:$PORT', '-t', 'receiver/public'],
    env: { LOG_CHANNEL: 'stderr' },
  },
]

const folderOf = ({ name }: Quickstart): string => join(installed, name)

const spawn = (quickstart: Quickstart, command: string[], env: Record<string, string> = {}, timeout?: number) =>
  Bun.spawn(command, {
    cwd: folderOf(quickstart),
    env: { ...process.env, NODE_ENV: 'production', ...quickstart.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    timeout,
  })

const complete = async (quickstart: Quickstart, command: string[]): Promise<{ code: number; errors: string }> => {
  const child = spawn(quickstart, command, {}, installTimeoutMs)
  const [errors, out, code] = await Promise.all([
    new Response(child.stderr).text(),
    new Response(child.stdout).text(),
    child.exited,
  ])
  return { code, errors: out + errors }
}

/** Installs and builds the quickstart if it has changed. Returns why the test has to be skipped, or null. */
const prepare = async (quickstart: Quickstart): Promise<string | null> => {
  const { name, program, install, build } = quickstart
  if (Bun.which(program) === null) return `${program} is not installed`
  const source = join(sources, name)
  const hash = createHash('sha256').update(JSON.stringify(quickstart))
  for (const path of (readdirSync(source, { recursive: true }) as string[]).sort())
    if (path.includes('.')) hash.update(path).update(readFileSync(join(source, path)))
  const version = hash.digest('hex')
  const stamp = join(folderOf(quickstart), '.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return null
  mkdirSync(folderOf(quickstart), { recursive: true })
  cpSync(source, folderOf(quickstart), { recursive: true })
  if ((await complete(quickstart, install)).code !== 0) return 'its registry did not provide the packages'
  if (build) {
    const { code, errors } = await complete(quickstart, build)
    if (code !== 0) throw new Error(`${build.join(' ')} in ${source}: ${errors}`)
  }
  writeFileSync(stamp, version)
  return null
}

const reasons = await Promise.all(quickstarts.map(prepare))
const ports = await Promise.all(quickstarts.map(() => freePort()))

const world = useWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: ports.map(port => `127.0.0.1:${port}`).join(',') })

let end = async () => {}
afterEach(() => end())

/** Starts the program and returns what it has printed so far. */
const start = (quickstart: Quickstart, port: number, secret: string) => {
  const command = quickstart.run.map(part => part.replace('$PORT', String(port)))
  const child = spawn(quickstart, command, { PORT: String(port), WEBHOOK_SECRET: secret })
  let printed = ''
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) printed += decoder.decode(bytes, { stream: true })
  }
  const reading = [child.stdout, child.stderr].map(read)
  end = async () => {
    child.kill('SIGKILL')
    await Promise.all([child.exited, ...reading])
  }
  return () => printed
}

describe('a quickstart prints a delivered event once, and rejects a wrong signature with 401', () => {
  for (const [index, quickstart] of quickstarts.entries()) {
    const reason = reasons[index]
    const port = ports[index]!
    const url = `http://127.0.0.1:${port}/hooks`
    test.skipIf(reason !== null)(`${quickstart.name}${reason === null ? '' : ` (skipped: ${reason})`}`, async () => {
      const body = { url, events: ['message.status'] }
      const { id, secret } = await world.expect(201, 'POST', '/v1/webhooks', { body })
      const printed = start(quickstart, port, secret)
      /** Posts an event as the service does. Returns the status, or null if the program does not listen yet. */
      const post = (eventId: string, key: string) => {
        const text = JSON.stringify({ type: 'message.status', id: eventId })
        const now = Math.floor(Date.now() / 1000)
        const headers = {
          'Content-Type': 'application/json',
          'webhook-id': eventId,
          'webhook-timestamp': `${now}`,
          'webhook-signature': signStandard([decodeSigningSecret(key)], eventId, now, text),
        }
        return fetch(url, { method: 'POST', headers, body: text }).then(
          ({ status }) => status,
          () => null,
        )
      }
      const rejected = await eventually(`it listens: ${printed()}`, () => post('forged', newSigningSecret()), 20_000)
      expect(rejected, printed()).toBe(401)
      await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
      const delivery = await eventually('the ping is delivered', async () => {
        const { data } = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries`)
        return data.find((one: { status: string }) => one.status === 'delivered')
      })
      expect([await post(delivery.eventId, secret), await post('another', secret)]).toEqual([204, 204])
      await eventually('the last event is printed', () => printed().includes('message.status another'))
      const lines = [...printed().matchAll(/\b(ping|message\.status) [\w-]+/g)].map(([line]) => line)
      expect(lines).toEqual([`ping ${delivery.eventId}`, 'message.status another'])
    })
  }
})
