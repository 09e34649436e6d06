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
import { transferLocks } from '../../src/privacy/workspaces/sql.ts'
import { enqueue } from '../../src/queue/tasks.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { booksOf, makeCustomers, makeTemplate } from '../support/campaigns.ts'
import { runCommand } from '../support/command.ts'
import { newWorkspace, openTransaction, useDatabase } from '../support/database.ts'
import { freePort } from '../support/http-server.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { type Receiver, respond, startReceiver } from '../support/receiver.ts'
import { type CallbackReply, hex, slow } from '../support/stand-in.ts'
import { readStream } from '../support/stream.ts'
import { startTwilio } from '../support/twilio.ts'
import { use } from '../support/use.ts'
import { startWhatsApp } from '../support/whatsapp.ts'
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
const useMoveWorld = (settings: () => Record<string, string> = () => ({})): MoveWorld =>
  use(async () => {
    const receiver = await startReceiver()
    const world = await startWorld(
      { WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, ...settings() },
      { cellUrl: async url => url },
    )
    // Attempts to lock a table or a row end, and calls are rejected by a move or because they went to the former cell.
    world.database.expectErrors('40MOV', '55P03', '57P01', 'CELL_UNAVAILABLE')
    return {
      world,
      receiver,
      settings: {
        ...settings(),
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

const startCommand = ({ settings, world, databases }: MoveWorld, ...options: string[]) => {
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
      for (const sql of Object.values(databases))
        await eventually('the server has released the lock', async () => (await lockHolders(sql)).length === 0)
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

/** Returns the sessions that have the lock of a workspace. */
const lockHolders = (sql: Database) => sql<{ pid: number }[]>`
  select l.pid from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.locktype = 'advisory' and l.classid = ${transferLocks}::oid`

/** The command in this process, with its own connections. The rows of the source are deleted after `graceMs`. */
const moveHere = (
  { settings, world }: MoveWorld,
  to: string,
  { graceMs = 0, mainUrl = settings.DATABASE_URL!, onProgress = (_: string) => {} } = {},
) => {
  const open = (url: string) => connect({ url, applicationName: moveApplication, max: 4 })
  const cells = [
    { name: 'main', sql: open(mainUrl) },
    { name: 'b', sql: open(world.database.url) },
  ]
  let progress = ''
  const note = (text: string) => {
    progress += `${text}\n`
    onProgress(text)
  }
  const move = { isOver: false }
  const moving = moveWorkspace(to, { workspaceId: world.workspaceId, cells, onProgress: note, graceMs })
  const ended = moving.finally(async () => {
    move.isOver = true
    await Promise.all(cells.map(({ sql }) => sql.end({ timeout: 1 })))
  })
  ended.catch(() => {})
  return Object.assign(move, {
    reaches: (text: string) =>
      eventually(`the move prints "${text}"`, () => progress.includes(text) || move.isOver, 60_000),
    ended: () => ended,
  })
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

/** Locks the copy in `main`, so that the workspace cannot be opened there. Returns a function that ends that. */
const lockCopy = ({ databases }: MoveWorld) =>
  openTransaction(databases.main, tx => tx`select 1 from workspaces for no key update`)

/** Expects that a closed workspace does not change if its target does not respond. */
const expectUnavailable = async (moved: MoveWorld) => {
  const { world, databases } = moved
  const options = { workspaceId: world.workspaceId, cells: [{ name: 'b', sql: databases.b }], onProgress: () => {} }
  const before = await statesOf(moved)
  await expect(cancelMove(options)).rejects.toThrow('The cell "main" of the move cannot be used.')
  expect(await statesOf(moved)).toEqual(before)
}

const startedProxy = async (url: string) => {
  const proxy = await startProxy(url)
  return Object.assign(proxy, { [Symbol.asyncDispose]: () => proxy.stop() })
}

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
    const switching = startMove(moved, 'main')
    await switching.reaches('Waiting')
    const unlock = await lockCopy(moved)
    await eventually('the workspace is closed', async () => (await statesOf(moved)).b === 'move', 60_000)
    await switching.kill()
    await unlock()
    expect(await statesOf(moved)).toEqual({ main: 'copy', b: 'move' })
    // No process starts a task of the closed workspace.
    expect(await daysUntil(databases.b, 'late')).toBeGreaterThan(36_500)
    await expectUnavailable(moved)
    const clearing = startMove(moved, 'main')
    await clearing.reaches('Waiting')
    expect(await daysUntil(databases.b, 'late')).toBeCloseTo(1, 1)
    const unlockAgain = await lockCopy(moved)
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
    await expectUnavailable(moved)
    // As if the last command had been killed directly after it opened the workspace in the target.
    await databases.b`update workspaces set closed_for = 'move' where id = ${workspaceId}`
    expect(await daysUntil(databases.main, 'late')).toBeCloseTo(1, 1)
    expect(await daysUntil(databases.b, 'late')).toBeNull()
    // Calls continue until the rows are deleted, and no process remembers a place for more than ten seconds.
    const result = await moveHere(moved, 'main', { graceMs: 11_000 }).ended()
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
    const move = moveHere(moved, 'b', { graceMs: 5000 })
    await move.reaches('Comparing')
    const commit = await openTransaction(databases.main, async tx => {
      await tx`insert into opt_out_words (workspace_id, words) values (${world.workspaceId}, '{stop}')`
    })
    await move.reaches('Waiting')
    await eventually('a call was refused', () => load.longestRefusalMs > 0, 60_000)
    await commit()
    await move.reaches('is in "b"')
    await world.expect(200, 'GET', '/v1/workspace')
    const before = load.acknowledged.length
    await eventually('calls succeed after the switch', () => load.acknowledged.length > before + 100)
    await load.stop()
    const result = await move.ended()
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
  const publicUrl = 'https://engage.example.com'
  const twilio = use(startTwilio)
  const whatsapp = use(startWhatsApp)
  const moved = useMoveWorld(() => ({
    PUBLIC_URL: publicUrl,
    SECRETS_KEY: Buffer.alloc(32, 5).toString('base64'),
    TWILIO_API_URL: twilio.apiUrl,
    WHATSAPP_API_URL: whatsapp.apiUrl,
    WEBHOOK_RETRY_WAITS: '16s,5m,30m,2h,6h,12h,24h',
  }))

  test('a move that is cancelled leaves nothing in the target, and the workspace works', async () => {
    const { world, databases, settings } = moved
    await prepare(moved)
    expect(await command(moved, '--cancel')).toMatchObject({
      status: 1,
      error: `The workspace ${world.workspaceId} is not being moved.`,
    })
    const killed = startMove(moved, 'main')
    await killed.reaches('Comparing')
    await killed.kill()
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
    // The connection with the lock is lost while the workspace is closed.
    const move = moveHere(moved, 'main')
    await move.reaches('Waiting')
    const unlock = await lockCopy(moved)
    await eventually('the workspace is closed', async () => (await statesOf(moved)).b === 'move', 60_000)
    for (const { pid } of await lockHolders(databases.b)) await databases.b`select pg_terminate_backend(${pid})`
    await unlock()
    await expect(move.ended()).rejects.toThrow('The connection with the lock of the workspace was lost.')
    expect(await statesOf(moved)).toEqual({ main: 'copy', b: null })
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
    await databases.main`drop trigger spoil on customers`
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
    // The outdated rows are used again while the command waits.
    const outdated = moveHere(moved, 'b', { graceMs: 1000 })
    await outdated.reaches('Deleting')
    await databases.main`update workspaces set closed_for = null where id = ${workspaceId}`
    await expect(outdated.ended()).rejects.toThrow(
      `The workspace ${workspaceId} is not a copy where its rows would be deleted.`,
    )
    expect(await databases.main`select name from customers where id = ${id}`).toMatchObject([{ name: 'Other' }])
    await databases.main`update workspaces set closed_for = 'copy' where id = ${workspaceId}`
    expect(await moveHere(moved, 'b').ended()).toMatchObject({ from: 'main', to: 'b', rows: null })
    await expectCleared(moved, 'main')
    expect(await command(moved, '--cancel')).toMatchObject({ status: 0 })
    expect(await triggersOf(databases.b)).toHaveLength(0)
    expect((await world.expect(200, 'GET', `/v1/customers/${id}`, { as: 'key' })).name).toBe('Kim')
  })

  test('campaigns, waiting runs, callbacks, retries and bulk replays continue in the target', async () => {
    const { world, receiver, databases } = moved
    const { workspaceId } = world
    const post = (path: string, body?: object) => world.expect(201, 'POST', path, { body })
    const channel = await post('/v1/channels', { kind: 'twilio_sms', name: 'SMS', credentials: twilio.credentials })
    twilio.callBack(channel.inboundUrl, world.url)
    const meta = await post('/v1/channels', {
      kind: 'whatsapp_cloud',
      name: 'WhatsApp',
      credentials: whatsapp.credentials,
    })
    whatsapp.callBack(meta.inboundUrl.replace(publicUrl, world.url))
    await whatsapp.write({ from: newPhone(), text: 'Hello?' })
    const [chat] = (await world.expect(200, 'GET', '/v1/conversations')).data
    await post(`/v1/conversations/${chat.id}/messages`, { text: 'Good morning' })
    const [answer] = await whatsapp.untilSent(1)
    const channelId = await world.sandbox()
    const [waiting, replying, paying, resting, asking] = [newPhone(), newPhone(), newPhone(), newPhone(), newPhone()]

    // The first attempt to deliver the message of `asking` fails.
    receiver.behave(respond(500), respond())
    const webhook = await post('/v1/webhooks', { url: receiver.url, events: ['message.received'] })
    const first = await post('/v1/webhooks', { url: `${receiver.url}/replayed`, events: ['sale.created'] })
    await twilio.write({ from: asking, text: 'Are you open?' })
    const deliveries = `/v1/webhooks/${webhook.id}/deliveries`
    const retrying = await eventually('a retry is scheduled', async () => {
      const { data } = await world.expect(200, 'GET', deliveries)
      return data[0]?.status === 'retrying' && data[0]
    })

    const say = (text: string) => ({ type: 'send_message', text, channelId, next: null })
    const waitFor = (eventType: string, timeout: string) => ({
      trigger: { eventType },
      start: 'wait',
      steps: {
        wait: {
          type: 'wait_for',
          timeout,
          onTimeout: 'late',
          any: [
            { reply: {}, next: 'replied' },
            { event: 'basket.paid', next: 'paid' },
          ],
        },
        late: say('late'),
        replied: say('replied'),
        paid: say('paid'),
      },
    })
    await world.workflow(waitFor('basket.left', '16s'))
    await world.workflow(waitFor('basket.kept', '1h'))
    await world.workflow({
      trigger: { eventType: 'basket.saved' },
      start: 'rest',
      steps: { rest: { type: 'delay', for: '16s', next: 'rested' }, rested: say('rested') },
    })
    const record = (type: string, phone: string) => post('/v1/events', { type, phone })
    await record('basket.left', waiting)
    for (const phone of [replying, paying]) await record('basket.kept', phone)
    await record('basket.saved', resting)
    await eventually('all runs wait', async () => {
      const runs =
        await databases.b`select 1 from workflow_runs where status = 'active' and waiting and wake_at > now()`
      return runs.length === 4
    })
    const wakeTimes = await databases.b<{ phone: string; wakeAt: Date }[]>`
      select c.phone, r.wake_at as "wakeAt" from workflow_runs r join customers c on c.id = r.customer_id`

    // Ended bulk replays are more than the switch may copy.
    await databases.b`
      insert into webhook_recoveries (workspace_id, webhook_id, since, until, status, total, done, cursor_id, last_id, page_size)
      select ${workspaceId}, ${webhook.id}, now(), now(), 'completed', 1, 1, uuidv7(), uuidv7(), 16 from generate_series(1, 1100)`

    const recipients = await makeCustomers(databases.b, workspaceId, 240)
    const campaign = await post('/v1/campaigns', {
      name: 'Spring',
      channelId: channel.id,
      templateId: await makeTemplate(databases.b, workspaceId),
      variables: { name: 'you' },
      audience: { where: { path: 'customer.attributes.number', op: 'gt', value: 0 } },
    })
    // Some messages are always being sent, and their results would be lost without the drain.
    twilio.behave(slow(400))
    await world.expect(202, 'POST', `/v1/campaigns/${campaign.id}/start`)
    await twilio.untilSent(10)

    // The connection is lost while the target commits the switch.
    await databases.main`
      create function linger() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$`
    await databases.main`
      create constraint trigger linger after update on workspaces deferrable initially deferred
      for each row when (old.closed_for is distinct from new.closed_for) execute function linger()`
    await using proxy = await startedProxy(world.directoryUrl)
    const move = moveHere(moved, 'main', {
      graceMs: 5000,
      mainUrl: proxy.url,
      onProgress: text => void (text === 'Switching.' && setTimeout(() => proxy.reset(), 200)),
    })
    // A provider repeats a callback that gets 503.
    const callBack = async (send: () => Promise<CallbackReply>) => {
      for (;;) {
        const { status } = await send()
        if (status === 200 || status === 204) return
        expect(status).toBe(503)
        await sleep(50)
      }
    }
    const [written, writtenToMeta]: [string[], string[]] = [[], []]
    const writing = (async () => {
      for (let n = 0; !move.isOver; n++) {
        const sid = `SM${hex(16)}`
        await callBack(() => twilio.write({ from: newPhone(), text: 'Hello?', sid }))
        written.push(sid)
        await callBack(() => twilio.tell(twilio.sent[n % twilio.sent.length]!, 'delivered'))
        const id = `wamid.${hex(16)}`
        await callBack(() => whatsapp.write({ from: newPhone(), text: 'Hello?', id }))
        writtenToMeta.push(id)
        await callBack(() => whatsapp.tell(answer!, n % 2 === 0 ? 'delivered' : 'read'))
        // A pause that is longer than an actor waits for more rows, so that the drain ends early.
        await sleep(250)
      }
    })()
    writing.catch(() => {})

    await move.reaches('Waiting')
    expect(await world.expect(200, 'GET', `/v1/campaigns/${campaign.id}`)).toMatchObject({ status: 'running' })
    const { data } = await world.expect(200, 'GET', `/v1/customers?phone=${encodeURIComponent(asking)}`)
    const conversations = await world.expect(200, 'GET', `/v1/conversations?customerId=${data[0].id}`)
    for (const text of ['one', 'two', 'three'])
      await post(`/v1/conversations/${conversations.data[0].id}/messages`, { text })
    await world.expect(200, 'PATCH', `/v1/webhooks/${first.id}`, { body: { events: ['message.received'] } })
    const recoveries = `/v1/webhooks/${first.id}/recoveries`
    const replay = await world.expect(202, 'POST', recoveries, {
      body: { since: new Date(Date.now() - 60_000), of: 'missing' },
    })
    expect(replay).toMatchObject({ status: 'running' })

    await move.reaches('is in "main"')
    const switchedAt = Date.now()
    await world.expect(200, 'GET', '/v1/workspace')
    expect(await move.ended()).toMatchObject({ from: 'b', to: 'main' })
    await databases.main`drop trigger linger on workspaces`
    await writing
    const sql = databases.main
    await callBack(() => twilio.write({ from: replying, text: 'Yes' }))
    await record('basket.paid', paying)
    await eventually(
      'the campaign is complete',
      async () => {
        const { status } = await world.expect(200, 'GET', `/v1/campaigns/${campaign.id}`)
        return status === 'completed'
      },
      60_000,
    )
    for (const message of twilio.sent) await callBack(() => twilio.tell(message, 'delivered'))

    // Each recipient got one message, and each status and message of a customer was recorded.
    const toRecipients = twilio.sent.filter(({ to }) => to.startsWith('+49151')).map(({ to }) => to)
    expect(toRecipients).toHaveLength(recipients.length)
    expect(new Set(toRecipients).size).toBe(recipients.length)
    expect(await booksOf(sql)).toMatchObject([{ twice: 0, messages: recipients.length, told: 1, toldRight: 1 }])
    const open =
      await sql`select 1 from messages where channel_id = ${channel.id} and direction = 'outbound' and status <> 'delivered'`
    expect(open).toHaveLength(0)
    const inbound = await sql<{ sid: string }[]>`
      select provider_message_id as sid from messages where channel_id = ${channel.id} and direction = 'inbound' and text = 'Hello?'`
    expect(inbound.map(({ sid }) => sid).sort()).toEqual(written.sort())
    const chats = await sql<{ id: string; direction: string; status: string }[]>`
      select provider_message_id as id, direction, status from messages where channel_id = ${meta.id} order by created_at, id offset 1`
    expect(chats.find(({ direction }) => direction === 'outbound')).toMatchObject({ id: answer!.id, status: 'read' })
    expect(chats.flatMap(({ id, direction }) => (direction === 'inbound' ? [id] : [])).sort()).toEqual(
      writtenToMeta.sort(),
    )
    expect(written.length).toBeGreaterThan(20)

    // Messages to one person are sent in order.
    expect(twilio.sent.filter(({ to }) => to === asking).map(({ body }) => body)).toEqual(['one', 'two', 'three'])

    // Runs wake at their time, or by a reply or an event.
    const said = await eventually(
      'all runs have ended',
      async () => {
        const rows = await sql<{ phone: string; text: string; at: Date }[]>`
        select c.phone, m.text, m.created_at as at from messages m join customers c on c.id = m.customer_id
        where m.channel_id = ${channelId} and m.direction = 'outbound'`
        return rows.length === 4 && rows
      },
      30_000,
    )
    const textTo = (phone: string) => said.find(one => one.phone === phone)!
    expect([waiting, replying, paying, resting].map(phone => textTo(phone).text)).toEqual([
      'late',
      'replied',
      'paid',
      'rested',
    ])
    for (const phone of [waiting, resting]) {
      const at = textTo(phone).at.getTime()
      const wakeAt = wakeTimes.find(one => one.phone === phone)!.wakeAt.getTime()
      expect(at).toBeGreaterThanOrEqual(wakeAt)
      expect(at - Math.max(wakeAt, switchedAt)).toBeLessThan(5000)
    }

    // The retry is made at its time, and the replay continues.
    const isFirst = ({ body }: { body: string }) => (JSON.parse(body) as { id: string }).id === retrying.eventId
    const toHook = () => receiver.requests.filter(({ path }) => path === '/hook')
    await eventually('the retry is made', () => toHook().filter(isFirst).length === 2, 30_000)
    const attempts = toHook()
      .filter(isFirst)
      .map(({ receivedAt }) => receivedAt.getTime())
    expect(attempts[1]! - attempts[0]!).toBeGreaterThan(15_500)
    expect(await world.expect(200, 'GET', `${deliveries}/${retrying.id}`)).toMatchObject({
      status: 'delivered',
      attempts: 2,
    })
    await eventually('the replay is complete', async () => {
      const { status, total, done } = await world.expect(200, 'GET', `${recoveries}/${replay.id}`)
      return status === 'completed' && done === total && total > 0
    })
    expect(receiver.requests.filter(one => one.path === '/hook/replayed' && isFirst(one))).toHaveLength(1)
    expect(await sql`select 1 from webhook_recoveries where status = 'completed'`).toHaveLength(1101)
    await expectCleared(moved, 'b')
  })

  test('the first call of a key, a person or a provider after the switch is answered by the target in every process', async () => {
    const { world, settings } = moved
    const urls = await Promise.all(
      [1, 2].map(async () => {
        const port = await freePort()
        await startProcess({ ...settings, PORT: String(port) })
        return `http://127.0.0.1:${port}`
      }),
    )
    const channels = (await world.expect(200, 'GET', '/v1/channels')).data as { kind: string; inboundUrl: string }[]
    const pathOf = (kind: string) => new URL(channels.find(one => one.kind === kind)!.inboundUrl).pathname
    const asPerson = { ...bearer(world.owner.token), 'Content-Type': 'application/json' }
    const inWorkspace = { ...asPerson, 'X-Workspace-Id': world.workspaceId }
    const asKey = { 'X-API-Key': world.key.value, 'Content-Type': 'application/json' }
    const send = async (url: string, method: string, headers: Record<string, string>, body?: object) => {
      const response = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null })
      if (response.status >= 400) return `${response.status} ${await response.text()}`
      await response.body?.cancel()
      return response.status
    }
    const { email, password } = world.owner
    const event = () => ({ type: 'basket.saved', phone: newPhone() })
    const personal = [
      [
        // Each of them can be the one that finds the target.
        ...Array.from(
          { length: 8 },
          () => (url: string) => send(`${url}/v1/workspace`, 'PATCH', inWorkspace, { name: 'Moved' }),
        ),
        (url: string) => send(`${url}/v1/stream`, 'GET', inWorkspace),
      ],
      [
        (url: string) =>
          send(`${url}/v1/auth/sign-in`, 'POST', { 'Content-Type': 'application/json' }, { email, password }),
        (url: string) => send(`${url}/v1/outbound-events/pull?after=beginning&limit=1`, 'GET', asPerson),
      ],
    ]
    const callAll = async () =>
      Promise.all(
        urls.map(async (url, index) => {
          twilio.callBack(publicUrl + pathOf('twilio_sms'), url)
          whatsapp.callBack(url + pathOf('whatsapp_cloud'))
          const written = [twilio, whatsapp].map(provider => provider.write({ from: newPhone(), text: 'Moved?' }))
          const statuses = await Promise.all([
            send(`${url}/v1/events`, 'POST', asKey, event()),
            ...personal[index]!.map(call => call(url)),
            ...written.map(async reply => (await reply).status),
          ])
          return statuses.join(' ')
        }),
      )
    const answers = [`201${' 200'.repeat(11)}`, `201${' 200'.repeat(4)}`]
    const move = moveHere(moved, 'b', { graceMs: 5000 })
    await move.reaches('Waiting')
    // Now each process remembers for ten seconds where the workspace is.
    expect(await callAll()).toEqual(answers)
    await move.reaches('is in "b"')
    expect(await callAll()).toEqual(answers)
    expect(await move.ended()).toMatchObject({ from: 'main', to: 'b' })
    const texts = await moved.databases.b`select 1 from messages where text = 'Moved?'`
    expect(texts).toHaveLength(8)
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
