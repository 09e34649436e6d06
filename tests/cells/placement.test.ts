/** Tests of cells that appear, move and disappear while a process runs, and of what follows a move. No Citus is needed. */
import { afterEach, expect, test } from 'bun:test'
import postgres from 'postgres'
import type { CellCallbacks, FurtherCell } from '../../src/app/cells/further-cell.ts'
import { FurtherCells } from '../../src/app/cells/further-cells.ts'
import { LinkedCells } from '../../src/app/cells/link.ts'
import { createPools } from '../../src/app/pools.ts'
import type { CellConfig } from '../../src/config.ts'
import { CellUnavailable, cellOf } from '../../src/platform/postgres/cells.ts'
import { expectMoves, isConnectionError, isMoved } from '../../src/platform/postgres/client.ts'
import { checkIdentity, findOtherIdentity, hasIdentity, storeMovedIdentity } from '../../src/queue/hold/index.ts'
import { enqueue, enqueueMoved, selectOpenTasks } from '../../src/queue/tasks.ts'
import { newWorkspace, useDatabase } from '../support/database.ts'
import { eventually } from '../support/world.ts'

const [one, two, directory] = [useDatabase(), useDatabase(), useDatabase()]

const at = (name: string, url: string): CellConfig => ({ name, url })
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } as never

const open: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop()
})

/** Runs cells whose places are set by the test. Records what happens to them. */
const runCells = (first: CellConfig[]) => {
  const happened: string[] = []
  let [isMainHeld, isHeld] = [false, false]
  const linked = new LinkedCells()
  const main = createPools(directory.url)
  linked.add('main', main, () => isMainHeld)
  let found: () => CellConfig[] = () => first
  let failures = 0
  let callbacks: CellCallbacks = { onFailure: () => {}, onMoved: () => {}, onStarted: () => {}, others: () => [] }
  let readings = 0
  const cells = new FurtherCells({
    create: ({ name, url }, created) => {
      const pools = createPools(url)
      callbacks = created
      const note = (what: string) => async () => void happened.push(`${what} ${name} at ${url === one.url ? 1 : 2}`)
      let api: object | null = null
      return {
        name,
        url,
        pools,
        get api() {
          return api
        },
        get isHeld() {
          return isHeld
        },
        start: async () => {
          await note('start')()
          api = {}
          created.onStarted()
        },
        stop: () => pools.service.stop(AbortSignal.abort()),
        retire: async () => {
          api = null
          await note('retire')()
          await pools.service.stop(AbortSignal.abort())
        },
      } as unknown as FurtherCell
    },
    linked,
    cells: [],
    find: async () => {
      readings++
      return found()
    },
    log,
  })
  open.push({
    stop: async () => {
      await cells.stop(AbortSignal.abort())
      await main.service.stop(AbortSignal.abort())
    },
  })
  return {
    cells,
    main,
    happened,
    locator: linked.locator,
    hold: (main: boolean, further: boolean) => {
      ;[isMainHeld, isHeld] = [main, further]
    },
    readings: () => readings,
    move: (...to: CellConfig[]) => {
      found = () => to
    },
    failedToFind: () => failures,
    failToFind: () => {
      found = () => {
        failures++
        throw new CellUnavailable()
      }
    },
    fail: (error: unknown) => callbacks.onFailure(error),
    rejectWrite: () => callbacks.onMoved(),
  }
}

const guardError = new postgres.PostgresError({ code: 'CES01', message: 'The cell is on another node.' } as never)

test('a call that meets the guard makes the process connect to the new node of the cell', async () => {
  const run = runCells([at('b', one.url)])
  await run.cells.start()
  const id = await newWorkspace(two.sql)
  expect(await cellOf(run.main.recording, id)).toBe(run.main.recording)
  run.move(at('b', two.url))
  run.fail(guardError)
  await eventually('the cell has moved', () => run.happened.length === 3, 1500)
  expect(run.happened).toEqual(['start b at 1', 'retire b at 1', 'start b at 2'])
  expect(await cellOf(run.main.recording, id)).toBe(run.cells.find('b')!.pools.recording)
})

test('a write that meets the guard stops the cell immediately, also for a move back to the same node', async () => {
  const run = runCells([at('b', one.url)])
  await run.cells.start()
  run.failToFind()
  for (let n = 0; n < 3; n++) run.rejectWrite()
  expect(run.happened).toEqual(['start b at 1', 'retire b at 1'])
  run.move(at('b', one.url))
  await eventually('the cell works again', () => run.happened.length === 3)
  run.rejectWrite()
  run.move(at('b', two.url))
  await eventually('the cell has moved', () => run.happened.length === 5, 1500)
  expect(run.happened.slice(2)).toEqual(['start b at 1', 'retire b at 1', 'start b at 2'])
})

test('new cells are started and removed ones stopped, also without a call', async () => {
  const run = runCells([at('b', one.url)])
  await run.cells.start()
  run.move(at('b', one.url), at('c', two.url))
  await eventually('the cell is found', () => run.cells.find('c'))
  run.move(at('c', two.url))
  await eventually('the cell is gone', () => run.cells.find('b') === undefined)
  expect(run.happened).toEqual(['start b at 1', 'start c at 2', 'retire b at 1'])
})

test('cells stay while no node says where they are', async () => {
  const run = runCells([at('b', one.url)])
  await run.cells.start()
  run.failToFind()
  run.fail(guardError)
  await eventually('the nodes are asked twice', () => run.failedToFind() >= 2)
  expect(run.cells.all.map(({ name }) => name)).toEqual(['b'])
  run.move(at('b', two.url))
  await eventually('the cell has moved', () => run.cells.find('b')!.url === two.url)
})

test('the process does not start if the database cannot say where the cells are', async () => {
  const run = runCells([])
  run.failToFind()
  await expect(run.cells.start()).rejects.toThrow(CellUnavailable)
})

test('calls of a cell that moves wait until it works, and are rejected after five seconds', async () => {
  const run = runCells([at('b', one.url)])
  await run.cells.start()
  expect(await run.cells.findWorking('b')).toBe(run.cells.find('b')!)
  expect(await run.cells.findWorking('main')).toBeUndefined()
  run.failToFind()
  run.rejectWrite()
  const calls = Array.from({ length: 1100 }, () => run.cells.findWorking('b').catch((error: unknown) => error))
  run.move(at('b', two.url))
  const found = await Promise.all(calls)
  expect(new Set(found.slice(0, 1024))).toEqual(new Set([run.cells.find('b')!]))
  expect(found.slice(1024).every(error => error instanceof CellUnavailable)).toBe(true)
  expect(run.cells.find('b')!.url).toBe(two.url)
  run.failToFind()
  run.rejectWrite()
  const startedAt = performance.now()
  await expect(run.cells.findWorking('b')).rejects.toThrow(CellUnavailable)
  expect(performance.now() - startedAt).toBeWithin(4900, 6000)
  await expect(run.cells.findWorking('b')).rejects.toThrow(CellUnavailable)
  expect(performance.now() - startedAt).toBeLessThan(6000)
})

test('a record that no known cell has is looked for in cells that were created until then', async () => {
  const run = runCells([at('b', one.url)])
  await run.cells.start()
  run.move(at('b', one.url), at('c', two.url))
  expect(await run.locator.find('workspace', await newWorkspace(two.sql))).toBe('c')
  const before = run.readings()
  const startedAt = performance.now()
  for (let n = 0; n < 3; n++) {
    const unknown = Array.from({ length: 50 }, () => run.locator.find('workspace', crypto.randomUUID()))
    expect(new Set(await Promise.all(unknown))).toEqual(new Set([null]))
  }
  expect(run.readings() - before).toBe(3)
  expect(performance.now() - startedAt).toBeWithin(2500, 4500)
  run.failToFind()
  await expect(run.locator.find('workspace', crypto.randomUUID())).rejects.toThrow(CellUnavailable)
  const waiting = run.locator.find('workspace', crypto.randomUUID()).catch((error: unknown) => error)
  await run.cells.stop(AbortSignal.abort())
  expect(await waiting).toBeInstanceOf(CellUnavailable)
})

test('a workspace that a restored cell has too is only in the other cell, and calls are rejected if both are restored', async () => {
  const find = async (main: boolean, further: boolean, id: string) => {
    const run = runCells([at('b', one.url)])
    await run.cells.start()
    run.hold(main, further)
    const rejections: string[] = []
    run.locator.onSeveralCells = ({ message }) => rejections.push(message)
    const places = new Set<string | null>()
    for (let n = 0; n < 20; n++) {
      run.locator.forget('workspace', id)
      places.add(await run.locator.find('workspace', id).catch((error: Error) => error.message))
    }
    const found = Array.from({ length: 20 }, () => run.locator.find('workspace', id).catch(() => null))
    expect(new Set(await Promise.all(found)).size).toBe(1)
    return { places: [...places], rejections: new Set(rejections).size }
  }
  const id = await newWorkspace(one.sql)
  await newWorkspace(directory.sql, id)
  // The cell that answers later has the workspace, whichever it is.
  expect(await find(true, false, id)).toEqual({ places: ['b'], rejections: 0 })
  expect(await find(false, true, id)).toEqual({ places: ['main'], rejections: 0 })
  const several =
    'Several cells have the same workspace: "b", "main". See "Restore a cell after a move" in docs/scaling.md.'
  expect(await find(true, true, id)).toEqual({ places: [several], rejections: 1 })
  // A restored cell that alone has a workspace is found.
  expect(await find(true, true, await newWorkspace(one.sql))).toEqual({ places: ['b'], rejections: 0 })
})

test('a missing table counts as a connection error only if cells can move', async () => {
  const missing = new postgres.PostgresError({ code: '42P01', message: 'relation "events" does not exist' } as never)
  expect([isConnectionError(guardError), isConnectionError(missing), isMoved(missing)]).toEqual([true, false, true])
  expectMoves(true)
  expect(isConnectionError(missing)).toBe(true)
  expectMoves(false)
})

test('tasks are copied with their keys, and a later task of the same key stays', async () => {
  const id = await newWorkspace(one.sql)
  const payload = (userId: string) => ({ workspaceId: id, userId })
  await enqueue(one.sql, 'release_conversations', payload('old'), 'both', 60_000)
  await enqueue(one.sql, 'release_conversations', payload('only'), 'first', 60_000, 'queue')
  await enqueue(one.sql, 'release_conversations', payload('failed'), 'failed')
  await one.sql`update graphile_worker._private_jobs set attempts = max_attempts where key = 'failed'`
  await one.sql`select graphile_worker.add_job('prune')`
  await enqueue(two.sql, 'release_conversations', payload('new'), 'both', 90_000)
  const tasks = await selectOpenTasks(one.sql, '0', 100)
  expect(tasks).toHaveLength(3)
  await enqueueMoved(two.sql, tasks)
  await enqueueMoved(two.sql, tasks)
  const jobs = await two.sql`
    select j.key, p.payload ->> 'userId' as user, j.queue_name as queue, j.run_at > now() + interval '50 seconds' as later
    from graphile_worker.jobs j join graphile_worker._private_jobs p using (id) order by j.id`
  expect(jobs).toEqual([
    { key: 'both', user: 'new', queue: null, later: true },
    { key: 'first', user: 'only', queue: 'queue', later: true },
    { key: expect.stringMatching(/^moved:\d+$/), user: null, queue: null, later: false },
  ] as never)
})

test('a cell that has moved is not held, and its stream continues', async () => {
  const readable = { systemIdentifier: true, timeline: true }
  await checkIdentity(one.sql, { readable, lastHeartbeatMs: null })
  expect(await findOtherIdentity(one.sql)).toBeNull()
  // The row as it arrives from another server.
  await one.sql`update service_identity set system_identifier = '1', stream_epoch = 7`
  const identities = (await findOtherIdentity(one.sql))!
  expect(identities.stored.systemIdentifier).toBe('1')
  expect(await hasIdentity(two.sql, identities.stored)).toBe(false)
  await storeMovedIdentity(one.sql, { ...identities, raise: 5_000_000_000n })
  expect(await findOtherIdentity(one.sql)).toBeNull()
  expect((await checkIdentity(one.sql, { readable, lastHeartbeatMs: null })).hold).toBeNull()
  await storeMovedIdentity(one.sql, { ...identities, raise: 5n })
  expect(await one.sql`select stream_epoch as epoch, stream_offset as offset from service_identity`).toEqual([
    { epoch: 7, offset: 5_000_000_005 },
  ] as never)
})
