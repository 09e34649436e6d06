/**
 * Runs the tests: `bun tests/run.ts` those that every change needs, `bun tests/run.ts --all` everything, and `bun
 * tests/run.ts <files>` those files. Most files run in parallel, then some in pairs. Files that measure short
 * times run alone afterwards. A file that fails beside others runs again alone, because a busy machine can exceed a time
 * limit. The output names it in any case.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import '../deploy/generate.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts'

/** Files that run alone. They check a short time, or the effect of vacuum, which parallel tests would change. */
const alone = [
  'tests/architecture/expressions.test.ts',
  'tests/platform/event-loop.test.ts',
  'tests/platform/micro-batch.test.ts',
  'tests/events/nearest.test.ts',
  'tests/plans.test.ts',
  'tests/core/validate.properties.test.ts',
  'tests/core/validate.test.ts',
  'tests/longest-stretch.test.ts',
]

/** Files that run two at a time. They check times of seconds, which more files beside them would change. The longest are first. */
const inPairs = [
  'tests/cells/move.test.ts',
  'tests/cells/move-load.test.ts',
  'tests/cells/outage-load.test.ts',
  'tests/project/deno.test.ts',
  'tests/api/limits/rate-limit.test.ts',
  'tests/faults/killed.test.ts',
  'tests/api/routes/trial-shares.test.ts',
  'tests/api/limits/large-responses.test.ts',
  'tests/api/limits/heavy-bodies.test.ts',
  'tests/faults/locked-rows.test.ts',
]

/**
 * Files that only `bun run test:all` runs. They inject faults, drive a browser, run commands, start whole processes,
 * generate clients or measure for a long time. One browser journey and the main job are in both.
 */
const extended = [
  'tests/api/docs/browser.test.ts',
  'tests/app/cli/',
  'tests/cells/move',
  'tests/cells/outage',
  'tests/cells/start.test.ts',
  'tests/client/',
  'tests/dashboard/',
  'tests/project/deno.test.ts',
  'tests/plans.test.ts',
  'tests/core/validate.properties.test.ts',
  'tests/platform/embedded-postgres/',
  'tests/faults/',
  'tests/privacy/deletion.test.ts',
  'tests/api/limits/heavy-bodies.test.ts',
  'tests/api/receivers/',
  'tests/api/routes/trial-shares.test.ts',
  'tests/events/compositions.test.ts',
  'tests/longest-stretch.test.ts',
  'tests/project/interrupted-run.test.ts',
  'tests/project/release.test.ts',
  'tests/app/operators.test.ts',
]
/** Folders that `bun run test:all` runs a second time, with the workspaces in another database than the people. */
const inTwoCells = ['accounts', 'customers', 'events', 'insights', 'messaging', 'webhooks', 'workflows']

const journey = 'tests/dashboard/journeys/agent.test.ts'
const isExtended = (file: string): boolean => file !== journey && extended.some(path => file.startsWith(path))

/**
 * Number of parallel files. Tests mostly wait, so there can be more than processors. Each can hold dozens of
 * connections to the shared PostgreSQL, which has 200.
 */
const maxParallel = Math.min(availableParallelism() + 3, 5)

/**
 * Ctrl-C reaches this process and the tests. This process ignores it until the tests have ended, and then stops the
 * servers. A signal to this process alone is forwarded to the tests.
 */
let wasEnded = false
const onEnd = () => {
  wasEnded = true
}
process.on('SIGTERM', onEnd).on('SIGINT', onEnd)

const test = async (...args: string[]): Promise<boolean> => {
  const tests = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...args], {
    stdio: ['inherit', 'inherit', 'inherit'],
    // By default, Bun passes on the variables with which this process started.
    env: process.env,
  })
  const terminate = () => tests.kill('SIGTERM')
  process.on('SIGTERM', terminate)
  if (wasEnded) terminate()
  const code = await tests.exited
  process.off('SIGTERM', terminate)
  if (wasEnded) await end(130)
  return code === 0
}

/** Bytes needed at most: about a hundred databases of a few megabytes at the same time, and the write-ahead log. */
const neededBytes = 4 * 2 ** 30

/**
 * Returns a folder in memory if the machine has enough of it, otherwise null. The tests create and drop hundreds of
 * databases with a thousand files each. A disk file system searches everything that it freed within the last minutes
 * before each creation. Every run of this checkout uses the same folder, so the next run removes the remains of an
 * interrupted one.
 */
const folderInMemory = async (): Promise<string | null> => {
  try {
    const { type, bavail, bsize } = await statfs('/dev/shm')
    if (type !== tmpfs || Math.min(bavail * bsize, freemem()) < neededBytes) return null
    const name = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12)
    const folder = `/dev/shm/customer-engagement-tests-${name}`
    // Readable by all users, because the server of root runs under another account.
    await mkdir(folder, { recursive: true, mode: 0o755 })
    return folder
  } catch {
    return null
  }
}

/** File system type of tmpfs in `statfs`. */
const tmpfs = 0x01021994

const inMemory = await folderInMemory()
if (inMemory) process.env.TESTS_DATA_DIR = inMemory

/** Shared by all tests. It is started here, because an interrupted test process could not stop it. */
const server = await startEmbeddedPostgres({ dataDir: inMemory ?? '.data/test', durable: false })

/** Temporary folder of the tests. It contains the data of servers that a test starts, so that `end` finds them. */
const temporary = await mkdtemp(join(tmpdir(), 'tests-'))
await chmod(temporary, 0o755)
process.env.TMPDIR = temporary

/** Maximum milliseconds that an interrupted run waits for its test processes. */
const patienceMs = 10_000

/**
 * Stops a server when the last test process that uses it has ended. An interrupted test process stops no server, and
 * some of these processes end after the one that this process waits for.
 */
const stopServerOf = async (dataDir: string): Promise<void> => {
  const isRunning = () => existsSync(join(dataDir, 'postgres/data/postmaster.pid'))
  for (const until = performance.now() + patienceMs; isRunning() && performance.now() < until; await Bun.sleep(100))
    await startEmbeddedPostgres({ dataDir, durable: false }).then(({ release }) => release())
}

const end = async (status: number): Promise<never> => {
  await server.release()
  if (wasEnded) {
    const folders = (await readdir(temporary)).map(name => join(temporary, name))
    for (const folder of [inMemory ?? '.data/test', ...folders])
      await stopServerOf(folder).catch(error => console.error(error))
  }
  await rm(temporary, { recursive: true, force: true })
  // Another run of this checkout may still use the folder. That run then removes it.
  if (inMemory && !existsSync(join(inMemory, 'postgres/data/postmaster.pid')))
    await rm(inMemory, { recursive: true, force: true })
  process.exit(status)
}

/** Maximum number of failed files to run again. A larger number is not a coincidence. */
const maxTriedAgain = 5

/** Returns the files without a success in the report at `path`. A file that failed to load is not in the report. */
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

/** Maximum length of a failure, in characters. The whole is in the output above. */
const maxFailureLength = 2000

/** Returns what failed in the report at `path`: file, test and message. */
const failuresIn = async (path: string): Promise<string[]> => {
  const report = await Bun.file(path)
    .text()
    .catch(() => '')
  const failures = report.matchAll(
    /<testcase name="([^"]*)"[^>]* file="([^"]*)"[^>]*>\s*<failure(?:[^>]* message="([^"]*)")?/g,
  )
  return [...failures].map(([, name, file, message = '']) =>
    plainText(`${file}: ${name}: ${message}`).trim().slice(0, maxFailureLength),
  )
}

/** Number of files that the output names as the slowest. */
const maxSlowest = 15

/** Prints the slowest files of the report at `path`, with their seconds. */
const printSlowest = async (path: string): Promise<void> => {
  const report = await Bun.file(path)
    .text()
    .catch(() => '')
  const files = [...report.matchAll(/<testsuite name="([^"]*)" file="\1"[^>]* time="([\d.]*)"/g)]
    .map(([, file, seconds]) => ({ file: file!, seconds: Number(seconds) }))
    .sort((a, b) => b.seconds - a.seconds)
  for (const { file, seconds } of files.slice(0, maxSlowest)) console.log(`${seconds.toFixed(1).padStart(6)} s ${file}`)
}

const entities: Record<string, string> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"', '#10': '\n' }
const plainText = (xml: string): string => xml.replace(/&([^;]+);/g, (all, name) => entities[name] ?? all)

/** Returns whether all tests passed, and remarks about files that passed only alone. */
const testTwice = async (files: string[], ...args: string[]): Promise<{ passed: boolean; remarks: string[] }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tests-'))
  const report = (path: string) => ['--reporter=junit', `--reporter-outfile=${path}`]
  try {
    const first = join(folder, 'first.xml')
    const passed = await test(...report(first), ...args)
    await printSlowest(first)
    if (passed) return { passed, remarks: [] }
    const failed = await failedOf(first, files)
    const failures = async (path: string) => (await failuresIn(path)).map(failure => `failed: ${failure}`)
    if (failed.length === 0 || failed.length > maxTriedAgain) {
      return { passed, remarks: [...failed.map(file => `failed: ${file}`), ...(await failures(first))] }
    }
    const second = join(folder, 'second.xml')
    const again = await test(...report(second), ...failed)
    const what = again ? 'failed at first and passed by itself' : 'failed at first, and one of these by itself too'
    return { passed: again, remarks: [...failed.map(file => `${what}: ${file}`), ...(await failures(second))] }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const testInTwoCells = async (): Promise<{ passed: boolean; remarks: string[] }> => {
  const files = parallel.filter(file => inTwoCells.some(folder => file.startsWith(`tests/${folder}/`)))
  process.env.TESTS_CELLS = 'two'
  const { passed, remarks } = await testTwice(files, `--parallel=${maxParallel}`, '--no-isolate', ...files)
  return { passed, remarks: remarks.map(remark => `with two cells, ${remark}`) }
}

const passed = { passed: true, remarks: [] }
const all = process.argv.includes('--all')
const files = process.argv.slice(2).filter(argument => argument !== '--all')
if (files.length > 0) await end((await test(...files)) ? 0 : 1)
const present = [...new Glob('tests/**/*.test.{ts,tsx}').scanSync()].sort()
const ignored = all ? [] : present.filter(file => isExtended(file))
const apart = [...alone, ...inPairs]
const parallel = present.filter(file => !apart.includes(file) && !ignored.includes(file))
const together = await testTwice(
  parallel,
  `--parallel=${maxParallel}`,
  '--no-isolate',
  ...[...apart, ...ignored].map(file => `--path-ignore-patterns=${file}`),
)
const paired = inPairs.filter(file => !ignored.includes(file))
const two = paired.length > 0 ? await testTwice(paired, '--parallel=2', '--no-isolate', ...paired) : passed
const measured = alone.filter(file => !ignored.includes(file))
const one = await testTwice(measured, ...measured)
const split = all ? await testInTwoCells() : passed
for (const remark of [...together.remarks, ...two.remarks, ...one.remarks, ...split.remarks]) console.error(remark)
await end(together.passed && two.passed && one.passed && split.passed ? 0 : 1)
