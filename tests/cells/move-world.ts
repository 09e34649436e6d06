/** World of the tests of `workspace move`: a workspace in the cell `b`, its callers, and commands that move it. */
import { expect } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { cancelMove, moveWorkspace } from '../../src/privacy/workspaces/index.ts'
import { movedTables } from '../../src/privacy/workspaces/move-copy.ts'
import { moveApplication } from '../../src/privacy/workspaces/move-sql.ts'
import { transferLocks } from '../../src/privacy/workspaces/sql.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { runCommand } from '../support/command.ts'
import { openTransaction } from '../support/database.ts'
import { endProcesses } from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, newPhone, startWorld, type World } from '../support/world.ts'

/** Longest time in milliseconds for which the call of a caller that repeats it may be refused. */
export const maxPauseMs = 2000

/** Longest time in milliseconds of a call while a trigger cannot be dropped. */
export const maxTableWaitMs = 600

interface MoveWorld {
  world: World
  receiver: Receiver
  /** Environment of the commands and of other processes. */
  settings: Record<string, string>
  databases: Record<'main' | 'b', Database>
  stop(): Promise<void>
}

/** Returns a world whose workspace begins in the cell `b`. The tests of a `describe` share it. */
export const useMoveWorld = (settings: () => Record<string, string> = () => ({})): MoveWorld =>
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
export const prepare = async ({ world, receiver }: MoveWorld) => {
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
export const startLoad = (world: World, urls: readonly string[], perSecond: number): Load => {
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
export const startMove = (moved: MoveWorld, cell: string) => startCommand(moved, '--cell', cell)

export const startCommand = ({ settings, world, databases }: MoveWorld, ...options: string[]) => {
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
export const lockHolders = (sql: Database) => sql<{ pid: number }[]>`
  select l.pid from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
  where l.locktype = 'advisory' and l.classid = ${transferLocks}::oid`

/** The command in this process, with its own connections. The rows of the source are deleted after `graceMs`. */
export const moveHere = (
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

export const command = async ({ settings, world }: MoveWorld, ...args: string[]) =>
  runCommand(['workspace', 'move', '--workspace', world.workspaceId, ...args], settings)

/** Returns why the workspace is closed in each database. */
export const statesOf = async ({ databases: { main, b } }: MoveWorld) => {
  const stateIn = async (sql: Database) =>
    (await sql<{ state: string | null }[]>`select closed_for as state from workspaces`)[0]?.state
  return { main: await stateIn(main), b: await stateIn(b) }
}

/** Waits until all webhooks are delivered, and compares what is stored with what was acknowledged. */
export const expectComplete = async (
  { world, receiver, databases, settings }: MoveWorld,
  cell: 'main' | 'b',
  load: Load,
) => {
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
export const tablesWithRows = async (sql: Database, workspaceId: string): Promise<string[]> => {
  const found: string[] = []
  for (const name of [...movedTables.map(table => table.name), 'workspace_moves', 'workspace_move_changes']) {
    if (name === 'audit_entries') continue
    const rows = await sql`select 1 from ${sql(name)} where workspace_id = ${workspaceId} limit 1`
    if (rows.length > 0) found.push(name)
  }
  return found
}

export const expectCleared = async ({ world, databases }: MoveWorld, cell: 'main' | 'b') => {
  const sql = databases[cell]
  expect(await tablesWithRows(sql, world.workspaceId)).toEqual([])
  expect(await sql`select 1 from workspaces where id = ${world.workspaceId}`).toHaveLength(0)
  expect(await triggersOf(sql)).toHaveLength(0)
}

export const expectAudited = async ({ world }: MoveWorld, detail: { from: string; to: string }) =>
  expect((await world.expect(200, 'GET', '/v1/audit?limit=100')).data).toContainEqual(
    expect.objectContaining({ action: 'moveWorkspace', detail }),
  )

/** Locks the copy in `main`, so that the workspace cannot be opened there. Returns a function that ends that. */
export const lockCopy = ({ databases }: MoveWorld) =>
  openTransaction(databases.main, tx => tx`select 1 from workspaces for no key update`)

/** Expects that a closed workspace does not change if its target does not respond. */
export const expectUnavailable = async (moved: MoveWorld) => {
  const { world, databases } = moved
  const options = { workspaceId: world.workspaceId, cells: [{ name: 'b', sql: databases.b }], onProgress: () => {} }
  const before = await statesOf(moved)
  await expect(cancelMove(options)).rejects.toThrow('The cell "main" of the move cannot be used.')
  expect(await statesOf(moved)).toEqual(before)
}

export const startedProxy = async (url: string) => {
  const proxy = await startProxy(url)
  return Object.assign(proxy, { [Symbol.asyncDispose]: () => proxy.stop() })
}

/** Returns in how many days a task is due, or null if it does not exist. */
export const daysUntil = async (sql: Database, key: string): Promise<number | null> => {
  const [row] = await sql<{ days: number }[]>`
    select (extract(epoch from run_at - now()) / 86400)::double precision as days from graphile_worker.jobs where key = ${key}`
  return row?.days ?? null
}

export const triggersOf = (sql: Database) => sql`select tgname from pg_trigger where tgname like 'move\\_%'`
