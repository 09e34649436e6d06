/**
 * Clients from generators that a test cannot install. Each is downloaded in one version, generated from the published
 * document, compiled, and run against a running service.
 *
 *   bun tests/client/drive.ts java|go|hey-api|typescript-fetch|all
 *
 * Downloads and results stay in `/tmp/engagement-clients`.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { releaseTestServer } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { startWorld } from '../support/world.ts'

const root = resolve(import.meta.dir, '../..')
const document = join(root, 'openapi/openapi.json')
const drivers = join(import.meta.dir, 'drivers')
const folder = '/tmp/engagement-clients'

const generator = '7.17.0'
const oapiCodegen = 'v2.8.2'

/** Output of the drivers if everything works. The bodies are in the order of their types. */
const expectedOutput = async (): Promise<string> => {
  const { mapping } = (await Bun.file(document).json()).components.schemas.WebhookEvent.discriminator
  const bodies = Object.entries<string>(mapping).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = bodies.map(([, $ref]) => $ref.split('/').at(-1))
  return `customer Ana, recorded true, deliveries 1 and 1 apart, timeline TimelineEvent, bodies ${names.join(' ')}`
}

/**
 * Warnings of `openapi-generator` about itself. Before you add one, show that a document of a few lines causes it too.
 */
const aboutItself = [
  'OpenAPI 3.1 support is still in beta.',
  'Failed to get the schema name: null',
  'Ignoring complex example on request body',
  'No application/json content media type found in response.',
  '(reserved word) cannot be used as model name.',
  '(model name matches existing language type) cannot be used as a model name.',
]

interface Outbound {
  post: { requestBody: { content: Record<string, { example: unknown }> } }
}

type Driver = (args: string[]) => Promise<string>

/** Generates and compiles each client, and returns how to run its driver. */
const clients: Record<string, () => Promise<Driver>> = {
  java: () => java(),
  go: () => go(),
  'hey-api': () => heyApi(),
  'typescript-fetch': () => typescriptFetch(),
}

const java = async (): Promise<Driver> => {
  const made = fresh('java')
  await openapiGenerator(made, '-g', 'java', '--library', 'okhttp-gson')
  await run(made, 'mvn', '-q', '-B', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath')
  const classes = `${join(made, 'target/classes')}:${await Bun.file(join(made, 'classpath')).text()}`
  // Compiled separately, because the generated project is compiled as Java 8.
  await run(made, 'javac', '-d', 'target/classes', '-cp', classes, join(drivers, 'DriveOkhttp.java'))
  return args => run(made, 'java', '-cp', classes, 'DriveOkhttp', ...args)
}

/** Runs openapi-generator. Fails if it has a warning about the document. */
const openapiGenerator = async (target: string, ...options: string[]): Promise<void> => {
  const jar = `openapi-generator-cli-${generator}.jar`
  const fetched = join(homedir(), '.m2/repository/org/openapitools/openapi-generator-cli', generator, jar)
  const artifact = `org.openapitools:openapi-generator-cli:${generator}`
  if (!existsSync(fetched)) await run(folder, 'mvn', '-q', '-B', 'dependency:get', `-Dartifact=${artifact}`)
  const said = await run(folder, 'java', '-jar', fetched, 'generate', ...options, '-i', document, '-o', target)
  complainOf(
    said.split('\n').filter(line => /\b(WARN|ERROR)\b/.test(line) && !aboutItself.some(known => line.includes(known))),
  )
}

const go = async (): Promise<Driver> => {
  const made = fresh('go')
  mkdirSync(join(made, 'engagement'))
  const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${oapiCodegen}`
  const target = join(made, 'engagement/engagement.go')
  const said = await run(
    ...[made, 'go', 'run', tool, '-generate', 'types,client', '-package', 'engagement', '-o', target, document],
  )
  complainOf(said.split('\n').filter(line => line !== '' && !line.startsWith('go: ')))
  cpSync(join(drivers, 'drive.go'), join(made, 'main.go'))
  await run(made, 'go', 'mod', 'init', 'example.com/drive')
  await run(made, 'go', 'mod', 'tidy')
  await run(made, 'go', 'vet', './...')
  await run(made, 'go', 'build', '-o', 'drive', '.')
  return args => run(made, './drive', ...args)
}

const heyApi = async (): Promise<Driver> => {
  const made = await npmProject('hey-api', '@hey-api/openapi-ts@0.99.0')
  const options = ['-i', document, '-o', 'client', '--no-log-file']
  const said = await run(made, 'npx', '--offline', 'openapi-ts', ...options)
  complainOf(said.split('\n').filter(line => /warn|error|skip/i.test(line)))
  return compileWithTypeScript(made, 'drive-hey-api')
}

const typescriptFetch = async (): Promise<Driver> => {
  const made = await npmProject('typescript-fetch')
  await openapiGenerator(join(made, 'client'), '-g', 'typescript-fetch')
  return compileWithTypeScript(made, 'drive-typescript-fetch')
}

/** Creates a folder with a compiler and these packages. */
const npmProject = async (name: string, ...packages: string[]): Promise<string> => {
  const made = fresh(name)
  await Bun.write(join(made, 'package.json'), '{"private": true}')
  const compiler = ['typescript@5.9.3', '@types/node@20']
  await run(made, 'npm', 'install', '--silent', '--no-audit', '--no-fund', ...compiler, ...packages)
  return made
}

/** Compiles a driver together with the client that it imports, as modules of CommonJS: no import has an extension. */
const compileWithTypeScript = async (made: string, driver: string): Promise<Driver> => {
  cpSync(join(drivers, `${driver}.ts`), join(made, `${driver}.ts`))
  const options = ['--strict', '--skipLibCheck', '--target', 'ES2022', '--module', 'CommonJS', '--outDir', 'compiled']
  await run(made, 'npx', '--offline', 'tsc', ...options, '--moduleResolution', 'node10', `${driver}.ts`)
  return args => run(made, 'node', `compiled/${driver}.js`, ...args)
}

const fresh = (name: string): string => {
  const made = join(folder, name)
  rmSync(made, { recursive: true, force: true })
  mkdirSync(made, { recursive: true })
  return made
}

const complainOf = (warnings: string[]) => {
  if (warnings.length > 0) throw new Error(`warnings about the document:\n${warnings.join('\n')}`)
}

const run = async (cwd: string, ...command: string[]): Promise<string> => {
  const child = Bun.spawn(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ...\n${out}${err}`)
  return `${out}${err}`.trim()
}

/** Writes a body for each kind of outbound event: the examples of the document, and a real ping. */
const writeBodies = async (ping: string): Promise<string> => {
  const bodies = mkdtempSync(join(folder, 'bodies-'))
  const { webhooks } = await Bun.file(document).json()
  for (const [type, { post }] of Object.entries<Outbound>(webhooks)) {
    const { example } = post.requestBody.content['application/json']!
    await Bun.write(join(bodies, `${type}.json`), type === 'ping' ? ping : JSON.stringify(example))
  }
  return bodies
}

const drive = async (name: string, driver: Driver): Promise<boolean> => {
  const receiver = await startReceiver()
  const world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target })
  try {
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: receiver.url, events: ['message.status'] },
    })
    for (const _ of [1, 2]) await world.call('POST', `/v1/webhooks/${id}/test`)
    const bodies = await writeBodies((await receiver.waitFor(2))[0]!.body)
    const said = await driver([world.url, world.key.value, world.owner.token, id, bodies])
    rmSync(bodies, { recursive: true })
    console.log(`${name}: ${said}`)
    return said === (await expectedOutput())
  } finally {
    await world.stop()
    await receiver.stop()
  }
}

mkdirSync(folder, { recursive: true })
const asked = process.argv[2] ?? ''
const names = asked === 'all' ? Object.keys(clients) : [asked]
if (!names.every(name => name in clients)) {
  console.error(`Say which client is to be driven: ${Object.keys(clients).join(', ')}, or all.`)
  process.exit(2)
}
let failed = 0
for (const name of names)
  try {
    if (!(await drive(name, await clients[name]!()))) failed++
  } catch (error) {
    failed++
    console.log(`${name}: ${(error as Error).message}`)
  }
await releaseTestServer()
process.exit(failed === 0 ? 0 : 1)
