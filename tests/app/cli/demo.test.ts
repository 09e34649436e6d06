import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { json as readJson, text as readText } from 'node:stream/consumers'
import { Api } from '../../../src/app/cli/demo/api.ts'
import { postOrders } from '../../../src/app/cli/demo/posting.ts'
import { findSignatureProblem, WebhookReceiver } from '../../../src/app/cli/demo/receiver.ts'
import { browserPath, TestBrowser } from '../../support/browser/browser.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { eventually } from '../../support/world.ts'

const ordersFile = join(import.meta.dirname, '../../../src/app/cli/demo/orders.jsonl')
const main = join(import.meta.dirname, '../../../src/main.ts')

interface Line {
  expect: string
  userAgent?: string
  event: Record<string, unknown>
}

const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')
const allLines: Line[] = linesOf(ordersFile).map(line => JSON.parse(line))

describe('the orders of the demo', () => {
  const having = (expected: string) => allLines.filter(line => line.expect === expected)

  test('are at least 200, of many customers and several shop systems, a few of them broken or repeated', () => {
    expect(allLines.length).toBeGreaterThanOrEqual(200)
    expect(new Set(having('recorded').map(({ event }) => event.phone)).size).toBeGreaterThan(50)
    expect(new Set(allLines.map(({ userAgent }) => userAgent)).size).toBeGreaterThan(4)
    expect(having('refused').length).toBeGreaterThan(10)
    expect(having('replayed').length).toBeGreaterThan(10)
  })

  test('are repeats exactly if an earlier line has the same idempotency key', () => {
    const seen = new Set<unknown>()
    for (const [index, { expect: fate, event }] of allLines.entries()) {
      if (fate === 'refused') continue
      const key = event.idempotencyKey
      expect(fate, `line ${index + 1}`).toBe(key !== undefined && seen.has(key) ? 'replayed' : 'recorded')
      seen.add(key)
    }
  })
})

test('posts a repeat after the answer to its original, and all others in parallel', async () => {
  const orders = ['first', 'repeat', 'another'].map((type, index) => ({
    line: index + 1,
    expect: 'recorded' as const,
    field: null,
    userAgent: null,
    event: { type, ...(type !== 'another' && { idempotencyKey: 'same' }) },
  }))
  const seen: string[] = []
  const another = Promise.withResolvers<void>()
  const server = await startHttpServer(async (request, response) => {
    const { type } = (await readJson(request)) as { type: string }
    seen.push(`${type} came`)
    if (type === 'another') another.resolve()
    if (type === 'first') await another.promise
    seen.push(`${type} answered`)
    response.writeHead(201).end(JSON.stringify({ recorded: true, matchedWorkflows: 0, event: { id: type } }))
  })
  await postOrders(new Api(`http://127.0.0.1:${server.port}`, AbortSignal.timeout(5000)), orders, () => {})
  await server.stop()
  expect(seen.indexOf('another came')).toBeLessThan(seen.indexOf('first answered'))
  expect(seen.indexOf('first answered')).toBeLessThan(seen.indexOf('repeat came'))
})

test('explains in one sentence that a service does not answer, and passes on the error of an abort signal', async () => {
  const server = await startHttpServer((_, response) => response.end())
  const url = `http://127.0.0.1:${server.port}`
  await server.stop()
  const refused = new Api(url, AbortSignal.timeout(5000)).request('GET', '/healthz')
  const message = `GET ${url}/healthz received no response: ECONNREFUSED.`
  await expect(refused).rejects.toMatchObject({ name: 'DemoError', message })
  await expect(new Api(url, AbortSignal.abort()).request('GET', '/healthz')).rejects.toHaveProperty(
    'name',
    'AbortError',
  )
})

test('polls until the condition holds, and explains a timeout in one sentence', async () => {
  let asked = 0
  const server = await startHttpServer((_, response) => response.end(JSON.stringify({ count: ++asked })))
  const api = (ms: number) => new Api(`http://127.0.0.1:${server.port}`, AbortSignal.timeout(ms))
  const counted = await api(5000).pollUntil<{ count: number }>('/count', 'it is three', ({ count }) => count === 3)
  const inVain = api(100).pollUntil('/count', 'it is nothing', () => false)
  await expect(inVain).rejects.toMatchObject({
    name: 'DemoError',
    message: 'Timed out before it is nothing (GET /count).',
  })
  await server.stop()
  expect(counted).toEqual({ count: 3 })
})

describe('the receiver of the demo', () => {
  const secret = 'whsec_c29tZSBzZWNyZXQ'
  const body = Buffer.from('{"id":"1","text":"Grüße"}')
  const digest = (t: number | string, key = secret) =>
    createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')
  const now = 1_780_000_000

  test('accepts a signature of the original bytes, five minutes early or late, among several', () => {
    for (const t of [now, now - 300, now + 300]) {
      expect(findSignatureProblem(`t=${t},v1=${digest(t)}`, body, secret, now)).toBeNull()
    }
    expect(findSignatureProblem(`t=${now},v1=${digest(now, 'new')},v1=${digest(now)}`, body, secret, now)).toBeNull()
  })

  test.each([
    ['nothing', undefined],
    ['no time', `v1=${digest(now)}`],
    ['no digest', `t=${now}`],
    ['a time that is not a number', `t=now,v1=${digest('now')}`],
    ['a time other than the signed one', `t=${now + 1},v1=${digest(now)}`],
    ['another secret', `t=${now},v1=${digest(now, 'other')}`],
    ['half a digest', `t=${now},v1=${digest(now).slice(0, 32)}`],
    ['a digest in capitals', `t=${now},v1=${digest(now).toUpperCase()}`],
    ['a time 301 seconds ago', `t=${now - 301},v1=${digest(now - 301)}`],
    ['a time 301 seconds ahead', `t=${now + 301},v1=${digest(now + 301)}`],
  ])('rejects %s', (_, header) => {
    expect(findSignatureProblem(header, body, secret, now)).toBeString()
  })

  test('processes a repeated event once and rejects forgeries', async () => {
    const receiver = new WebhookReceiver()
    await receiver.start()
    receiver.setSecret(secret)
    const send = (id: string, key = secret) => {
      const text = JSON.stringify({ id, type: 'ping', createdAt: new Date().toISOString(), data: {} })
      const t = Math.floor(Date.now() / 1000)
      const v1 = createHmac('sha256', key).update(`${t}.${text}`).digest('hex')
      const headers = { 'X-Service-Signature': `t=${t},v1=${v1}`, 'X-Service-Event': 'ping', 'X-Service-Event-Id': id }
      return fetch(receiver.url, { method: 'POST', headers, body: text })
    }
    const two = receiver.waitFor(2, AbortSignal.timeout(5000))
    expect((await send('a')).status).toBe(204)
    expect((await send('a')).status).toBe(204)
    expect((await send('b', 'not the secret')).status).toBe(401)
    expect((await send('c')).status).toBe(204)
    expect(await two).toBe(true)
    expect(receiver.receipts.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(receiver.repeated).toBe(1)
    expect([...receiver.rejected.values()]).toEqual([1])
    expect(await receiver.waitFor(3, AbortSignal.timeout(20))).toBe(false)
    await receiver.stop()
  })
})

describe('the command', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'demo-test-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const start = (args: string[], settings: Record<string, string> = {}) => {
    const env = { ...process.env, DATA_DIR: folder, PORT: '0', ...settings }
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const status = new Promise<number | null>(ended => child.once('exit', ended))
    return { pid: child.pid!, status, stdout: child.stdout, stderr: child.stderr }
  }

  const run = async (args: string[], settings: Record<string, string> = {}) => {
    const child = start(args, settings)
    const [out, err, status] = await Promise.all([readText(child.stdout), readText(child.stderr), child.status])
    return { out, err, status }
  }

  /** Parses rows `group  name  found  expected` of the summaries. Only the first row of a group names it. */
  const countsIn = (out: string) =>
    [...out.matchAll(/^ {2}(?:[A-Z]\w+)? {2,}(\S.*?) {2,}(\d+) +(\d+)( {2}differs)?$/gm)].map(
      ([, name, found, expected]) => [name, Number(found), Number(expected)] as const,
    )

  test('plays both acts without any proxy, and ends with 0 if each count is as expected', async () => {
    const { out, err, status } = await run(['demo', '--exit'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      HTTP_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '',
    })
    expect({ err, status }).toEqual({ err: '', status: 0 })
    const running = allLines.filter(line => line.expect === 'recorded' && line.event.type === 'order.created')
    const failed = running.filter(({ event }) => String(event.phone).endsWith('0000')).length
    const number = (fate: string) => allLines.filter(line => line.expect === fate).length
    const both = (name: string, count: number) => [name, count, count] as const
    const [firstAct, secondAct] = out.split('Results of the second act')
    expect(countsIn(firstAct!)).toEqual([
      both('recorded', number('recorded')),
      both('replayed', number('replayed')),
      both('refused', number('refused')),
      both('done', running.length),
      both('delivered', running.length - failed),
      both('failed', failed),
      both('otherwise', 0),
      both('verified, delivered', running.length - failed),
      both('verified, failed', failed),
      both('rejected', 0),
    ])
    expect(countsIn(secondAct!)).toEqual([
      both('completed', 1),
      both('paid', 1),
      both('opted out', 1),
      both('for a person', 1),
      both('no answer', 1),
      both('total', 5),
      both('delivered', 36),
      both('read', 1),
      both('skipped', 1),
      both('received', 7),
      both('by the workflow, 129.95 EUR', 1),
      both('manually, 199.95 EUR', 1),
      both('total', 2),
      both('opted out', 3),
      both('waiting', 2),
      both('like an opt-out', 1),
      both('assigned', 1),
      both('closed', 2),
      both('audience', 36),
      both('sent', 29),
      both('skipped', 7),
      both('unknown', 0),
      both('started a run', 6),
      both('nothing listens', 2),
      both('switched off', 1),
      both('never published', 1),
      both('not run for customer', 2),
      both('message.received', 7),
      both('message.status', 38),
      both('sale.created', 2),
      both('customer.opted_out', 3),
      both('campaign.completed', 1),
      both('ping', 1),
      both('rejected', 0),
    ])
    expect(out).toContain('2 × idempotency_key: Is not a known field. Did you mean idempotencyKey?')
    expect(out).toMatch(/From commit to receipt: p50 \d+ ms, p99 \d+ ms/)
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
    expect(existsSync(join(folder, 'demo.process'))).toBe(false)
  }, 60_000)

  test('ends with 1 and names the counts that differ from the file', async () => {
    const tampered = allLines.slice(0, 20)
    const wrong = tampered.findIndex(line => line.expect === 'recorded' && line.event.type === 'order.created')
    tampered[wrong] = { ...tampered[wrong]!, expect: 'refused' }
    const recorded = tampered.filter(line => line.expect === 'recorded').length
    const file = join(folder, 'tampered.jsonl')
    writeFileSync(file, tampered.map(line => JSON.stringify(line)).join('\n'))
    const { out, status } = await run(['demo', '--exit', '--orders', file])
    expect(status).toBe(1)
    expect(out).toContain(`Orders recorded: ${recorded + 1}, but the file says ${recorded}.`)
    expect(out).toContain(`Line ${wrong + 1} was recorded, expected refused.`)
    expect(out).not.toContain('All counts match')
  }, 60_000)

  test('ends immediately with instructions in one sentence if the port is in use', async () => {
    const other = createServer()
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const { err, status } = await run(['demo', '--exit'], { PORT: String(port) })
    other.close()
    expect(status).toBe(1)
    expect(err).toMatch(new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port} .*PORT=${port + 1}\\.\n$`))
  }, 60_000)

  test('left running, accepts orders, reports their webhooks, blocks a second demo, and ends with 0', async () => {
    const file = join(folder, 'one.jsonl')
    writeFileSync(file, linesOf(ordersFile)[0]!)
    const child = start(['demo', '--orders', file])
    const out = follow(child.stdout)
    const [, url, key, event] = await out.until(
      /curl -s (\S+) -H 'X-API-Key: (\S+)' .* -d '(.*)'\n[\s\S]*Press Ctrl-C to stop/,
    )

    // Its output is a pipe, which another program can store.
    expect(out.soFar()).toContain('e-mail owner@example.com, password only shown on a terminal')
    const home = new URL(url!).origin
    const lines = out.soFar().split('\n')
    // The address also appears early, near the first lines.
    expect(lines.indexOf(`  Dashboard    ${home}; a sign-in link follows at the end`)).toBeWithin(1, 12)
    expect(lines).toContain(`  Dashboard    ${home}`)
    expect(out.soFar()).not.toContain('#token=')
    const command = lines.find(line => line.includes('user sign-in-link --demo'))!
    expect(command).toBe(
      `DATA_DIR=${folder} PORT=${new URL(home).port} bun src/main.ts user sign-in-link --demo --email owner@example.com`,
    )
    const [settings, args] = command.split(' bun src/main.ts ')
    const made = await run(args!.split(' '), Object.fromEntries(settings!.split(' ').map(one => one.split('='))))
    const [, address, token] = /^(http.*)\/sign-in#token=(.*)$/m.exec(made.out)!
    expect(address).toBe(home)
    const signedIn = await fetch(`${home}/v1/auth/sign-in/link`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    expect(await signedIn.json()).toMatchObject({
      user: { email: 'owner@example.com' },
      workspace: { name: 'Demo shop' },
    })

    const second = await run(['demo', '--exit'])
    expect({ status: second.status, err: second.err }).toEqual({
      status: 1,
      err: expect.stringContaining(
        `Another demo is running on ${folder} (process ${child.pid}). Stop it with Ctrl-C, or set DATA_DIR to another folder.`,
      ),
    })

    const headers = { 'X-API-Key': key!, 'Content-Type': 'application/json' }
    const answer = await fetch(url!, { method: 'POST', headers, body: event! })
    expect(answer.status).toBe(201)
    await out.until(/message\.status “delivered” arrived with a valid signature/)

    // Avoids the child's own `kill`. After a call of it, Deno reports every exit as caused by that signal.
    process.kill(child.pid, 'SIGINT')
    process.kill(child.pid, 'SIGINT')
    expect(await child.status).toBe(0)
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
  }, 60_000)

  test.skipIf(browserPath === null)(
    'ends its output on a terminal with an address that opens the dashboard signed in, with all demo data',
    async () => {
      const file = join(folder, 'first.jsonl')
      writeFileSync(file, linesOf(ordersFile).slice(0, 10).join('\n'))
      const browser = await TestBrowser.start()
      const decoder = new TextDecoder()
      let text = ''
      const child = Bun.spawn([process.execPath, main, 'demo', '--orders', file], {
        env: { ...process.env, DATA_DIR: folder, PORT: '0', NO_COLOR: '1' },
        terminal: { cols: 160, rows: 50, data: (_, bytes) => void (text += decoder.decode(bytes, { stream: true })) },
      })
      try {
        await eventually('the output is complete', () => text.includes('Press Ctrl-C to stop'), 50_000)
        const [, address, home] = /Dashboard +((http:\S+)\/sign-in#token=\S+)\s/.exec(text)!
        expect(text.indexOf(address!)).toBeGreaterThan(text.indexOf('curl -s'))
        expect(text).toMatch(/e-mail owner@example\.com, password \S{20}\s/)
        const { page, complaints } = await browser.open(home!)
        page.setDefaultTimeout(30_000)
        await page.goto(address!)
        await page.getByText('waiting for a reply').waitFor()
        expect(page.url()).toBe(`${home}/`)
        await page.goto('/events?type=cart.abandoned')
        await page.getByText('Clara').first().waitFor()
        expect(complaints).toEqual([])
      } finally {
        await browser.stop()
        child.kill('SIGINT')
        expect(await child.exited).toBe(0)
      }
    },
    90_000,
  )
})

/** Reads a stream as its data arrives. */
const follow = (stream: Readable) => {
  const pieces = stream.setEncoding('utf8')[Symbol.asyncIterator]()
  let text = ''
  return {
    soFar: () => text,
    until: async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const found = pattern.exec(text)
        if (found) return found
        const { value, done } = await pieces.next()
        if (done) throw new Error(`it ended before ${pattern}:\n${text}`)
        text += value
      }
    },
  }
}
