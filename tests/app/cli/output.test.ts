/** Commands whose reader has gone, such as `head` after its last line. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const main = join(import.meta.dir, '../../../src/main.ts')
let folder: string
let token: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'output-'))
  token = (await world.expect(201, 'POST', '/v1/auth/tokens', { body: { name: 'cli', access: 'write' } })).token
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a shell script that starts the command as "$@". Returns the exit status of the command, and what it reports. */
const run = async (script: string, args: string[]) => {
  const child = Bun.spawn(['sh', '-c', script, 'sh', process.execPath, main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH!, HOME: process.env.HOME!, DATABASE_URL: world.database.url },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  await child.exited
  return { out, error }
}

/** Gives the command a pipe that has no reader from the start. */
const withoutReader = 'rm -f pipe; mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; "$@" >&4; echo "status $?" >&2'

test.each([
  ['help'],
  ['version'],
  ['openapi'],
  ['user list'],
  ['user list --json'],
  ['workspace list'],
  ['queues'],
  ['queues --watch'],
  ['queues --watch --json'],
])('%s ends with 0 and without a report if its output has no reader', async line => {
  expect(await run(withoutReader, line.split(' '))).toEqual({ out: '', error: 'status 0\n' })
})

test('listen ends with 0 and without a report if its output has no reader', async () => {
  const args = ['listen', '--url', world.url, '--token', token]
  expect(await run(withoutReader, args)).toEqual({ out: '', error: 'status 0\n' })
})

test('queues --watch ends with 0 once its reader has ended', async () => {
  const script = '{ "$@"; echo "status $?" >&2; } | head -n 1'
  const { out, error } = await run(script, ['queues', '--watch', '--json'])
  expect(JSON.parse(out)).toBeArray()
  expect(error).toBe('status 0\n')
})

test('workspace export fails if its output has no reader', async () => {
  const { out, error } = await run(withoutReader, ['workspace', 'export', world.workspaceId])
  expect(out).toBe('')
  expect(error).toBe('The export ended: the output cannot be written (EPIPE: broken pipe, write).\nstatus 1\n')
})

test('a full disk is reported, with status 1', async () => {
  const { error } = await run('"$@" >/dev/full; echo "status $?" >&2', ['queues', '--watch'])
  expect(error).toBe('Standard output cannot be written: ENOSPC: no space left on device, write.\nstatus 1\n')
})
