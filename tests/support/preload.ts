/** Runs before the first test of a run, and once after the last. */
import { afterAll, setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'
import { endAll } from './at-end.ts'
import { releaseTestServer } from './database.ts'

// The same cases each time, so that what is turned away was broken by what changed. Other cases: PROPERTIES_SEED.
fc.configureGlobal({ seed: Number(process.env.PROPERTIES_SEED ?? 1) })

// What the command line says is not told to those who test side by side.
setDefaultTimeout(60_000)

// Everything the tests call is on this machine, where no proxy belongs. Bun reads these at each request, and what the
// tests start inherits their absence.
for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) {
  delete process.env[name]
  delete process.env[name.toUpperCase()]
}

afterAll(async () => {
  await endAll()
  await releaseTestServer()
})
