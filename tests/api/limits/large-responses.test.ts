/** Large responses of a workspace are made under a concurrency limit. Other workspaces are not delayed. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { Authenticator } from '../../../src/api/auth.ts'
import type { ResponseLimits } from '../../../src/api/limits/large-responses.ts'
import { RateLimiter } from '../../../src/api/limits/rate-limit.ts'
import { operation } from '../../../src/api/operation.ts'
import { Pipeline } from '../../../src/api/pipeline.ts'
import { verb } from '../../../src/core/verb.ts'
import { RejectedRequestLog } from '../../../src/events/rejected-requests/index.ts'
import { limitedPool } from '../../../src/platform/postgres/limited-pool.ts'
import { eventually, startWorld, type World } from '../../support/world.ts'

let world: World
let stranger: Record<string, string>
let owner: Record<string, string>
beforeAll(async () => {
  world = await startWorld()
  owner = { Authorization: `Bearer ${world.owner.token}` }
  stranger = await world.otherOwner()
})
afterAll(() => world.stop())

const settled = () => new Promise(resolve => setTimeout(resolve, 50))
const connections = 5
const large = 1024 * 1024

/** Opens one operation that returns a text of `characters` characters. `begun` counts its executions for the owner. */
const doorOf = (characters: number, limits: Partial<ResponseLimits> = {}, method: 'GET' | 'POST' = 'GET') => {
  const { sql } = world.database
  const pool = limitedPool(sql, { total: 8, maxPerKey: connections, maxWaiting: 100 })
  const limiter = new RateLimiter({
    sql,
    signInSql: sql,
    limits: { key: null, person: null, signInAttempts: null },
    onFailure: () => {},
  })
  const door = new Pipeline(
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
    { answers: limits },
  )
  const asked = { begun: 0, byStranger: characters }
  const handle = door.handlerFor(
    operation({
      method,
      path: '/',
      id: 'tell',
      tag: 'Tests',
      summary: 'Tell',
      verb: verb({ by: 'member' }, async ({ sql, caller }) => {
        if (caller.workspaceId !== world.workspaceId) return { text: 'ß'.repeat(asked.byStranger) }
        asked.begun++
        await sql`select pg_sleep(0.02)`
        return { text: 'ß'.repeat(characters) }
      }),
      answers: { 200: { description: 'Much.' } },
      args: () => [],
    }),
  )
  const answers: Response[] = []
  const ask = async (headers = owner, init: RequestInit = {}) => {
    const response = await handle(new Request('http://cafe.example/', { method, headers, ...init }), {})
    answers.push(response)
    return response
  }
  return { ask, answers, asked }
}

describe('large responses', () => {
  test('are made two at a time per workspace; reading one starts the next', async () => {
    const { ask, answers, asked } = doorOf(large)
    for (let n = 0; n < 64; n++) void ask()
    await eventually('two are answered', () => answers.length === 2)
    await settled()
    expect(answers).toHaveLength(2)
    // The size of the first responses was not known in advance, so one per connection started without a permit.
    expect(asked.begun).toBeLessThanOrEqual(connections + 2)
    for (let taken = 0; taken < 64; taken++) {
      await eventually('a response has arrived', () => answers.length > taken)
      expect((await answers[taken]!.json()).text).toHaveLength(large)
      await settled()
      expect(answers.length).toBeLessThanOrEqual(taken + 3)
      expect(asked.begun).toBeLessThanOrEqual(connections + taken + 3)
    }
    expect(asked.begun).toBe(64)
  }, 30_000)

  test('do not delay responses of other workspaces, large or small', async () => {
    const { ask, answers, asked } = doorOf(large)
    for (let n = 0; n < 64; n++) void ask()
    await eventually('two are answered', () => answers.length === 2)
    expect((await (await ask(stranger)).json()).text).toHaveLength(large)
    asked.byStranger = 10
    expect(await (await ask(stranger)).json()).toEqual({ text: 'ß'.repeat(10) })
    expect(answers).toHaveLength(4)
  })

  test('do not start without a permit when the operation is known to be large', async () => {
    const { ask, asked } = doorOf(large, { maxPerKey: 1 })
    await (await ask()).text()
    const answered = ask()
    for (let n = 0; n < 9; n++) void ask()
    await answered
    await settled()
    expect(asked.begun).toBe(2)
  })

  test('release their permit when the caller disconnects or reads too slowly', async () => {
    const { ask, asked } = doorOf(large, { maxPerKey: 1 })
    await (await ask()).body!.cancel()
    const leaving = new AbortController()
    const held = await ask()
    const waiting = ask(owner, { signal: leaving.signal })
    await settled()
    leaving.abort()
    expect((await waiting).status).toBe(499)
    await held.body!.cancel()
    expect((await (await ask()).json()).text).toHaveLength(large)
    expect(asked.begun).toBe(3)

    const slow = doorOf(large, { maxPerKey: 1, maxMs: 50 })
    const untaken = await slow.ask()
    expect((await slow.ask()).status).toBe(200)
    expect(untaken.text()).rejects.toThrow('did not read the response in time')
  })

  test('that are not read keep their permit only until another call of the workspace waits', async () => {
    const { ask } = doorOf(large, { maxPerKey: 1, maxIdleMs: 200 })
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
    const { ask, asked } = doorOf(large, { maxPerKey: 1, maxWaitingPerKey: 1 }, 'POST')
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
    expect(asked.begun).toBe(1)
    await first.text()
    expect((await second).status).toBe(200)
  })

  test('to a POST are sent without a permit when none is free; those to a GET are rejected', async () => {
    for (const method of ['POST', 'GET'] as const) {
      const { ask, asked } = doorOf(large, { maxPerKey: 1, maxWaitingPerKey: 1, maxWaitMs: 100 }, method)
      const all = await Promise.all(Array.from({ length: connections }, () => ask()))
      const ok = all.filter(({ status }) => status === 200)
      expect([asked.begun, ok.length], method).toEqual([connections, method === 'POST' ? connections : 1])
      for (const one of ok) expect((await one.json()).text).toHaveLength(large)
    }
  })

  test('need no permit for a HEAD request', async () => {
    const { ask, answers } = doorOf(large, { maxPerKey: 1 })
    for (let n = 0; n < 5; n++) await ask(owner, { method: 'HEAD' })
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
  })
})

test('small responses need no permit, in any number and whether or not they are read', async () => {
  const { ask, answers } = doorOf(50_000)
  await Promise.all(Array.from({ length: 64 }, () => ask()))
  expect(answers.map(({ status }) => status)).toEqual(Array(64).fill(200))
})

describe('over the wire', () => {
  const count = 12
  beforeAll(async () => {
    const data = { text: 'x'.repeat(1_000_000) }
    for (let n = 0; n < count; n++)
      await world.expect(201, 'POST', '/v1/events', {
        as: 'key',
        body: { type: 'large', phone: '+4915112345678', data },
      })
  })

  test('64 pages of 4 MiB are sent one after the other while another workspace still records events', async () => {
    let pages = 0
    let refused = 0
    const page = async () => {
      const response = await fetch(`${world.url}/v1/events?limit=100`, { headers: owner })
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
})
