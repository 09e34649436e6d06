/**
 * Runs the tests: `bun tests/run.ts` what every change needs, `bun tests/run.ts --all` everything, and
 * `bun tests/run.ts <files>` those files. Most files run in parallel, files that measure time run alone afterwards. A file
 * that fails in parallel is tried once more alone, because a busy machine can break a time limit. It is named at the end
 * in any case.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { startEmbeddedPostgres } from '../src/embedded/index.ts'

/** What they hold the service to is a time, a count within one, or what vacuum left: others beside them would be measured. */
const alone = [
  'tests/architecture/expressions.test.ts',
  'tests/db/batch.test.ts',
  'tests/domain/events/nearest.test.ts',
  'tests/domain/plans.test.ts',
  'tests/domain/validate.properties.test.ts',
  'tests/domain/validate.test.ts',
  'tests/faults/held-rows.test.ts',
  'tests/faults/killed.test.ts',
  'tests/http/answers.test.ts',
  'tests/http/rate-limit.test.ts',
  'tests/longest-stretch.test.ts',
]

/**
 * Only `bun run test:all` runs these: they break things, drive a browser, start whole processes, generate clients, or
 * measure for a long time. One browser journey and the main job stay in both.
 */
const extended = [
  'tests/cli/commands.test.ts',
  'tests/cli/demo.test.ts',
  'tests/client/',
  'tests/dashboard/',
  'tests/deno.test.ts',
  'tests/domain/plans.test.ts',
  'tests/domain/validate.properties.test.ts',
  'tests/embedded/',
  'tests/faults/',
  'tests/http/receivers/',
  'tests/service/operators.test.ts',
]
const journey = 'tests/dashboard/journeys/agent.test.ts'
const isExtended = (file: string): boolean => file !== journey && extended.some(path => file.startsWith(path))

/** Much of a test is waiting. Each may hold dozens of connections to the one PostgreSQL, which has 200. */
const sideBySide = Math.min(availableParallelism() + 1, 4)

const test = async (...args: string[]): Promise<boolean> => {
  const tests = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...args], {
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  let wasEnded = false
  // Ctrl-C reaches both; whoever ends this process alone means the tests.
  const terminate = () => {
    wasEnded = true
    tests.kill('SIGTERM')
  }
  const wait = () => {
    wasEnded = true
  }
  process.on('SIGTERM', terminate).on('SIGINT', wait)
  const code = await tests.exited
  process.off('SIGTERM', terminate).off('SIGINT', wait)
  if (wasEnded) await end(130)
  return code === 0
}

/** What it takes at most: some hundred databases of some megabytes at once, and what PostgreSQL writes ahead. */
const neededBytes = 4 * 2 ** 30

/**
 * A folder in memory, where the machine has one with room: hundreds of databases are made and dropped, each of a thousand
 * files, and a file system on disk looks through all that it gave back within minutes before it makes another. The same
 * for every run of this checkout, so that what an interrupted one left is used and removed by the next. Null: none.
 */
const folderInMemory = async (): Promise<string | null> => {
  try {
    const { type, bavail, bsize } = await statfs('/dev/shm')
    if (type !== tmpfs || Math.min(bavail * bsize, freemem()) < neededBytes) return null
    const name = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12)
    const folder = `/dev/shm/customer-engagement-tests-${name}`
    // Open to all: run by root, the server belongs to another account.
    await mkdir(folder, { recursive: true, mode: 0o755 })
    return folder
  } catch {
    return null
  }
}

/** As `statfs` tells it. */
const tmpfs = 0x01021994

const inMemory = await folderInMemory()
if (inMemory) process.env.TESTS_DATA_DIR = inMemory

/** All tests use it, and whoever is interrupted cannot stop it. */
const server = await startEmbeddedPostgres({ dataDir: inMemory ?? '.data/test', durable: false })

const end = async (status: number): Promise<never> => {
  await server.release()
  // Another run of this checkout may still use it: then that one removes it.
  if (inMemory && !existsSync(join(inMemory, 'postgres/data/postmaster.pid')))
    await rm(inMemory, { recursive: true, force: true })
  process.exit(status)
}

/** More than these do not fail by chance: then nothing is tried again. */
const maxTriedAgain = 5

/** The files among `files` that the report at `path` has no success of: one that did not even load is not in it. */
const failedOf = async (path: string, files: string[]): Promise<string[]> => {
  const report = await Bun.file(path)
    .text()
    .catch(() => '')
  const suites = [...report.matchAll(/<testsuite [^>]*>/g)].map(([head]) => ({
    file: head.match(/ file="([^"]*)"/)?.[1],
    failed: !head.includes(' failures="0"'),
  }))
  return files.filter(
    file => !suites.some(suite => suite.file === file) || suites.some(suite => suite.file === file && suite.failed),
  )
}

/** Whether all is well, and what is worth a look all the same. */
const testTwice = async (files: string[], ...args: string[]): Promise<{ passed: boolean; remarks: string[] }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tests-'))
  try {
    const report = join(folder, 'report.xml')
    const passed = await test('--reporter=junit', `--reporter-outfile=${report}`, ...args)
    if (passed) return { passed, remarks: [] }
    const failed = await failedOf(report, files)
    if (failed.length === 0 || failed.length > maxTriedAgain) {
      return { passed, remarks: failed.map(file => `failed: ${file}`) }
    }
    const again = await test(...failed)
    const what = again ? 'failed at first and passed by itself' : 'failed at first, and one of these by itself too'
    return { passed: again, remarks: failed.map(file => `${what}: ${file}`) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const all = process.argv.includes('--all')
const files = process.argv.slice(2).filter(argument => argument !== '--all')
if (files.length > 0) await end((await test(...files)) ? 0 : 1)
const present = [...new Glob('tests/**/*.test.{ts,tsx}').scanSync()].sort()
const ignored = all ? [] : present.filter(file => isExtended(file))
const parallel = present.filter(file => !alone.includes(file) && !ignored.includes(file))
const together = await testTwice(
  parallel,
  `--parallel=${sideBySide}`,
  '--no-isolate',
  ...[...alone, ...ignored].map(file => `--path-ignore-patterns=${file}`),
)
const measured = alone.filter(file => !ignored.includes(file))
const one = await testTwice(measured, ...measured)
for (const remark of [...together.remarks, ...one.remarks]) console.error(remark)
await end(together.passed && one.passed ? 0 : 1)
