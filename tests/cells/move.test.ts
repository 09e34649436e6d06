/** Tests of `workspace move`: the workspace moves to another database while callers, workers and receivers go on. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database, isServerFailure } from '../../src/platform/postgres/client.ts'
import { cancelMove, deleteAbandonedChanges, moveWorkspace } from '../../src/privacy/workspaces/index.ts'
import { withTransferLock } from '../../src/privacy/workspaces/lock.ts'
import { movedTables } from '../../src/privacy/workspaces/move-copy.ts'
import {
  awaitWriters,
  insertMove,
  limitTimes,
  moveApplication,
  watchTable,
} from '../../src/privacy/workspaces/move-sql.ts'
import { enqueue } from '../../src/queue/tasks.ts'
import { runCommand } from '../support/command.ts'
import { newWorkspace, openTransaction, useDatabase } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { readStream } from '../support/stream.ts'
import { use } from '../support/use.ts'
import { bearer, eventually, newPhone, startWorld, type World } from '../support/world.ts'

setDefaultTimeout(200_000)

/** Longest time in milliseconds for which the call of a caller that repeats it may be refused. */
const maxPauseMs = 2000

/** Longest time in milliseconds of a call while a trigger cannot be dropped. */
const maxTableWaitMs = 600

interface MoveWorld {
  world: World
  receiver: Receiver
  /** Environment of the commands and of other processes. */
  settings: Record<string, string>
  databases: Record<'main' | 'b', Database>
  stop(): Promise<void>
}

/** Returns a world whose workspace begins in the cell `b`. The tests of a `describe` share it. */
const useMoveWorld = (): MoveWorld =>
  use(async () => {
    const receiver = await startReceiver()
    const world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }, { cellUrl: async url => url })
    // Attempts to lock a table or a row end, and the transactions of callers that a move closes are rejected.
    world.database.expectErrors('40MOV', '55P03')
    return {
      world,
      receiver,
      settings: {
        DATABASE_URL: world.directoryUrl,
        CELLS: `b=${world.database.url}`,
        WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
      },
      databases: { main: world.directory, b: world.database.sql },
      stop: async () => {
        await Promise.all(loads.splice(0).map(load => load.stop()))
        await endProcesses()
        await world.stop()
        await receiver.stop()
      },
    }
  })

const maxCallers = 8

/** Callers that a test has started. */
const loads: Load[] = []

/** Creates a workflow whose messages cause webhooks. */
const prepare = async ({ world, receiver }: MoveWorld) => {
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  await world.sandbox()
  await world.workflow({
    trigger: { eventType: 'cart.abandoned' },
    start: 'greet',
    steps: { greet: { type: 'send_message', text: 'Hello', next: null } },
  })
}

interface Load {
  acknowledged: string[]
  /** Longest time in milliseconds from the start of a refused call to the success of a repetition. */
  longestRefusalMs: number
  /** Answers other than 201 and 503. */
  faults: string[]
  stop(): Promise<void>
}

/** Sends up to `perSecond` events from several callers, and repeats each call that is refused. */
const startLoad = (world: World, urls: readonly string[], perSecond: number): Load => {
  const load = { acknowledged: [] as string[], longestRefusalMs: 0, faults: [] as string[] }
  let isOver = false
  const send = async (url: string) => {
    const idempotencyKey = crypto.randomUUID()
    const body = JSON.stringify({ type: 'cart.abandoned', phone: newPhone(), idempotencyKey })
    const headers = { 'X-API-Key': world.key.value, 'Content-Type': 'application/json' }
    const startedAt = performance.now()
    for (let wasRefused = false; ; ) {
      const response = await fetch(`${url}/v1/events`, { method: 'POST', headers, body })
      const text = await response.text()
      if (response.status === 201 || response.status === 200) {
        load.acknowledged.push(idempotencyKey)
        if (wasRefused) load.longestRefusalMs = Math.max(load.longestRefusalMs, performance.now() - startedAt)
        return
      }
      wasRefused = true
      if (response.status !== 503 || response.headers.get('retry-after') !== '1')
        load.faults.push(`${response.status} ${text}`)
      await sleep(50)
    }
  }
  const callers = Array.from({ length: maxCallers }, async (_, n) => {
    for (; !isOver; await sleep((maxCallers / perSecond) * 1000)) await send(urls[n % urls.length]!)
  })
  const started = Object.assign(load, {
    stop: async () => {
      isOver = true
      await Promise.all(callers)
    },
  })
  loads.push(started)
  return started
}

/** The command as a separate process. */
const startMove = (moved: MoveWorld, cell: string) => startCommand(moved, '--cell', cell)

const startCommand = ({ settings, world }: MoveWorld, ...options: string[]) => {
  const args = ['src/main.ts', 'workspace', 'move', '--workspace', world.workspaceId, ...options, '--json']
  const { PATH = '', HOME = '' } = process.env
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { PATH, HOME, ...settings },
  })
  let [out, progress] = ['', '']
  child.stdout!.on('data', data => {
    out += data
  })
  child.stderr!.on('data', data => {
    progress += data
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    progress: () => progress,
    reaches: (text: string) =>
      eventually(`the move prints "${text}"`, () => progress.includes(text) || child.exitCode !== null, 60_000),
    kill: async () => {
      process.kill(child.pid!, 'SIGKILL')
      await ended
    },
    ended: async () => {
      expect({ status: await ended, progress }).toMatchObject({ status: 0 })
      return JSON.parse(out) as {
        from: string
        to: string
        rows: Record<string, number> | null
        closedMs: number | null
        cancelled?: boolean
      }
    },
  }
}

/** The command in this process, with its connections. `onProgress` is called with each sentence. */
const moveHere = async (
  { settings, world }: MoveWorld,
  to: string,
  { onProgress = () => {}, graceMs = 0 }: { onProgress?: (text: string) => void; graceMs?: number } = {},
) => {
  const open = (url: string) => connect({ url, applicationName: moveApplication, max: 4 })
  const cells = [
    { name: 'main', sql: open(settings.DATABASE_URL!) },
    { name: 'b', sql: open(world.database.url) },
  ]
  try {
    return await moveWorkspace(to, { workspaceId: world.workspaceId, cells, onProgress, graceMs })
  } finally {
    await Promise.all(cells.map(({ sql }) => sql.end()))
  }
}

const command = async ({ settings, world }: MoveWorld, ...args: string[]) =>
  runCommand(['workspace', 'move', '--workspace', world.workspaceId, ...args], settings)

/** Returns why the workspace is closed in each database. */
const statesOf = async ({ databases: { main, b } }: MoveWorld) => {
  const stateIn = async (sql: Database) =>
    (await sql<{ state: string | null }[]>`select closed_for as state from workspaces`)[0]?.state
  return { main: await stateIn(main), b: await stateIn(b) }
}

/** Waits until all webhooks are delivered, and compares what is stored with what was acknowledged. */
const expectComplete = async ({ world, receiver, databases, settings }: MoveWorld, cell: 'main' | 'b', load: Load) => {
  const sql = databases[cell]
  const { workspaceId } = world
  const stored = await sql<{ key: string }[]>`
    select idempotency_key as key from events where workspace_id = ${workspaceId} and type = 'cart.abandoned'`
  const keys = new Set(stored.map(({ key }) => key))
  expect(load.acknowledged.filter(key => !keys.has(key))).toEqual([])
  expect(stored).toHaveLength(keys.size)
  let owedNow: object = {}
  await eventually(
    'all webhooks are delivered',
    async () => {
      const [row] = await sql<Record<string, number>[]>`
        select (select count(*) from deliveries where workspace_id = ${workspaceId} and status <> 'delivered')::integer as deliveries,
          (select count(*) from outbound_events where workspace_id = ${workspaceId} and fanned_out_at is null)::integer as events,
          (select count(*) from messages where workspace_id = ${workspaceId} and status in ('queued', 'sent', 'unknown'))::integer as messages,
          (select count(*) from workflow_runs where workspace_id = ${workspaceId} and status = 'active')::integer as runs`
      owedNow = row!
      return Object.values(row!).every(count => count === 0)
    },
    60_000,
  ).catch(error => {
    throw new Error(`${error}: ${JSON.stringify(owedNow)}`)
  })
  const owed = await sql<{ id: string }[]>`
    select id from outbound_events where workspace_id = ${workspaceId} and type = 'message.status'`
  const received = new Set(receiver.requests.map(({ body }) => (JSON.parse(body) as { id: string }).id))
  expect(owed.filter(({ id }) => !received.has(id))).toEqual([])
  expect(owed.length).toBe(stored.length)
  const [messages] = await sql<{ count: number }[]>`
    select count(*)::integer as count from messages where workspace_id = ${workspaceId}`
  expect(messages!.count).toBe(stored.length)
  const report = await runCommand(['verify', '--workspace', workspaceId, '--json'], settings)
  expect(JSON.parse(report.out)).toMatchObject({ balanced: true, workspaces: 1 })
}

/** Returns the tables of a database that have rows of the workspace, without its audit log. */
const tablesWithRows = async (sql: Database, workspaceId: string): Promise<string[]> => {
  const found: string[] = []
  for (const name of [...movedTables.map(table => table.name), 'workspace_moves', 'workspace_move_changes']) {
    if (name === 'audit_entries') continue
    const rows = await sql`select 1 from ${sql(name)} where workspace_id = ${workspaceId} limit 1`
    if (rows.length > 0) found.push(name)
  }
  return found
}

const expectCleared = async ({ world, databases }: MoveWorld, cell: 'main' | 'b') => {
  const sql = databases[cell]
  expect(await tablesWithRows(sql, world.workspaceId)).toEqual([])
  expect(await sql`select 1 from workspaces where id = ${world.workspaceId}`).toHaveLength(0)
  expect(await triggersOf(sql)).toHaveLength(0)
}

const expectAudited = async ({ world }: MoveWorld, detail: { from: string; to: string }) =>
  expect((await world.expect(200, 'GET', '/v1/audit?limit=100')).data).toContainEqual(
    expect.objectContaining({ action: 'moveWorkspace', detail }),
  )

/** Returns in how many days a task is due, or null if it does not exist. */
const daysUntil = async (sql: Database, key: string): Promise<number | null> => {
  const [row] = await sql<{ days: number }[]>`
    select (extract(epoch from run_at - now()) / 86400)::double precision as days from graphile_worker.jobs where key = ${key}`
  return row?.days ?? null
}

const triggersOf = (sql: Database) => sql`select tgname from pg_trigger where tgname like 'move\\_%'`

describe('under load', () => {
  const moved = useMoveWorld()

  test('a move continues when it is repeated after a kill at any point, and after a switch that failed', async () => {
    const { world, databases } = moved
    const { workspaceId } = world
    await prepare(moved)
    const load = startLoad(world, [world.url], 40)
    await eventually('the load has begun', () => load.acknowledged.length > 100)
    for (const step of ['Copying', 'Comparing', 'Waiting']) {
      const move = startMove(moved, 'main')
      await move.reaches(step)
      await move.kill()
      expect(await statesOf(moved)).toEqual({ main: 'copy', b: null })
    }
    await enqueue(databases.b, 'erase_traces', { workspaceId, customerId: crypto.randomUUID() }, 'late', 86_400_000)
    // The command cannot open the workspace while its row in the target is locked.
    const lockTarget = () => openTransaction(databases.main, tx => tx`select 1 from workspaces for no key update`)
    const switching = startMove(moved, 'main')
    await switching.reaches('Waiting')
    const unlock = await lockTarget()
    await eventually('the workspace is closed', async () => (await statesOf(moved)).b === 'move', 60_000)
    await switching.kill()
    await unlock()
    expect(await statesOf(moved)).toEqual({ main: 'copy', b: 'move' })
    // No process starts a task of the closed workspace.
    expect(await daysUntil(databases.b, 'late')).toBeGreaterThan(36_500)
    const clearing = startMove(moved, 'main')
    await clearing.reaches('Waiting')
    expect(await daysUntil(databases.b, 'late')).toBeCloseTo(1, 1)
    const unlockAgain = await lockTarget()
    await clearing.reaches('The workspace is closed. It is opened again')
    expect(await statesOf(moved)).toEqual({ main: 'copy', b: 'move' })
    expect(await daysUntil(databases.b, 'late')).toBeGreaterThan(36_500)
    await unlockAgain()
    await eventually('the workspace is open', async () => (await statesOf(moved)).b === null)
    expect(await daysUntil(databases.b, 'late')).toBeCloseTo(1, 1)
    await world.expect(201, 'POST', '/v1/customers', { as: 'key', body: { phone: newPhone() } })
    await clearing.reaches('Deleting')
    await clearing.kill()
    expect(await statesOf(moved)).toEqual({ main: null, b: 'copy' })
    // As if the last command had been killed directly after it opened the workspace in the target.
    await databases.b`update workspaces set closed_for = 'move' where id = ${workspaceId}`
    expect(await daysUntil(databases.main, 'late')).toBeCloseTo(1, 1)
    expect(await daysUntil(databases.b, 'late')).toBeNull()
    const result = await startMove(moved, 'main').ended()
    expect(result).toMatchObject({ from: 'b', to: 'main', rows: null })
    await load.stop()
    expect(load.faults).toEqual([])
    await expectComplete(moved, 'main', load)
    await expectCleared(moved, 'b')
    await expectAudited(moved, { from: 'b', to: 'main' })
  })

  test('a workspace moves back without a lost event, message or webhook, although a long transaction delays the switch', async () => {
    const { world, databases, settings } = moved
    const other = await startProcess(settings)
    const stream = await readStream(world.url, bearer(world.owner.token))
    const load = startLoad(world, [world.url, other.url], 100)
    await eventually('the load has begun', () => load.acknowledged.length > 100)
    let progress = ''
    const reaches = (text: string) =>
      eventually(`the move prints "${text}"`, () => progress.includes(text) || isOver, 60_000)
    let isOver = false
    const move = moveHere(moved, 'b', {
      onProgress: text => {
        progress += `${text}\n`
      },
      graceMs: 5000,
    }).finally(() => {
      isOver = true
    })
    await reaches('Comparing')
    const commit = await openTransaction(databases.main, async tx => {
      await tx`insert into opt_out_words (workspace_id, words) values (${world.workspaceId}, '{stop}')`
    })
    await reaches('Waiting')
    await eventually('a call was refused', () => load.longestRefusalMs > 0, 60_000)
    await commit()
    await reaches('is in "b"')
    const before = load.acknowledged.length
    await eventually('calls succeed after the switch', () => load.acknowledged.length > before + 100)
    await load.stop()
    const result = await move
    expect(load.faults).toEqual([])
    expect(result).toMatchObject({ from: 'main', to: 'b' })
    expect(load.longestRefusalMs).toBeLessThan(maxPauseMs)
    expect(await databases.b`select words from opt_out_words`).toMatchObject([{ words: ['stop'] }])
    await expectComplete(moved, 'b', load)
    await expectCleared(moved, 'main')
    await expectAudited(moved, { from: 'main', to: 'b' })
    await eventually('the stream of the first cell has ended', () => stream.ended(), 15_000)
  })
})

describe('without load', () => {
  const moved = useMoveWorld()

  test('a move that is cancelled leaves nothing in the target, and the workspace works', async () => {
    const { world, databases, settings } = moved
    await prepare(moved)
    expect(await command(moved, '--cancel')).toMatchObject({
      status: 1,
      error: `The workspace ${world.workspaceId} is not being moved.`,
    })
    const startAndKill = async () => {
      const move = startMove(moved, 'main')
      await move.reaches('Comparing')
      await move.kill()
    }
    await startAndKill()
    // The target does not respond.
    const cells = [{ name: 'b', sql: databases.b }]
    expect(await cancelMove({ workspaceId: world.workspaceId, cells, onProgress: () => {} })).toEqual({
      from: 'b',
      to: 'main',
      keepsCopy: true,
    })
    expect(await triggersOf(databases.b)).toHaveLength(0)
    expect(await statesOf(moved)).toEqual({ main: 'copy', b: null })
    expect(await command(moved, '--cancel')).toMatchObject({ status: 0 })
    await expectCleared(moved, 'main')
    await startAndKill()
    const list = await runCommand(['workspace', 'list', '--json'], settings)
    expect(
      list.out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toMatchObject([
      { cell: 'main', closedFor: 'copy' },
      { cell: 'b', closedFor: null },
    ])
    expect(await runCommand(['workspace', 'delete', world.workspaceId, '--yes'], settings)).toMatchObject({
      status: 1,
      error: `The workspace ${world.workspaceId} is being moved. End it with "workspace move --cancel".`,
    })
    // As during a backup, which reads every table in one transaction.
    const endBackup = await openTransaction(databases.b, tx => tx`select 1 from customers limit 1`)
    const cancelling = startCommand(moved, '--cancel')
    await cancelling.reaches('Waiting for a lock on the table customers.')
    for (let n = 0; n < 50; n++) {
      const startedAt = performance.now()
      await world.expect(201, 'POST', '/v1/customers', { as: 'key', body: { phone: newPhone() } })
      expect(performance.now() - startedAt).toBeLessThan(maxTableWaitMs)
      await sleep(50)
    }
    await endBackup()
    expect(await cancelling.ended()).toMatchObject({ cell: 'b', cancelled: true })
    await expectCleared(moved, 'main')
    expect(await triggersOf(databases.b)).toHaveLength(0)
    await world.expect(201, 'POST', '/v1/customers', { as: 'key', body: { phone: newPhone() } })
    expect((await world.expect(200, 'GET', '/v1/workspace')).name).toBe('Shop')
  })

  test('a move is refused with one sentence, and the workspace is not switched if rows differ', async () => {
    const { world, databases } = moved
    const { workspaceId } = world
    expect(await command(moved, '--cell', 'b')).toMatchObject({
      status: 1,
      error: `The workspace ${workspaceId} is in the cell "b" already.`,
    })
    expect(await command(moved, '--cell', 'c')).toMatchObject({
      status: 1,
      error: 'There is no cell "c". The cells are main, b.',
    })
    expect((await command(moved)).error).toStartWith('Either --cell or --cancel is required.')
    const { id } = await world.expect(201, 'POST', '/v1/customers', {
      as: 'key',
      body: { phone: newPhone(), name: 'Kim' },
    })
    await databases.main`
    create function spoil() returns trigger language plpgsql as $$ begin new.name := 'Other'; return new; end $$`
    await databases.main`create trigger spoil before insert or update on customers for each row execute function spoil()`
    const refused = await command(moved, '--cell', 'main')
    expect(refused.status).toBe(1)
    expect(refused.error).toEndWith(
      'The rows of customers in the target differ from those of the workspace. It was not moved.',
    )
    expect((await world.expect(200, 'GET', `/v1/customers/${id}`, { as: 'key' })).name).toBe('Kim')
    // As if the target had been restored from a backup in which it had the workspace.
    await databases.main`update workspaces set closed_for = null where id = ${workspaceId}`
    for (const options of [['--cancel'], ['--cell', 'main'], ['--cell', 'b']])
      expect(await command(moved, ...options)).toMatchObject({
        status: 1,
        error: `Several cells have the workspace ${workspaceId}: "main", "b". Nothing was changed. See "Restore a cell after a move" in docs/scaling.md.`,
      })
    expect(await statesOf(moved)).toEqual({ main: null, b: null })
    // The statements of docs/scaling.md.
    await databases.main`
      insert into workspace_moves (workspace_id, cell) values (${workspaceId}, 'b') on conflict (workspace_id) do update set cell = 'b'`
    await databases.main`update workspaces set closed_for = 'copy' where id = ${workspaceId}`
    expect(await moveHere(moved, 'b')).toMatchObject({ from: 'main', to: 'b', rows: null })
    await expectCleared(moved, 'main')
    expect(await command(moved, '--cancel')).toMatchObject({ status: 0 })
    expect(await triggersOf(databases.b)).toHaveLength(0)
    expect((await world.expect(200, 'GET', `/v1/customers/${id}`, { as: 'key' })).name).toBe('Kim')
  })
})

const guarded = useDatabase('40MOV', '55P03', '25P04')

test('a closed workspace rejects the writes of calls and all messages, and the closing waits for earlier writers', async () => {
  const { sql, url } = guarded
  const [moved, other] = [await newWorkspace(sql), await newWorkspace(sql)]
  for (const [name, key] of [
    ['customers', ['id']],
    ['conversations', ['id']],
    ['consents', ['customer_id', 'id']],
  ] as const)
    await watchTable(sql, name, moved, key)
  const as = (purpose: string) => connect({ url, applicationName: `customer-engagement ${purpose}`, max: 1 })
  const pools = { recording: as('recording'), changing: as('changing'), acting: as('acting'), chores: as('chores') }
  const commands = connect({ url, applicationName: 'customer-engagement', max: 1 })
  const mover = connect({ url, applicationName: moveApplication, max: 1 })
  const insert = (one: Database, workspaceId: string) =>
    one`insert into customers (workspace_id, phone) values (${workspaceId}, ${newPhone()})`
  const talk = (one: Database) =>
    one`insert into conversations (workspace_id, channel_id, customer_id) values (${moved}, gen_random_uuid(), gen_random_uuid())`
  const consent = (one: Database) =>
    one`insert into consents (workspace_id, customer_id, kind, source) values (${moved}, gen_random_uuid(), 'opt_out', 'customer')`
  const closing = () =>
    sql.begin(async tx => {
      await limitTimes(tx, { statementMs: 5000, lockMs: 100 })
      await awaitWriters(tx, moved)
    })
  const commit = await openTransaction(pools.recording, tx => insert(tx as Database, moved))
  await sql`update workspaces set closed_for = 'move' where id = ${moved}`
  await expect(closing()).rejects.toMatchObject({ code: '55P03' })
  await commit()
  await closing()
  for (const pool of [pools.recording, pools.changing, commands, sql])
    await expect(insert(pool, moved)).rejects.toMatchObject({ code: '40MOV' })
  for (const pool of [...Object.values(pools), commands]) {
    await expect(talk(pool)).rejects.toMatchObject({ code: '40MOV' })
    await expect(consent(pool)).rejects.toMatchObject({ code: '40MOV' })
  }
  for (const pool of [pools.acting, pools.chores]) await insert(pool, moved)
  for (const pool of [...Object.values(pools), commands]) await insert(pool, other)
  const noted = await sql`select table_name, key from workspace_move_changes where workspace_id = ${moved}`
  expect(noted).toHaveLength(3)
  const ids = await sql<{ id: string }[]>`select id from customers where workspace_id = ${moved}`
  expect(noted.map(({ key }) => key.id).sort()).toEqual(ids.map(({ id }) => id).sort())
  await withTransferLock(sql, moved, async () => expect((await deleteAbandonedChanges(sql, 100)).count).toBe(0))
  await insertMove(sql, moved, 'eu')
  await withTransferLock(sql, moved, async () => expect((await deleteAbandonedChanges(sql, 100)).count).toBe(0))
  expect((await deleteAbandonedChanges(sql, 2)).count).toBe(2)
  expect((await deleteAbandonedChanges(sql, 100)).count).toBe(1)
  await mover`delete from customers where workspace_id = ${moved}`
  await Promise.all([...Object.values(pools), commands, mover].map(pool => pool.end()))
})

test('the server ends a transaction of the switch that lasts too long', async () => {
  const { url } = guarded
  const sql = connect({ url, applicationName: moveApplication, max: 1 })
  const slow = sql.begin(async tx => {
    await limitTimes(tx, { statementMs: 5000, lockMs: 100, transactionMs: 300 })
    await tx`select pg_sleep(4)`
  })
  const error = await slow.catch((reason: unknown) => reason)
  expect(isServerFailure(error)).toBe(true)
  await sql.end()
})
