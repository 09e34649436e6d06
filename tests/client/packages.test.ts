/**
 * Builds the client packages, installs each into an empty folder, and runs it there: the shared vectors, the main job
 * against a service, and repeats against a server that fails.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Glob } from 'bun'
import { closeAfterHeaders, closeBeforeAnswer, type Receiver, respond, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { bearer, useWorld, type World } from '../support/world.ts'

setDefaultTimeout(60_000)

const root = resolve(import.meta.dir, '../..')
const scripts = join(import.meta.dir, 'packages')
const vectors = [join(root, 'openapi/clients/vectors.json'), join(root, 'tests/vectors/signatures.json')]

const folder = mkdtempSync(join(tmpdir(), 'packages-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a command to its end. Returns its output, and fails if its status is not 0. */
const run = async (cwd: string, ...command: string[]): Promise<string> => {
  const child = Bun.spawn(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}\n${out}${err}`)
  return out
}

const json = { 'Content-Type': 'application/json' }
const recorded = respond(201, '{"recorded": true}', json)

interface Surroundings {
  world: World
  /** Receiver of the webhooks. */
  receiver: Receiver
  /** Server that fails. */
  standIn: Receiver
}

const useSurroundings = (): Surroundings => {
  const receiver = use(startReceiver)
  const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
  return { receiver, world, standIn: use(startReceiver) }
}

/** Defines the reactions of the stand-in to the five calls of a driver. Returns the expected statuses. */
const fail = (standIn: Receiver): number[] => {
  standIn.behave(
    // An event without a key of its own.
    ...[respond(503, '{}', json), closeAfterHeaders(201), recorded],
    // A POST that cannot have a key.
    respond(503, '{}', json),
    ...[respond(429, '{}', { ...json, 'Retry-After': '1' }), respond(200, '{"data": [], "nextCursor": null}', json)],
    respond(409, '{}', json),
    ...[closeBeforeAnswer(), respond(400, '{}', json)],
  )
  return [201, 503, 200, 409, 400]
}

/** Runs the driver of a package. It must see the same in every language. */
const drive = async ({ world, receiver, standIn }: Surroundings, cwd: string, ...command: string[]) => {
  const statuses = fail(standIn)
  const child = Bun.spawn([...command, world.url, world.owner.token, receiver.url, `http://${standIn.target}`], {
    cwd,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [delivery] = await Promise.race([receiver.waitFor(1), child.exited.then(() => [])])
  child.stdin.write(`${JSON.stringify({ headers: delivery?.headers, body: delivery?.body })}\n`)
  child.stdin.end()
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(await child.exited, err).toBe(0)
  expect(JSON.parse(out.split('\n')[1]!)).toEqual({
    recorded: [true, false, true, 1],
    phones: ['+4915112345670', '+4915112345679', '+4915112345678'],
    refused: '403 forbidden',
    event: ['message.status', 'delivered', true],
    changed: 'digest_mismatch',
    pulled: true,
    statuses,
  })
  const sent = standIn.requests
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...Array.from({ length: 3 }, () => 'POST /v1/events'),
    'POST /v1/customers',
    ...Array.from({ length: 2 }, () => 'GET /v1/customers'),
    'POST /v1/events',
    ...Array.from({ length: 2 }, () => 'GET /v1/customers'),
  ])
  const keys = sent.slice(0, 3).map(({ body }) => JSON.parse(body).idempotencyKey)
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0], keys[0]])
  expect(sent[5]!.receivedAt.getTime() - sent[4]!.receivedAt.getTime()).toBeGreaterThanOrEqual(990)
}

const withoutNpm = Bun.which('npm') === null || Bun.which('node') === null

describe.skipIf(withoutNpm)(`the npm package${withoutNpm ? ' (skipped: node and npm are not installed)' : ''}`, () => {
  const surroundings = useSurroundings()
  const { world } = surroundings
  const empty = join(folder, 'npm')
  let tarball: string

  beforeAll(async () => {
    tarball = (await run(root, process.execPath, 'deploy/clients.ts', folder, 'typescript')).trim()
    mkdirSync(empty)
    await run(empty, 'npm', 'install', '--offline', '--no-audit', '--no-fund', tarball)
    cpSync(scripts, empty, { recursive: true })
  })

  test('contains the license, the guide and the compiled files of this version, and nothing else', async () => {
    const names = (await run(root, 'tar', 'tzf', tarball)).trim().split('\n')
    const own = names.filter(name => !name.includes('/node_modules/')).map(name => name.replace('package/', ''))
    const modules = ['client', 'errors', 'idempotency', 'index', 'pages', 'pull', 'retry', 'schema', 'webhooks']
    const compiled = modules.flatMap(name => [`dist/${name}.d.ts`, `dist/${name}.js`])
    expect(own.sort()).toEqual([...compiled, 'LICENSE', 'README.md', 'dist/cli.js', 'package.json'].sort())
    expect(names.filter(name => /\.map$|test|\/src\//.test(name))).toEqual([])
    const { version } = await Bun.file(join(root, 'package.json')).json()
    expect(await Bun.file(join(empty, 'node_modules/customer-engagement-client/package.json')).json()).toMatchObject({
      version,
    })
  })

  test.each(['node', 'bun'])('gives the results of the shared vectors under %s', async runtime => {
    const program = runtime === 'bun' ? process.execPath : runtime
    expect(await run(empty, program, 'conformance.mjs', ...vectors)).toMatch(/^\d{3} checks passed\n$/)
  })

  test('drives the main job, and repeats only what is safe', () => drive(surroundings, empty, 'node', 'drive.mjs'))

  test('compiles in a strict project, where the type of an event determines its data', async () => {
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc')
    const compilerOptions = {
      ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, types: [] },
      ...{ module: 'NodeNext', target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] },
    }
    writeFileSync(join(empty, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    expect(await run(empty, process.execPath, tsc)).toBe('')
  })

  test('has the commands for integrators', async () => {
    const { token } = await world.expect(201, 'POST', '/v1/auth/tokens', { body: { name: 'package', access: 'write' } })
    const npx = ['npx', '--offline', 'customer-engagement']
    const service = ['--url', world.url, '--token', token]
    // Without npx, because a signal to npx alone does not reach the command.
    const command = join(empty, 'node_modules/.bin/customer-engagement')
    const options = ['--events', 'message.received', '--json']
    const listening = Bun.spawn([command, 'listen', ...service, ...options], { stdout: 'pipe', stderr: 'pipe' })
    try {
      let notes = ''
      for await (const chunk of listening.stderr) {
        notes += new TextDecoder().decode(chunk)
        if (notes.includes('Ready.')) break
      }
      expect(notes).toContain('Ready.')
      expect(
        await run(empty, ...npx, 'send-event', 'order.created', '--phone', '+4915112345611', ...service),
      ).toContain('order.created')
      await run(empty, command, 'trigger', 'message.received', ...service)
      const { value } = await listening.stdout.getReader().read()
      expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ type: 'message.received', verified: true })
    } finally {
      listening.kill('SIGINT')
    }
    expect(await listening.exited).toBe(0)
    const { data } = await world.expect(200, 'GET', '/v1/events?type=order.created', { as: bearer(token) })
    expect(data).not.toEqual([])
  })
})

const venv = resolve(root, process.env.GENERATORS_VENV ?? '.venv')
const withoutVenv = !existsSync(join(venv, 'wheels')) || !existsSync(join(venv, 'bin/openapi-python-client'))

describe.skipIf(withoutVenv)(`the wheel${withoutVenv ? ' (skipped: .ci/clients did not prepare .venv)' : ''}`, () => {
  const surroundings = useSurroundings()
  const empty = join(folder, 'python')
  const python = join(empty, '.venv/bin/python')

  beforeAll(async () => {
    const wheel = (await run(root, process.execPath, 'deploy/clients.ts', folder, 'python')).trim()
    cpSync(scripts, empty, { recursive: true })
    await run(empty, join(venv, 'bin/python'), '-m', 'venv', '--without-pip', '.venv')
    const pip = [join(venv, 'bin/python'), '-m', 'pip', '--disable-pip-version-check', '--python', python]
    await run(
      empty,
      ...pip,
      'install',
      '--quiet',
      '--no-compile',
      '--no-index',
      '--find-links',
      join(venv, 'wheels'),
      wheel,
    )
  })

  test('contains the license, the guide and the modules of this version', async () => {
    const metadata = join(empty, `.venv/lib`)
    const [path] = [...new Glob('**/customer_engagement_client-*.dist-info/METADATA').scanSync(metadata)]
    const { version } = await Bun.file(join(root, 'package.json')).json()
    const text = await Bun.file(join(metadata, path!)).text()
    expect(text).toContain(`\nVersion: ${version}\n`)
    expect(text).toContain('# customer-engagement-client')
    const names = (await Bun.file(join(metadata, dirname(path!), 'RECORD')).text()).split('\n')
    const own = names.map(line => line.split(',')[0]!).filter(name => !/api_client\/|\.pyc$/.test(name))
    const modules = [
      '__init__',
      'client',
      'errors',
      'idempotency',
      'pages',
      'pull',
      'retry',
      'webhook_events',
      'webhooks',
    ]
    expect(own.filter(name => name.startsWith('customer_engagement/')).sort()).toEqual(
      [...modules.map(name => `customer_engagement/${name}.py`), 'customer_engagement/py.typed'].sort(),
    )
    expect(own.some(name => name.endsWith('/licenses/LICENSE'))).toBe(true)
  })

  test('gives the results of the shared vectors', async () => {
    expect(await run(empty, python, 'conformance.py', ...vectors)).toMatch(/^\d{3} checks passed\n$/)
  })

  test('drives the main job, and repeats only what is safe', () => drive(surroundings, empty, python, 'drive.py'))

  const mypy = join(venv, 'bin/mypy')
  test.skipIf(!existsSync(mypy))('passes mypy in the strict mode, also for a program that uses it', async () => {
    const generated = '[mypy]\nstrict = true\n[mypy-customer_engagement.api_client.*]\nignore_errors = true\n'
    writeFileSync(join(empty, 'mypy.ini'), generated)
    const options = ['--python-executable', python, '-m', 'consumer', '-p', 'customer_engagement']
    expect(await run(empty, mypy, ...options)).toStartWith('Success')
  })
})
