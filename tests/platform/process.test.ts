/** Tests the service as a separate process under the runtime of this test, with all its dependencies. */
import { afterEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcesses, startProcess } from '../support/process.ts'

afterEach(endProcesses)

test('a process creates its own PostgreSQL, is ready, serves its pages, logs and metrics, and stops on request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'process-test-'))
  const service = await startProcess({ DATA_DIR: folder, LOG_LEVEL: 'debug' })
  await service.waitForLine('dashboard loaded')
  // Asked alone, because making the reference can delay the answer of the database beyond its limit.
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  const pages = [
    '/metrics',
    '/openapi.json',
    '/docs',
    '/docs/receivers',
    '/docs/start',
    '/docs/reference',
    '/docs/scalar.js',
  ]
  const answers = await Promise.all(pages.map(async page => [page, (await fetch(service.url + page)).status]))
  expect(answers).toEqual(pages.map(page => [page, 200]))
  expect(await service.end()).toMatchObject({ code: 0, signal: null })
  expect(service.lines.at(-1)).toMatchObject({ msg: 'stopped' })
  expect(service.complaints).toBe('')
  await rm(folder, { recursive: true })
})
