/** Runs before the first test of a run, and once after the last. */
import { afterAll, setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'
import { releaseTestServer } from './database.ts'
import { endAll } from './use.ts'

// Uses the same cases in every run, so that a failure comes from a change. PROPERTIES_SEED selects other cases.
fc.configureGlobal({ seed: Number(process.env.PROPERTIES_SEED ?? 1) })

// Parallel test workers do not receive this setting from the command line.
setDefaultTimeout(60_000)

// Everything that the tests call runs on this machine, without a proxy. Bun reads these variables at each request, and
// child processes inherit the environment.
for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) {
  delete process.env[name]
  delete process.env[name.toUpperCase()]
}

afterAll(async () => {
  await endAll()
  await releaseTestServer()
})
