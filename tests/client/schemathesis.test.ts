/**
 * Runs Schemathesis, which sends requests from the published document and checks the responses, if it is installed in
 * `GENERATORS_VENV` or on the path.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startWorld, type World } from '../support/world.ts'

const document = resolve(import.meta.dir, '../../openapi/openapi.json')

/** Returns the path of a tool and a suffix for its test. The path is null if it is missing or has another version. */
const toolOf = (name: string, version: string): { path: string | null; suffix: string } => {
  const venv = process.env.GENERATORS_VENV
  const path = venv ? join(venv, 'bin', name) : Bun.which(name)
  const printed = () => Bun.spawnSync([path!, '--version'], { stderr: 'ignore' }).stdout.toString()
  try {
    if (path !== null && printed().includes(version)) return { path, suffix: '' }
  } catch {
    // The folder does not contain it.
  }
  return { path: null, suffix: ` (skipped: ${name} ${version} is not installed)` }
}
const schemathesis = toolOf('schemathesis', '4.32.5')
const isNeeded = schemathesis.path !== null

let world: World
let folder: string
beforeAll(async () => {
  if (!isNeeded) return
  world = await startWorld({ SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') })
  folder = mkdtempSync(join(tmpdir(), 'python-'))
})
afterAll(async () => {
  if (!isNeeded) return
  await world.stop()
  rmSync(folder, { recursive: true })
})

/**
 * Excludes operations that would end the session of the other calls, lock out its owner, or that only providers call.
 * Also excludes the operation with an endless answer.
 */
const excluded = '^/v1/(auth|account|inbound|users?|members|stream$|workspace$)'

/** Messages of rejections that are accepted, because no schema can express why. */
const explained = [
  // A cursor is valid for the list or workspace that made it, and an ETag comes from a response.
  /^(cursor|after): Is not a cursor of this /,
  /^If-Match: Must be an ETag from a response/,
  // A record that is named must exist.
  /No such |There is no |there is no |has no such /,
  // No pattern can exclude an unpaired surrogate.
  /^Contains U\+0000 or an unpaired surrogate/,
  // A field depends on the value of another.
  /Is only allowed with /,
  // The list of currencies changes without a release of clients.
  /currency: Must be a current ISO 4217 currency code/,
  // Only a lookup shows whether a host is public.
  /^url: The (URL|host|port)/,
  // Null is the same as an omitted field, which a schema that generators accept cannot express.
  /Send (one|at least one|phone)|at least one of/i,
  // Definitions, conditions and templates are checked as a whole.
  /^definition\./,
  /^(filter|audience)/,
  /^(body|variables)/,
]

interface Scenario {
  recorder: {
    label: string
    checks?: Record<string, { name: string; status: string }[]>
    interactions?: Record<string, { response: { status_code: number; content: { $base64: string } | null } | null }>
  }
}

test.skipIf(schemathesis.path === null)(
  `Schemathesis reports only explained findings${schemathesis.suffix}`,
  async () => {
    const report = join(folder, 'report.ndjson')
    const authorization = `Authorization: Bearer ${world.owner.token}`
    const child = Bun.spawn(
      [schemathesis.path!, 'run', document, '-u', world.url, '-H', authorization].concat(
        ['--phases', 'examples,coverage,fuzzing', '-n', '2', '--max-time', '20', '--generation-deterministic'],
        ['--continue-on-failure', '--no-shrink', '--warnings', 'off', '--no-color', '--exclude-path-regex', excluded],
        ['--report', 'ndjson', '--report-ndjson-path', report],
      ),
      { cwd: folder, stdout: 'ignore', stderr: 'ignore' },
    )
    await child.exited
    let cases = 0
    const unexplained = new Set<string>()
    for (const line of readFileSync(report, 'utf8').split('\n')) {
      if (!line.startsWith('{"ScenarioFinished"')) continue
      const { recorder } = (JSON.parse(line) as { ScenarioFinished: Scenario }).ScenarioFinished
      for (const [id, checks] of Object.entries(recorder.checks ?? {})) {
        cases++
        const response = recorder.interactions?.[id]?.response
        const status = response?.status_code ?? 0
        const text = Buffer.from(response?.content?.$base64 ?? '', 'base64').toString()
        const message = text.startsWith('{') ? JSON.parse(text).error?.message : text.slice(0, 200)
        // A 422 depends on the current state, which no schema can express.
        const isExplained = status === 422 || (status === 400 && explained.some(known => known.test(message)))
        for (const { name } of checks.filter(check => check.status === 'failure'))
          if (name !== 'positive_data_acceptance' || !isExplained)
            unexplained.add(`${recorder.label}: ${name}: ${status} ${message}`)
      }
    }
    expect(cases).toBeGreaterThan(100)
    expect([...unexplained]).toEqual([])
  },
)
