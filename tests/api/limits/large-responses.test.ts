/** Large responses of a workspace are made under a concurrency limit. Other workspaces are not delayed. */
import { beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { Authenticator } from '../../../src/api/auth.ts'
import type { ResponseLimits } from '../../../src/api/limits/large-responses.ts'
import { RateLimiter } from '../../../src/api/limits/rate-limit.ts'
import { operation } from '../../../src/api/operation.ts'
import { createLimits, Pipeline } from '../../../src/api/pipeline.ts'
import { verb } from '../../../src/core/verb.ts'
import { RejectedRequestLog } from '../../../src/events/rejected-requests/index.ts'
import { limitedPool } from '../../../src/platform/postgres/limited-pool.ts'
import { bearer, eventually, useWorld } from '../../support/world.ts'

const world = useWorld()
let stranger: Record<string, string>
const owner = (): Record<string, string> => bearer(world.owner.token)
beforeAll(async () => {
  stranger = await world.otherOwner()
})

const settled = () => new Promise(resolve => setTimeout(resolve, 50))
const connections = 5
const large = 1024 * 1024

/** Opens one operation that returns a text of `characters` characters. `started` counts its executions for the owner. */
const operationOf = (characters: number, answers: Partial<ResponseLimits> = {}, method: 'GET' | 'POST' = 'GET') => {
  const { sql } = world.database
  const pool = limitedPool(sql, { total: 8, maxPerKey: connections, maxWaiting: 100 })
  const limits = { key: null, person: null, signInAttempts: null }
  const limiter = new RateLimiter({ sql, signInSql: sql, limits, onFailure: () => {} })
  const pipeline = new Pipeline(
    {
      sql,
      reads: pool,
      changes: pool,
      authenticator: new Authenticator({ recording: sql, chores: sql }, 'http://cafe.example'),
      limiter,
      rejectedRequests: new RejectedRequestLog(sql, () => {}),
      log: pino({ level: 'silent' }),
      addressOf: () => '127.0.0.1',
      onResponse: () => {},
    },
    createLimits({ answers }),
  )
  const asked = { started: 0, byStranger: characters }
  const handle = pipeline.handlerFor(
    operation({
      method,
      path: '/',
      id: 'read',
      tag: 'Tests',
      summary: 'Read',
      verb: verb({ by: 'member' }, async ({ sql, caller }) => {
        if (caller.workspaceId !== world.workspaceId) return { text: 'ß'.repeat(asked.byStranger) }
        asked.started++
        await sql`select pg_sleep(0.02)`
        return { text: 'ß'.repeat(characters) }
      }),
      answers: { 200: { description: 'Much.' } },
      args: () => [],
    }),
  )
  const received: Response[] = []
  const ask = async (headers = owner(), init: RequestInit = {}) => {
    const response = await handle(new Request('http://cafe.example/', { method, headers, ...init }), {})
    received.push(response)
    return response
  }
  return { ask, answers: received, asked }
}

describe('large responses', () => {
  test('are made two at a time per workspace; reading one starts the next, and other workspaces do not wait', async () => {
    const { ask, answers, asked } = operationOf(large)
    for (let n = 0; n < 20; n++) void ask()
    await eventually('two are answered', () => answers.length === 2)
    await settled()
    expect(answers).toHaveLength(2)
    // Other workspaces do not wait.
    for (const size of [large, 10]) {
      asked.byStranger = size
      expect((await (await ask(stranger)).json()).text).toHaveLength(size)
    }
    expect(answers.splice(2)).toHaveLength(2)
    // The size of the first responses was not known in advance, so one per connection started without a permit.
    expect(asked.started).toBeLessThanOrEqual(connections + 2)
    for (let taken = 0; taken < 20; taken++) {
      await eventually('a response has arrived', () => answers.length > taken)
      expect((await answers[taken]!.json()).text).toHaveLength(large)
      await settled()
      expect(answers.length).toBeLessThanOrEqual(taken + 3)
      expect(asked.started).toBeLessThanOrEqual(connections + taken + 3)
    }
    expect(asked.started).toBe(20)
  })

  test('do not start without a permit when the operation is known to be large', async () => {
    const { ask, asked } = operationOf(large, { maxPerKey: 1 })
    await (await ask()).text()
    const answered = ask()
    for (let n = 0; n < 9; n++) void ask()
    await answered
    await settled()
    expect(asked.started).toBe(2)
  })

  test('release their permit when the caller disconnects or reads too slowly', async () => {
    const { ask, asked } = operationOf(large, { maxPerKey: 1 })
    await (await ask()).body!.cancel()
    const leaving = new AbortController()
    const held = await ask()
    const waiting = ask(owner(), { signal: leaving.signal })
    await settled()
    leaving.abort()
    expect((await waiting).status).toBe(499)
    await held.body!.cancel()
    expect((await (await ask()).json()).text).toHaveLength(large)
    expect(asked.started).toBe(3)

    const slow = operationOf(large, { maxPerKey: 1, maxMs: 50 })
    const untaken = await slow.ask()
    expect((await slow.ask()).status).toBe(200)
    expect(untaken.text()).rejects.toThrow('did not read the response in time')
  })

  test('that are not read keep their permit only until another call of the workspace waits', async () => {
    const { ask } = operationOf(large, { maxPerKey: 1, maxIdleMs: 200 })
    await (await ask()).text()
    const still = await ask()
    await new Promise(resolve => setTimeout(resolve, 500))
    // Other workspaces have their own permits and do not wait.
    expect((await (await ask(stranger)).json()).text).toHaveLength(large)
    expect((await still.json()).text).toHaveLength(large)

    const given = await ask()
    const slow = given.body!.getReader()
    const next = ask()
    let took = 0
    // Reads slowly, but more often than the limit of 200 ms without a read.
    for (let piece = await slow.read(); !piece.done; piece = await slow.read()) {
      took += piece.value.byteLength
      await settled()
    }
    expect(took).toBeGreaterThan(large)
    const begun = await next
    expect((await ask()).status).toBe(200)
    expect(begun.text()).rejects.toThrow('did not read the response')
  })

  test('over the queue limit are rejected before any work, with their own message', async () => {
    const { ask, asked } = operationOf(large, { maxPerKey: 1, maxWaitingPerKey: 1 }, 'POST')
    const first = await ask()
    const second = ask()
    await settled()
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await refused.json()).error).toEqual({
      code: 'internal_error',
      details: { reason: 'overloaded' },
      message: expect.stringContaining('Too many large responses are being sent to the workspace'),
    })
    expect(asked.started).toBe(1)
    await first.text()
    expect((await second).status).toBe(200)
  })

  test('to a POST are sent without a permit when none is free; those to a GET are rejected', async () => {
    for (const method of ['POST', 'GET'] as const) {
      const { ask, asked } = operationOf(large, { maxPerKey: 1, maxWaitingPerKey: 1, maxWaitMs: 100 }, method)
      const all = await Promise.all(Array.from({ length: connections }, () => ask()))
      const ok = all.filter(({ status }) => status === 200)
      expect([asked.started, ok.length], method).toEqual([connections, method === 'POST' ? connections : 1])
      for (const one of ok) expect((await one.json()).text).toHaveLength(large)
    }
  })

  test('need no permit for a HEAD request, and small responses none in any number', async () => {
    const head = operationOf(large, { maxPerKey: 1 })
    for (let n = 0; n < 5; n++) expect((await head.ask(owner(), { method: 'HEAD' })).status).toBe(200)
    const small = operationOf(50_000)
    const answers = await Promise.all(Array.from({ length: 64 }, () => small.ask()))
    expect(answers.map(({ status }) => status)).toEqual(Array(64).fill(200))
  })
})

test('64 pages of 4 MiB are sent one after the other while another workspace still records events', async () => {
  const data = { text: 'x'.repeat(1_000_000) }
  for (let n = 0; n < 12; n++)
    await world.expect(201, 'POST', '/v1/events', { body: { type: 'large', phone: '+4915112345678', data } })
  let pages = 0
  let refused = 0
  const page = async () => {
    const response = await fetch(`${world.url}/v1/events?limit=100`, { headers: owner() })
    const answer = (await response.json()) as { data: { data: { text: string } }[] }
    if (response.status === 200) {
      expect(answer.data.map(({ data }) => data.text.length)).toEqual(Array(5).fill(1_000_000))
      pages++
    } else {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
      refused++
    }
  }
  const all = Promise.all(Array.from({ length: 64 }, page))
  await eventually('the first page is there', () => pages > 0)
  const before = pages
  for (let n = 0; n < 10; n++)
    await world.expect(201, 'POST', '/v1/events', { as: stranger, body: { type: 'small', phone: '+4915112345678' } })
  const meanwhile = pages - before
  await all
  expect(pages + refused).toBe(64)
  expect(meanwhile).toBeLessThan(25)
}, 60_000)
