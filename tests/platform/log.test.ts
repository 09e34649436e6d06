/** The log of a process, written by a separate process. Its reader must not affect the writer. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const logFile = join(import.meta.dir, '../../src/platform/log.ts')

const programWith = (work: string, settings: string) =>
  `import { createLog } from '${logFile}'; const { log, flush } = createLog('info', ${settings}); ${work}`

/** Starts a program that has `log` and `flush`. */
const start = (work: string, settings = 'null') =>
  Bun.spawn([process.execPath, '-e', programWith(work, settings)], { stdout: 'pipe' })

/** Starts the program, and reads its output only after a line on standard input. */
const startUnread = (work: string) =>
  Bun.spawn(
    ['sh', '-c', 'exec 3<&0; "$0" -e "$1" | { read go <&3; cat; }', process.execPath, programWith(work, 'null')],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
  )

const linesOf = async (child: { stdout: ReadableStream }): Promise<Record<string, unknown>[]> =>
  (await new Response(child.stdout).text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

test('a flush writes every line in order', async () => {
  const child = start(`for (let n = 0; n < 20000; n++) log.info({ n }, 'counted'); await flush(); process.exit(0)`)
  const lines = await linesOf(child)
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 20_000 }, (_, n) => n))
})

test('every line names the fields of the process, and errors in any form without their rows and parameters', async () => {
  const work = `
    log.info({ error: 'answered with status 500' }, 'failed')
    log.info({ error: null }, 'went well')
    const fault = extra => Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (name)=(Ada)', ...extra })
    log.error({ error: fault({ where: 'portal parameter $1 = Ada', parameters: ['Ada'], query: 'select Ada' }) }, 'failed')
    log.error({ error: new AggregateError([fault({})], 'both') }, 'failed twice')
    await flush(); process.exit(0)`
  const lines = await linesOf(start(work, `{ version: '1.2.3', roles: ['http'] }`))
  const process = { version: '1.2.3', roles: ['http'], time: expect.any(String) }
  expect(lines[0]).toEqual({ ...process, level: 30, msg: 'failed', error: 'answered with status 500' })
  expect(JSON.stringify(lines)).not.toContain('Ada')
  const error = { message: 'duplicate key', code: '23505' }
  const both = { message: expect.stringContaining('both'), aggregateErrors: [error] }
  expect(lines.slice(1)).toMatchObject([{ error: null }, { error: { type: 'Error', ...error } }, { error: both }])
})

test('lines for people have the time, level, message and fields, and the stack below, without control characters', async () => {
  const work = `
    log.info({ path: '/v1/events', status: 201, name: 'a b', fake: 'x\\ny' }, 'request')
    log.error({ error: new Error('broken \\u001b[31m'), request_id: 'r-1' }, 'request failed')
    await flush(); process.exit(0)`
  const program = programWith(work, `{ version: '1.2.3', roles: ['http'] }, undefined, 'text'`)
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' })
  const [request, failed, error, frame] = (await new Response(child.stdout).text()).split('\n')
  const time = '\\d{4}-\\d\\d-\\d\\dT\\S+Z'
  expect(request).toMatch(new RegExp(`^${time} INFO  request path=/v1/events status=201 name="a b" fake="x\\\\ny"$`))
  expect(failed).toMatch(new RegExp(`^${time} ERROR request failed request_id=r-1$`))
  expect(error).toBe('    Error: broken \\u001b[31m')
  expect(frame).toMatch(/^ {4,}at /)
})

test('a slow reader costs a limited amount of memory, and learns how many lines are missing', async () => {
  const child = startUnread(`
    const text = 'x'.repeat(1000)
    for (let n = 0; n < 200; n++) {
      for (let line = 0; line < 1000; line++) log.info({ text }, 'much')
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    process.stderr.write(String(process.memoryUsage().rss) + ' ')
    await flush()
    log.info({}, 'the end')
    await flush()
    process.exit(0)`)
  const { value } = await child.stderr.getReader().read()
  expect(Number(new TextDecoder().decode(value).trim())).toBeLessThan(180_000_000)
  child.stdin.write('go\n')
  child.stdin.end()

  const lines = await linesOf(child)
  const dropped = lines.filter(({ msg }) => msg === 'log lines were dropped')
  const missing = dropped.reduce((sum, line) => sum + Number(line.dropped), 0)
  expect(lines.filter(({ msg }) => msg === 'much').length + missing).toBe(200_000)
  expect(missing).toBeGreaterThan(100_000)
  expect(lines.at(-1)).toMatchObject({ msg: 'the end' })
})

test('a closed reader does not stop the process', async () => {
  const child = start(`for (let n = 0; n < 20000; n++) log.info({ n }, 'counted'); await flush(); process.exit(7)`)
  await child.stdout.cancel()
  expect(await child.exited).toBe(7)
})

test('counts repeats of an error: the first line, then one with their number and the fields of the first', async () => {
  const work = `
    const full = () => Object.assign(new Error('could not extend file'), { code: '53100' })
    for (let n = 0; n < 500; n++) log.error({ error: full(), request_id: n }, 'request failed')
    for (let n = 0; n < 3; n++) log.error({ error: new Error('other') }, 'request failed')
    log.error({ error: full() }, 'poll failed')
    await flush(); process.exit(0)`
  const lines = await linesOf(start(work, `null, error => error.code === '53100'`))
  const of = (message: string) => lines.filter(({ error }) => (error as { message: string }).message === message)
  expect(of('other')).toHaveLength(3)
  const [first, turn, count] = of('could not extend file')
  const error = { code: '53100', stack: expect.any(String) }
  expect(first).toMatchObject({ level: 50, msg: 'request failed', request_id: 0, error })
  expect(turn).toMatchObject({ msg: 'poll failed', error: { stack: expect.any(String) } })
  expect(count).toEqual({ ...first!, time: expect.any(String), repeated: 499 })
  expect(of('could not extend file')).toHaveLength(3)
})
