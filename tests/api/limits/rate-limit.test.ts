import { afterEach, describe, expect, test } from 'bun:test'
import pino from 'pino'
import { startService } from '../../../src/app/index.ts'
import { prune } from '../../../src/app/tasks/prune.ts'
import { readConfig } from '../../../src/config.ts'
import { bearer, eventually, unknownId, useWorld } from '../../support/world.ts'

/** A world whose service has no rate limits. Tests start limited processes on its database. */
const world = useWorld({}, { errors: ['42P01'] })

interface Process {
  url: string
  stop(): Promise<void>
}

const running = new Set<Process>()
/** Stops the processes of a test, which would count in later tests. */
afterEach(async () => {
  for (const process of running) await process.stop()
})

const startProcess = async (
  settings: Record<string, string> = {},
  logged: string[] = [],
  level = 'warn',
): Promise<Process> => {
  const config = readConfig({ PORT: '0', ROLES: 'http', ...settings })
  const log = pino({ level }, { write: line => void logged.push(line) })
  const service = await startService({ config, databaseUrl: world.database.url, log })
  const process: Process = {
    url: `http://127.0.0.1:${service.port}`,
    stop: async () => {
      if (running.delete(process)) await service.stop()
    },
  }
  running.add(process)
  return process
}

const newKey = async (): Promise<Record<string, string>> => {
  const { key } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'hammer' } })
  return { 'X-API-Key': key }
}

/** Reads an unknown customer `calls` times and returns the statuses. */
const statusesOf = async (process: Process, headers: Record<string, string>, calls: number) => {
  const get = async () => (await fetch(`${process.url}/v1/customers/${unknownId}`, { headers })).status
  return Promise.all(Array.from({ length: calls }, get))
}
const isAdmitted = (status: number) => status !== 429

/**
 * Calls as fast as possible for `ms` with the given number of clients per process. Returns the admitted calls and the
 * elapsed seconds.
 */
const hammer = async (clients: [process: Process, clients: number][], headers: Record<string, string>, ms: number) => {
  const startedAt = performance.now()
  const end = startedAt + ms
  let admitted = 0
  const client = async (process: Process) => {
    while (performance.now() < end) {
      const [status] = await statusesOf(process, headers, 1)
      if (isAdmitted(status!)) admitted++
    }
  }
  await Promise.all(clients.flatMap(([process, count]) => Array.from({ length: count }, () => client(process))))
  return { admitted, seconds: (performance.now() - startedAt) / 1000 }
}

describe('a caller over the limit', () => {
  test('gets 429 with Retry-After in whole seconds, before the body is read, and is listed among rejected events', async () => {
    const process = await startProcess({ RATE_LIMIT_KEY: '1/3' })
    const key = await newKey()
    const post = () => fetch(`${process.url}/v1/events`, { method: 'POST', headers: key, body: '{' })
    expect((await post()).status).toBe(415)
    expect(await statusesOf(process, key, 2)).toEqual([404, 404])
    const rejected = await post()
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1'])
    const { error } = (await rejected.json()) as { error: { message: string; code: string } }
    expect(error.code).toBe('rate_limited')
    expect(await statusesOf(process, await newKey(), 1)).toEqual([404])
    await eventually('admitted again', async () => (await statusesOf(process, key, 1))[0] === 404, 3000)
    await process.stop()
    const { data } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
    expect(data[0]).toMatchObject({ status: 429, code: 'rate_limited', message: error.message, count: 1 })
  })

  test('as a person has a separate limit, and 0 switches a limit off', async () => {
    const process = await startProcess({ RATE_LIMIT_KEY: '0', RATE_LIMIT_PERSON: '1/2' })
    const statuses = await statusesOf(process, bearer(world.owner.token), 3)
    expect(statuses.sort()).toEqual([404, 404, 429])
    expect(await statusesOf(process, await newKey(), 3)).toEqual([404, 404, 404])
  })
})

describe('two processes', () => {
  test('together admit burst + rate x time within 10 %, for any split of the calls', async () => {
    const [first, second] = [await startProcess(), await startProcess()]
    const splits: Record<string, [Process, number][]> = {
      evenly: [first, second].map(process => [process, 6]),
      'nine to one': [
        [first, 9],
        [second, 1],
      ],
      'one alone': [[second, 6]],
    }
    // One after the other, because the callers of three splits together can be slower than the limit.
    for (const [name, clients] of Object.entries(splits)) {
      const { admitted, seconds } = await hammer(clients, await newKey(), 3000)
      const expected = 400 + 200 * seconds
      expect(admitted, name).toBeWithin(expected * 0.9, expected * 1.1)
    }
  })

  test('share their admissions: a new process counts earlier calls, and a stopped one is removed', async () => {
    const { sql } = world.database
    const settings = { RATE_LIMIT_KEY: '1/60' }
    const first = await startProcess(settings)
    const key = await newKey()
    const startedAt = performance.now()
    /** Calls refilled since the first call, plus one for the fraction. */
    const refilled = () => (performance.now() - startedAt) / 1000 + 1
    const use = async (process: Process, calls: number) =>
      (await statusesOf(process, key, calls)).filter(isAdmitted).length
    const published = (what: string, admitted: number) =>
      eventually(what, async () => {
        const [row] = await sql`select process_id, at from rate_limit_usage where admitted = ${admitted}`
        return row
      })

    expect(await use(first, 40)).toBe(40)
    const second = await startProcess(settings)
    await published('its first calls', 40)
    expect(await use(first, 5)).toBe(5)
    const { process_id: firstId } = await published('its later calls', 45)
    // The second process sends its heartbeat before it reads, so it has read at its second heartbeat.
    const secondLives = async () => {
      const [row] = await sql`select alive_until from http_processes where id <> ${firstId}`
      return row!.alive_until.getTime() as number
    }
    for (let beats = 0; beats < 2; beats++) {
      const before = await secondLives()
      await eventually('a heartbeat of the second process', async () => (await secondLives()) > before)
    }
    const left = await use(second, 60)
    expect(left).toBeWithin(15, 15 + refilled() + 0.01)
    await published('the calls of the second', left)
    const third = await startProcess(settings)
    expect(left + (await use(third, 60))).toBeLessThanOrEqual(15 + refilled())
    await Promise.all([second.stop(), third.stop()])
    expect(await sql`select 1 from http_processes`).toHaveLength(1)
    await first.stop()
    expect(await sql`select 1 from http_processes`).toHaveLength(0)
    expect(await sql`select 1 from rate_limit_usage`).toHaveLength(0)
  })

  test("log at most ten of a second's 429 responses, and the number of the others", async () => {
    const logged: string[] = []
    const process = await startProcess({ RATE_LIMIT_KEY: '1/5' }, logged, 'info')
    const startedAt = performance.now()
    const statuses = await statusesOf(process, await newKey(), 300)
    const seconds = Math.ceil((performance.now() - startedAt) / 1000) + 1
    expect(statuses.filter(status => status === 429).length).toBeGreaterThan(200)
    const lines = logged.filter(line => line.includes('"status":429')).length
    expect(lines).toBeGreaterThan(0)
    expect(lines).toBeLessThanOrEqual(10 * seconds)
    const others = () =>
      logged.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'further requests got 429') as {
        level: number
        count: number
      }[]
    const limited = statuses.filter(status => status === 429).length
    await eventually('all are counted', () => others().reduce((sum, { count }) => sum + count, lines) === limited)
    expect(others().every(({ level }) => level === 30)).toBe(true)
    expect(others().length).toBeLessThanOrEqual(seconds)
  })

  test('keep limiting separately when the database is unavailable', async () => {
    const logged: string[] = []
    const process = await startProcess({ RATE_LIMIT_KEY: '1/5' }, logged)
    const key = await newKey()
    await world.database.sql`alter table rate_limit_usage rename to away`
    await world.database.sql`alter table http_processes rename to away_too`
    await eventually('an exchange that fails', () => logged.length > 0)
    const statuses = await statusesOf(process, key, 20)
    expect(statuses.filter(isAdmitted).length).toBeLessThanOrEqual(6)
    await world.database.sql`alter table away rename to rate_limit_usage`
    await world.database.sql`alter table away_too rename to http_processes`
  })

  test('write only a heartbeat, once a second, while one runs alone without calls', async () => {
    await startProcess()
    const heartbeats = async () => {
      const [row] = await world.database.sql`select alive_until from http_processes`
      return row!.alive_until.getTime()
    }
    const before = await heartbeats()
    await eventually('a heartbeat', async () => (await heartbeats()) > before)
    expect(await world.database.sql`select 1 from rate_limit_usage`).toHaveLength(0)
  })
})

describe('signing in', () => {
  const signIn = (process: Process, email: string) =>
    fetch(`${process.url}/v1/auth/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'wrong' }),
    })

  test('has at most the configured attempts, with fifty concurrent calls in two processes', async () => {
    const settings = { RATE_LIMIT_SIGN_IN: '4' }
    const [first, second] = [await startProcess(settings), await startProcess(settings)]
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => signIn(i % 2 ? first : second, i % 3 ? 'a@x.example' : 'A@X.example')),
    )
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(4)
    const rejected = replies.filter(({ status }) => status === 429)
    expect(rejected).toHaveLength(46)
    for (const { headers } of rejected) expect(Number(headers.get('retry-after'))).toBeWithin(590, 601)
    expect((await signIn(first, 'b@x.example')).status).toBe(401)
  })

  test('is possible again when the oldest counted attempt is ten minutes old', async () => {
    const process = await startProcess({ RATE_LIMIT_SIGN_IN: '2' })
    const { sql } = world.database
    await sql`delete from sign_in_attempts`
    const statuses = async (n: number) => {
      const seen: number[] = []
      for (let i = 0; i < n; i++) seen.push((await signIn(process, 'c@x.example')).status)
      return seen
    }
    const age = (by: string) => sql`
      update sign_in_attempts set last_at = last_at - ${by}::interval,
        attempts = array(select t - ${by}::interval from unnest(attempts) t)`
    expect(await statuses(1)).toEqual([401])
    await age('5 minutes')
    expect(await statuses(2)).toEqual([401, 429])
    await age('5 minutes')
    expect(await statuses(2)).toEqual([401, 429])
    await prune(sql)
    expect(await sql`select 1 from sign_in_attempts`).toHaveLength(1)
    await age('10 minutes')
    await prune(sql)
    expect(await sql`select 1 from sign_in_attempts`).toHaveLength(0)
  })
})

test('the scheduled task deletes dead processes and inactive callers', async () => {
  const { sql } = world.database
  await sql`insert into http_processes values (uuidv7(), now() - interval '2 minutes'), (uuidv7(), now())`
  await sql`insert into rate_limit_usage (process_id, caller_id, caller_type, admitted, missing, at)
    values (uuidv7(), uuidv7(), 'api_key', 1, 1, now() - interval '11 minutes'), (uuidv7(), uuidv7(), 'api_key', 1, 1, now())`
  await prune(sql)
  expect(await sql`select 1 from http_processes`).toHaveLength(1)
  expect(await sql`select 1 from rate_limit_usage`).toHaveLength(1)
})
