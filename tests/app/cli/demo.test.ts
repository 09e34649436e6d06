import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { WebhookReceiver } from '../../../src/app/cli/demo/receiver.ts'
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

test('the orders of the demo are many, a few of them broken or repeats of an earlier idempotency key', () => {
  const having = (expected: string) => allLines.filter(line => line.expect === expected)
  expect(allLines.length).toBeGreaterThanOrEqual(200)
  expect(new Set(having('recorded').map(({ event }) => event.phone)).size).toBeGreaterThan(50)
  expect(new Set(allLines.map(({ userAgent }) => userAgent)).size).toBeGreaterThan(4)
  expect(having('refused').length).toBeGreaterThan(10)
  expect(having('replayed').length).toBeGreaterThan(10)
  const seen = new Set<unknown>()
  for (const [index, { expect: fate, event }] of allLines.entries()) {
    if (fate === 'refused') continue
    const key = event.idempotencyKey
    expect(fate, `line ${index + 1}`).toBe(key !== undefined && seen.has(key) ? 'replayed' : 'recorded')
    seen.add(key)
  }
})

test('the receiver of the demo processes a repeated event once, and rejects other secrets and times', async () => {
  const secret = 'whsec_c29tZSBzZWNyZXQ'
  const receiver = new WebhookReceiver()
  await receiver.start()
  receiver.setSecret(secret)
  const send = async (id: string, key = secret, lateSeconds = 0) => {
    const body = JSON.stringify({ id, type: 'ping', createdAt: new Date().toISOString(), data: {} })
    const t = Math.floor(Date.now() / 1000) - lateSeconds
    const v1 = createHmac('sha256', key).update(`${t}.${body}`).digest('hex')
    const headers = { 'X-Service-Signature': `t=${t},v1=${v1}`, 'X-Service-Event': 'ping', 'X-Service-Event-Id': id }
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status
  }
  const two = receiver.waitFor(2, AbortSignal.timeout(5000))
  expect([await send('a'), await send('a'), await send('b', 'not the secret')]).toEqual([204, 204, 401])
  expect([await send('b', secret, 320), await send('c', secret, 280)]).toEqual([401, 204])
  expect(await two).toBe(true)
  expect(receiver.receipts.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(receiver.repeated).toBe(1)
  expect([...receiver.rejected.values()].reduce((sum, count) => sum + count)).toBe(2)
  expect(await receiver.waitFor(3, AbortSignal.timeout(20))).toBe(false)
  await receiver.stop()
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
    const delivered = running.length - failed
    const events = ['recorded', 'replayed', 'refused'].map(fate => both(fate, number(fate)))
    const runs = [both('done', running.length), both('delivered', delivered), both('failed', failed)]
    const webhooks = [both('verified, delivered', delivered), both('verified, failed', failed), both('rejected', 0)]
    expect(countsIn(firstAct!)).toEqual([...events, ...runs, both('otherwise', 0), ...webhooks])
    const expected = `
      completed 1, paid 1, opted out 1, for a person 1, no answer 1, total 5, delivered 36, read 1, skipped 1, received 7,
      by the workflow; 129.95 EUR 1, manually; 199.95 EUR 1, total 2, opted out 3, waiting 2, like an opt-out 1,
      assigned 1, closed 2, audience 36, sent 29, skipped 7, unknown 0, started a run 6, nothing listens 2,
      switched off 1, never published 1, not run for customer 2, message.received 7, message.status 38, sale.created 2,
      customer.opted_out 3, campaign.completed 1, ping 1, rejected 0`
    expect(countsIn(secondAct!)).toEqual(
      expected.split(/,\s+/).map(count => {
        const [, name, number] = /^\s*(.*) (\d+)$/.exec(count)!
        return both(name!.replace(';', ','), Number(number))
      }),
    )
    expect(out).toContain('2 × idempotency_key: Is not a known field. Did you mean idempotencyKey?')
    expect(out).toMatch(/From commit to receipt: p50 \d+ ms, p99 \d+ ms/)
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
    expect(existsSync(join(folder, 'demo.process'))).toBe(false)
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
    const { origin: home, port } = new URL(url!)
    const lines = out.soFar().split('\n')
    // The address also appears early, near the first lines.
    expect(lines.indexOf(`  Dashboard    ${home}; a sign-in link follows at the end`)).toBeWithin(1, 12)
    expect(lines).toContain(`  Dashboard    ${home}`)
    expect(out.soFar()).toMatch(/without Bun, use\s+npx -y bun@\d+\.\d+\.\d+\)/)
    expect(out.soFar()).not.toContain('#token=')
    expect(out.soFar()).not.toContain('cest_')
    const command = lines.find(line => line.includes('user sign-in-link --demo'))!
    expect(command).toBe(
      `DATA_DIR=${folder} PORT=${port} bun src/main.ts user sign-in-link --demo --email owner@example.com`,
    )
    const [settings, args] = command.split(' bun src/main.ts ')
    const made = await run(args!.split(' '), Object.fromEntries(settings!.split(' ').map(one => one.split('='))))
    const [, address, token] = /^(http.*)\/sign-in#token=(.*)$/m.exec(made.out)!
    expect(address).toBe(home)
    const json = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers: json, body: JSON.stringify({ token }) }
    const signedIn = await fetch(`${home}/v1/auth/sign-in/link`, init)
    const demo = { user: { email: 'owner@example.com' }, workspace: { name: 'Demo shop' } }
    const session = await signedIn.json()
    expect(session).toMatchObject(demo)
    expect(out.soFar()).toContain('All counts match')
    await expectHistory(home, session.token)

    const elsewhere = await run(['demo', '--exit'], { PORT: port, DATA_DIR: join(folder, 'other') })
    expect(elsewhere.status).toBe(1)
    expect(elsewhere.err).toMatch(
      new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port} .*PORT=${Number(port) + 1}\\.\n$`),
    )
    const second = await run(['demo', '--exit'])
    expect({ status: second.status, err: second.err }).toEqual({
      status: 1,
      err: expect.stringContaining(
        `Another demo is running on ${folder} (process ${child.pid}). Stop it with Ctrl-C, or set DATA_DIR to another folder.`,
      ),
    })

    const answer = await fetch(url!, { method: 'POST', headers: { ...json, 'X-API-Key': key! }, body: event! })
    expect(answer.status).toBe(201)
    await out.until(/message\.status “delivered” arrived with a valid signature/)

    // Avoids the child's own `kill`. After a call of it, Deno reports every exit as caused by that signal.
    process.kill(child.pid, 'SIGINT')
    process.kill(child.pid, 'SIGINT')
    expect(await child.status).toBe(0)
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
  }, 120_000)

  test('ends on Ctrl-C while the history is recorded, and says so', async () => {
    const child = start(['demo'])
    const out = follow(child.stdout)
    await out.until(/new database/)
    process.kill(child.pid, 'SIGINT')
    await out.until(/Stopping\.\s+Interrupted\./)
    expect(await child.status).toBe(130)
    expect(out.soFar()).not.toContain('History')
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
  }, 60_000)

  test('ends with 0 and stops its PostgreSQL when the reader of its output has gone', async () => {
    const child = start(['demo'])
    const reported = readText(child.stderr)
    await follow(child.stdout).until(/From shop order/)
    child.stdout.destroy()
    expect({ status: await child.status, err: await reported }).toEqual({ status: 0, err: '' })
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
  }, 60_000)

  test('on a terminal names counts that differ from the file, shows a sign-in link and the password, and ends with 1', async () => {
    const tampered = allLines.slice(0, 20)
    const wrong = tampered.findIndex(line => line.expect === 'recorded' && line.event.type === 'order.created')
    tampered[wrong] = { ...tampered[wrong]!, expect: 'refused' }
    const recorded = tampered.filter(line => line.expect === 'recorded').length
    const file = join(folder, 'tampered.jsonl')
    writeFileSync(file, tampered.map(line => JSON.stringify(line)).join('\n'))
    const decoder = new TextDecoder()
    let text = ''
    const child = Bun.spawn([process.execPath, main, 'demo', '--orders', file], {
      env: { ...process.env, DATA_DIR: folder, PORT: '0', NO_COLOR: '1' },
      terminal: { cols: 160, rows: 50, data: (_, bytes) => void (text += decoder.decode(bytes, { stream: true })) },
    })
    try {
      await eventually('the output is complete', () => text.includes('Press Ctrl-C to stop'), 50_000)
      expect(text).toContain(`Orders recorded: ${recorded + 1}, but the file says ${recorded}.`)
      expect(text).toContain(`Line ${wrong + 1} was recorded, expected refused.`)
      expect(text).not.toContain('All counts match')
      const [, address] = /Dashboard +(http:\S+\/sign-in#token=\S+)\s/.exec(text)!
      expect(text.indexOf(address!)).toBeGreaterThan(text.indexOf('curl -s'))
      expect(text).toMatch(/e-mail owner@example\.com, password \S{20}\s/)
      expect(text).toMatch(/src\/main\.ts listen --url \S+ --token cest_\S{43}\s/)
    } finally {
      child.kill('SIGINT')
      expect(await child.exited).toBe(1)
    }
  }, 90_000)
})

interface Day {
  hour: string
  events: number
  unhandled: number
  refused: number
  runsStarted: number
  messages: Record<string, number>
  deliveries: Record<string, number>
}

/** Expects a history of 30 days, whose counts and lists agree. */
const expectHistory = async (url: string, token: string): Promise<void> => {
  const get = async (path: string) =>
    (await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } })).json()
  const all = async (path: string) => {
    const found = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      found.push(...page.data)
      cursor = page.nextCursor
    }
    return found
  }
  const from = new Date(Date.now() - 31 * 86_400_000).toISOString()
  const { data: days }: { data: Day[] } = await get(`/v1/activity/summary?by=day&from=${from}`)
  const sum = (count: (day: Day) => number) => days.reduce((total, day) => total + count(day), 0)
  expect(days.filter(({ events }) => events > 0).length).toBeGreaterThanOrEqual(30)

  const events: { id: string; createdAt: string; type: string }[] = await all('/v1/events')
  expect(sum(day => day.events)).toBe(events.length)
  const workflows: { id: string }[] = await all('/v1/workflows')
  const runs = await Promise.all(workflows.map(({ id }) => all(`/v1/workflows/${id}/runs`)))
  expect(sum(day => day.runsStarted)).toBe(runs.flat().length)
  expect(sum(day => day.unhandled)).toBeGreaterThan(events.filter(({ type }) => type === 'product.viewed').length - 1)
  expect(sum(day => day.refused)).toBeGreaterThan(10)
  const problems: { groups: { name: string | null }[] } = await get(
    `/v1/activity/summary?by=day&from=${from}&group=problem`,
  )
  expect(problems.groups.map(({ name }) => name)).not.toContain(null)
  // Ids carry the time, so that lists and time ranges agree with it.
  for (const { id, createdAt } of events) {
    const idAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    expect(Math.abs(idAt - Date.parse(createdAt)), id).toBeLessThan(5000)
  }
  const messages: { status: string; channelId: string; createdAt: string }[] = await all('/v1/messages')
  const received = messages.filter(({ status }) => status === 'received').length
  expect(sum(day => day.messages.received!)).toBe(received)
  expect(sum(day => day.messages.failed!)).toBe(messages.filter(({ status }) => status === 'failed').length)
  expect(new Set(messages.map(({ channelId }) => channelId)).size).toBe(3)
  expect(sum(day => day.deliveries.attempts!)).toBeGreaterThan(sum(day => day.deliveries.delivered!))

  // Customers of the history waited for hours, and some for days.
  const inbox: { data: { firstResponseP50: number | null }[] } = await get(`/v1/inbox/stats?by=day&since=${from}`)
  const responses = inbox.data.flatMap(({ firstResponseP50: p50 }) => (p50 === null ? [] : [p50]))
  expect(Math.max(...responses)).toBeGreaterThan(12 * 3600)

  const campaigns: { id: string; name: string; finishedAt: string }[] = await all('/v1/campaigns')
  const { id: campaignId, finishedAt } = campaigns.find(({ name }) => name === 'Wool throws for autumn')!
  const results = await get(`/v1/campaigns/${campaignId}/results`)
  expect(results).toMatchObject({ sent: 30, sales: { count: expect.any(Number) } })
  expect(results.replied).toBeGreaterThan(0)
  const endpoints: { id: string; name: string | null }[] = await all('/v1/webhooks')
  const { codes } = await get(
    `/v1/webhooks/${endpoints.find(({ name }) => name === 'Stock system')!.id}/stats?by=day&since=${from}`,
  )
  expect(codes.map(({ statusCode }: { statusCode: number }) => statusCode).sort()).toEqual([204, 503])
  expect(Date.now() - Date.parse(finishedAt)).toBeGreaterThan(4 * 86_400_000)
  const sales: { createdAt: string }[] = await all('/v1/sales')
  expect(sales.filter(({ createdAt }) => Date.now() - Date.parse(createdAt) > 86_400_000).length).toBeGreaterThan(3)
}

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
