/** Tests of a cell whose database is away: the other cells work on, and it works again when its database is back. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { OutageWatch } from '../../src/app/cells/outage-watch.ts'
import { prepareCell } from '../../src/app/database.ts'
import { createPools } from '../../src/app/pools.ts'
import { connectionsLost } from '../faults/support.ts'
import { startProxy, startSilentServer } from '../platform/postgres/proxy.ts'
import { testDatabase } from '../support/database.ts'
import { endProcesses } from '../support/process.ts'
import { use } from '../support/use.ts'
import { bearer, eventually, makeOwned, newPhone, startWorld, type World } from '../support/world.ts'
import { startCells } from './process.ts'

setDefaultTimeout(60_000)
afterAll(endProcesses)

/** Milliseconds within which a cell must work again. */
const recoveryMs = 10_000

/** Milliseconds that a call of another cell may take meanwhile. */
const maxCallMs = 1000

const event = () => ({ type: 'order.placed', phone: newPhone(), idempotencyKey: crypto.randomUUID() })

type DatabaseProxy = Awaited<ReturnType<typeof startProxy>>

interface TwoCells {
  world: World
  proxy: DatabaseProxy
  /** Headers of an API key, and of the owner, of the workspace in the cell `main`. */
  mainKey: Record<string, string>
  main: Record<string, string>
  mainId: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a world whose workspace is behind a proxy in the cell `b`, with another workspace in `main`. */
const startTwoCells = async (): Promise<TwoCells> => {
  let proxy: DatabaseProxy | null = null
  const world = await startWorld({}, { cellUrl: async url => (proxy = await startProxy(url)).url })
  const email = 'main@shop.example'
  const mainId = await makeOwned(world.directory, 'Main shop', email)
  const body = { email, password: world.owner.password }
  const { token } = await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body })
  const { key } = await world.expect(201, 'POST', '/v1/api-keys', { as: bearer(token), body: { name: 'main' } })
  world.database.expectErrors(...connectionsLost, 'CELL_UNAVAILABLE', 'request failed: {"type":"DatabaseUnresponsive"')
  return {
    world,
    proxy: proxy!,
    mainKey: { 'X-API-Key': key },
    main: bearer(token),
    mainId,
    [Symbol.asyncDispose]: async () => {
      await world.stop()
      await proxy!.stop()
    },
  }
}

/**
 * Sends events to `main`, and asks as its owner, one after the other while `work` runs. Returns the longest duration in
 * milliseconds.
 */
const callMainDuring = async ({ world, mainKey, main }: TwoCells, work: () => Promise<void>): Promise<number> => {
  let isOver = false
  let longest = 0
  const calling = async () => {
    while (!isOver) {
      const startedAt = performance.now()
      await world.expect(201, 'POST', '/v1/events', { as: mainKey, body: event() })
      await world.expect(200, 'GET', '/v1/workspace', { as: main })
      longest = Math.max(longest, performance.now() - startedAt)
    }
  }
  const working = work().finally(() => {
    isOver = true
  })
  await Promise.all([working, calling()])
  return longest
}

interface Outage {
  begin(cells: TwoCells): Promise<void>
  end(cells: TwoCells): Promise<void>
}

const silent = use(startSilentServer)

const outages: Record<string, Outage> = {
  'refuses connections': { begin: ({ proxy }) => proxy.refuse(), end: ({ proxy }) => proxy.accept() },
  'does not answer': {
    begin: async ({ proxy }) => {
      proxy.lead(silent.url)
      proxy.freeze()
    },
    end: async ({ proxy, world }) => {
      proxy.lead(world.database.url)
      proxy.reset()
    },
  },
}

test.each(Object.keys(outages))('while the database of a cell %s, only its workspaces get 503', async name => {
  const outage = outages[name]!
  await using cells = await startTwoCells()
  const { world } = cells
  let acknowledged = 0
  const send = async () => {
    const { status, headers, body } = await world.call('POST', '/v1/events', { as: 'key', body: event() })
    if (status === 201) acknowledged++
    return { status, retryAfter: headers.get('retry-after'), reason: body.error?.details?.reason }
  }
  expect((await send()).status).toBe(201)
  const longest = await callMainDuring(cells, async () => {
    await outage.begin(cells)
    expect(await send()).toMatchObject({ status: 503, retryAfter: '1' })
    // The directory answers for a person, but not for the workspace or what it requires.
    expect((await world.call('GET', '/v1/auth/user')).status).toBe(200)
    expect((await world.call('GET', '/v1/customers')).status).toBe(503)
    const token = { name: 'n', access: 'read' }
    expect((await world.call('POST', '/v1/auth/tokens', { body: token })).status).toBe(503)
    const malformed = { 'X-API-Key': 'short' }
    expect((await world.call('GET', '/v1/customers', { as: malformed })).status).toBe(401)
    const ready = await (await fetch(`${world.url}/readyz?verbose`)).json()
    expect(ready).toMatchObject({ status: 'ready', cells: [{ status: 'ready' }, { cell: 'b', status: 'not ready' }] })
  })
  expect(longest).toBeLessThan(maxCallMs)
  await outage.end(cells)
  await eventually('the cell works again', async () => (await send()).status === 201, recoveryMs)
  const [stored] = await world.database.sql`select count(*)::integer as count from events`
  expect(stored!.count).toBe(acknowledged)
})

test('a call does not wait for a silent cell with another workspace of the person', async () => {
  await using cells = await startTwoCells()
  const { world, proxy, main, mainId } = cells
  await world.directory`
    insert into members (workspace_id, user_id, role, joined_at)
    select ${world.workspaceId}, user_id, 'owner', now() + interval '1 second' from members where workspace_id = ${mainId}`
  const named = { ...main, 'X-Workspace-Id': mainId }
  const ids = (await world.expect(200, 'GET', '/v1/auth/workspaces', { as: named })).data.map(
    ({ id }: { id: string }) => id,
  )
  expect(ids).toEqual([mainId, world.workspaceId])
  const created = await world.expect(201, 'POST', '/v1/auth/tokens', { body: { name: 'script', access: 'write' } })
  const token = bearer(created.token)
  const cookie = {
    Cookie: `session=${main.Authorization!.slice('Bearer '.length)}`,
    'X-Workspace-Id': world.workspaceId,
  }
  proxy.pause()
  for (const as of [named, main]) {
    const startedAt = performance.now()
    await world.expect(200, 'GET', '/v1/customers', { as })
    await world.expect(200, 'GET', '/v1/auth/session', { as })
    await world.expect(200, 'GET', '/v1/auth/user', { as })
    expect(performance.now() - startedAt).toBeLessThan(500)
  }
  // Calls that are rejected without the workspace do not wait for it either.
  const startedAt = performance.now()
  await world.expect(404, 'GET', '/v1/customers', { as: { ...token, 'X-Workspace-Id': mainId } })
  await world.expect(403, 'GET', '/v1/auth/user', { as: token })
  await world.expect(403, 'POST', '/v1/auth/sign-out', { as: cookie })
  expect(performance.now() - startedAt).toBeLessThan(500)
  proxy.resume()
  proxy.reset()
})

test('the service starts without a cell, which works once its database is back', async () => {
  await using cells = await startTwoCells()
  const { world, proxy, mainKey } = cells
  await proxy.refuse()
  await world.restart()
  await world.expect(201, 'POST', '/v1/events', { as: mainKey, body: event() })
  expect((await world.call('POST', '/v1/events', { as: 'key', body: event() })).status).toBe(503)
  await proxy.accept()
  await eventually(
    'the cell works',
    async () => (await world.call('POST', '/v1/events', { as: 'key', body: event() })).status === 201,
    recoveryMs,
  )
})

test('a cell is not away while all connections of one purpose wait', async () => {
  const database = await testDatabase()
  const pools = createPools(database.url)
  const watch = new OutageWatch(pools)
  let wasAway = false
  const watching = setInterval(() => {
    wasAway ||= watch.isAway
  }, 10)
  await watch.start()
  await Promise.all(Array.from({ length: 3 * pools.sizes.vital }, () => pools.vital`select pg_sleep(2.5)`))
  clearInterval(watching)
  expect(wasAway).toBe(false)
  await watch.stop()
  await pools.service.stop(AbortSignal.timeout(1000))
  await database.drop()
})

test('a cell is away while its database rejects connections by its configuration', async () => {
  const [database, other] = [await testDatabase(), await testDatabase()]
  database.expectErrors('55000', '57P01')
  const name = new URL(database.url).pathname.slice(1)
  const accept = (isAccepted: boolean) =>
    other.sql.unsafe(`alter database "${name}" with allow_connections ${isAccepted}`)
  const pools = createPools(database.url)
  const watch = new OutageWatch(pools)
  await watch.start()
  await accept(false)
  await other.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  await eventually('the cell is away', async () => watch.isAway)
  await accept(true)
  await eventually('the cell works', async () => !watch.isAway)
  await watch.stop()
  await pools.service.stop(AbortSignal.timeout(1000))
  await database.drop()
  await other.drop()
})

test('a cell that is the database of the directory is refused', async () => {
  const database = await testDatabase()
  const cell = { name: 'b', url: `${database.url}?sslmode=disable` }
  await expect(prepareCell(cell, database.sql)).rejects.toThrow(
    'The cell "b" in CELLS is the database of DATABASE_URL.',
  )
  await database.drop()
})

test('a process is ready while one of its cells is, and its metrics and "verbose" name the one that is away', async () => {
  await using cells = await startCells()
  const { send, proxies, callers } = cells
  const readiness = async (path = '/readyz') => {
    const response = await send('GET', path, {})
    return { code: response.status, ...(await response.json()) }
  }
  const record = () => send('POST', '/v1/events', callers.b.key, event())
  const signIn = () => send('POST', '/v1/auth/sign-in', {}, { email: 'b@shop.example', password: 'wrong' })
  const untilAway = (cell: string) =>
    eventually(`${cell} is away`, async () => {
      const { cells: states } = await readiness('/readyz?verbose')
      return states.some((one: { cell: string; status: string }) => one.cell === cell && one.status === 'not ready')
    })
  expect(await readiness()).toEqual({ code: 200, status: 'ready' })
  await proxies.main.refuse()
  await untilAway('main')
  expect((await record()).status).toBe(201)
  expect(await readiness()).toEqual({ code: 200, status: 'ready' })
  expect(await readiness('/readyz?verbose')).toMatchObject({
    code: 200,
    cells: [
      { cell: 'main', status: 'not ready' },
      { cell: 'b', status: 'ready' },
    ],
  })
  const rejected = await signIn()
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1'])
  const metrics = await (await send('GET', '/metrics', {})).text()
  for (const line of ['engagement_cell_ready{cell="main"} 0', 'engagement_cell_ready{cell="b"} 1'])
    expect(metrics.split('\n')).toContain(line)
  await proxies.b.refuse()
  await untilAway('b')
  expect(await readiness()).toMatchObject({ code: 503, status: 'not ready' })
  await proxies.main.accept()
  await eventually('the process is ready', async () => (await readiness()).code === 200, recoveryMs)
  expect((await signIn()).status).toBe(401)
  await proxies.b.accept()
  await eventually('the cell works', async () => (await record()).status === 201, recoveryMs)
})

test('while the directory is away, events with a key of another cell are accepted, and people get 503', async () => {
  const proxy = await startProxy('postgres://127.0.0.1:1/nowhere')
  const throughProxy = (url: string) => {
    proxy.lead(url)
    const near = new URL(url)
    near.host = new URL(proxy.url).host
    return createPools(near.href)
  }
  const world = await startWorld({}, { pools: throughProxy, cellUrl: async url => url })
  world.database.expectErrors(...connectionsLost, 'CELL_UNAVAILABLE')
  await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event() })
  await proxy.refuse()
  await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event() })
  expect((await world.call('GET', '/v1/workspace')).status).toBe(503)
  await proxy.accept()
  await eventually(
    'people are served',
    async () => (await world.call('GET', '/v1/workspace')).status === 200,
    recoveryMs,
  )
  await world.stop()
  await proxy.stop()
})
