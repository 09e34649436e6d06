/** Tests that Ctrl-C of a test run leaves no PostgreSQL behind. */
import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { eventually } from '../support/world.ts'

const isLiving = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('Ctrl-C stops also the servers that test files have started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interrupted-'))
  const run = spawn(process.execPath, ['tests/run.ts', 'tests/platform/postgres/client.test.ts'], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, TMPDIR: folder },
    detached: true,
    stdio: 'ignore',
  })
  const ended = new Promise<number | null>(told => run.once('exit', code => told(code)))
  const server = await eventually(
    'a test file has started a server',
    async () => {
      const names = await readdir(folder, { recursive: true })
      const data = names.find(name => /client-test-\w+$/.test(name))
      const file = data && join(folder, data, 'postgres/data/postmaster.pid')
      return file && existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null
    },
    40_000,
  )
  process.kill(-run.pid!, 'SIGINT')
  expect(await ended).toBe(130)
  // PostgreSQL removes its file shortly before its process ends.
  await eventually('the server has ended', () => !isLiving(server))
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
}, 120_000)
