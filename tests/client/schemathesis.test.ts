/** Runs Schemathesis, if it is installed. It sends requests from the published document and checks the answers. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startWorld, type World } from '../support/world.ts'
import { missing, toolOf } from './python-tools.ts'

const root = resolve(import.meta.dir, '../..')
const tool = toolOf('schemathesis')

/**
 * Excludes operations that would end the session of the other calls, lock out its owner, or that only providers call.
 * Also excludes the operation with an endless answer.
 */
const leftOut = '^/v1/(auth|account|inbound|users?|members|stream$|workspace$)'

/**
 * Accepted findings with their reasons: no schema can express why these values are refused. Each is matched by the
 * beginning of its message.
 */
const explained: [why: string, said: RegExp][] = [
  ['a cursor is good for the list that made it', /^cursor: Is not a cursor of this list/],
  ['a record that is named must be there', /No such |There is no |there is no /],
  [
    'which currencies there are changes without a release of clients',
    /currency: Must be a current ISO 4217 currency code/,
  ],
  ['that a host is public is found out by looking at it', /^url: The (URL|host|port)/],
  [
    'null is as good as left out, which a schema that generators take cannot say',
    /Send (one|at least one)|at least one of/i,
  ],
  ['a definition is judged as a whole: where its steps lead, what their texts name', /^definition\./],
  ['a condition is judged by its operator', /^(filter|audience)/],
  ['templates are judged as a whole: what the body names and the variables', /^(body|variables)/],
]

let world: World
let folder: string
beforeAll(async () => {
  if (tool === null) return
  world = await startWorld({ SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') })
  folder = mkdtempSync(join(tmpdir(), 'schemathesis-'))
})
afterAll(async () => {
  if (tool === null) return
  await world.stop()
  rmSync(folder, { recursive: true })
})

test.skipIf(tool === null)(`Schemathesis reports only explained findings${missing('schemathesis')}`, async () => {
  const { email, password } = world.owner
  const { token } = await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
  const report = join(folder, 'report.ndjson')
  const child = Bun.spawn(
    [tool!, 'run', join(root, 'openapi/openapi.json'), '-u', world.url, '-H', `Authorization: Bearer ${token}`].concat(
      ['--phases', 'examples,coverage,fuzzing', '-n', '2', '--max-time', '20', '--generation-deterministic'],
      ['--continue-on-failure', '--no-shrink', '--warnings', 'off', '--no-color', '--exclude-path-regex', leftOut],
      ['--report', 'ndjson', '--report-ndjson-path', report],
    ),
    { cwd: folder, stdout: 'ignore', stderr: 'ignore' },
  )
  await child.exited
  const found = findings(readFileSync(report, 'utf8'))
  expect(found.cases).toBeGreaterThan(100)
  expect(found.unexplained).toEqual([])
})

interface Scenario {
  recorder: {
    label: string
    checks?: Record<string, { name: string; status: string }[]>
    interactions?: Record<string, { response: { status_code: number; content: { $base64: string } | null } | null }>
  }
}

const findings = (report: string): { cases: number; unexplained: string[] } => {
  const scenarios = report
    .split('\n')
    .filter(line => line.startsWith('{"ScenarioFinished"'))
    .map(line => (JSON.parse(line) as { ScenarioFinished: Scenario }).ScenarioFinished.recorder)
  const all = scenarios.flatMap(({ label, checks, interactions }) =>
    Object.entries(checks ?? {}).flatMap(([id, judged]) =>
      judged
        .filter(({ status }) => status === 'failure')
        .map(({ name }) => ({ label, name, ...answerOf(interactions?.[id]?.response) })),
    ),
  )
  const unexplained = all
    .filter(one => !isExplained(one))
    .map(({ label, name, status, message }) => `${label}: ${name}: ${status} ${message}`)
  const cases = scenarios.reduce((sum, { checks }) => sum + Object.keys(checks ?? {}).length, 0)
  return { cases, unexplained: [...new Set(unexplained)] }
}

const answerOf = (
  response: NonNullable<Scenario['recorder']['interactions']>[string]['response'] | undefined,
): { status: number; message: string } => {
  const text = Buffer.from(response?.content?.$base64 ?? '', 'base64').toString()
  try {
    return { status: response?.status_code ?? 0, message: JSON.parse(text).error.message }
  } catch {
    return { status: response?.status_code ?? 0, message: text.slice(0, 200) }
  }
}

/** A 422 depends on the current state, which no schema can express. */
const isExplained = ({ name, status, message }: { name: string; status: number; message: string }): boolean =>
  name === 'positive_data_acceptance' &&
  (status === 422 || (status === 400 && explained.some(([, said]) => said.test(message))))
