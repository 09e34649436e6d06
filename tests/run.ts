/**
 * Carries out the tests: most files side by side, then by themselves those that measure how long something takes. With
 * `bun tests/run.ts <files>` those alone, one after the other.
 */
import { availableParallelism } from 'node:os'

/** What they hold the service to is a time, a count within one, or what vacuum left: others beside them would be measured. */
const alone = [
  'tests/architecture/expressions.test.ts',
  'tests/db/batch.test.ts',
  'tests/domain/plans.test.ts',
  'tests/domain/validate.properties.test.ts',
  'tests/domain/validate.test.ts',
  'tests/http/answers.test.ts',
  'tests/http/rate-limit.test.ts',
]

/** Much of a test is waiting. Each may hold dozens of connections to the one PostgreSQL, which has 200. */
const sideBySide = Math.min(availableParallelism() + 1, 4)

const test = async (...args: string[]): Promise<boolean> => {
  const tests = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...args], {
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  // Ctrl-C reaches both; whoever ends this process alone means the tests.
  const terminate = () => tests.kill('SIGTERM')
  const wait = () => {}
  process.on('SIGTERM', terminate).on('SIGINT', wait)
  const code = await tests.exited
  process.off('SIGTERM', terminate).off('SIGINT', wait)
  return code === 0
}

const files = process.argv.slice(2)
if (files.length > 0) process.exit((await test(...files)) ? 0 : 1)
const together = await test(
  `--parallel=${sideBySide}`,
  '--no-isolate',
  ...alone.map(file => `--path-ignore-patterns=${file}`),
)
const one = await test(...alone)
process.exit(together && one ? 0 : 1)
