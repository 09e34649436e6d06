/** Tests of cells in a Citus cluster of one coordinator and two workers. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { findCitusCells } from '../../src/app/cells/citus.ts'
import { migrateCitusCell } from '../../src/app/cells/citus-cell.ts'
import { migrateDatabase, prepareCell } from '../../src/app/database.ts'
import { startService } from '../../src/app/index.ts'
import { createPools } from '../../src/app/pools.ts'
import { readConfig } from '../../src/config.ts'
import {
  cellSchemaUrl,
  formatNode,
  type Placement,
  placedUrl,
  readPlacements,
} from '../../src/platform/postgres/citus.ts'
import { makeHere, sendToCitus } from '../../src/platform/postgres/citus-cell.ts'
import { cellMoved, connect, type Database, sqlState, withRetry } from '../../src/platform/postgres/client.ts'
import { LeaseHolder } from '../../src/platform/postgres/lease.ts'
import { isMigrated, migrate } from '../../src/platform/postgres/migrate.ts'
import { migrations } from '../../src/platform/postgres/migrations.ts'
import { ownTables } from '../../src/platform/postgres/own-tables.ts'
import { analyse } from '../../src/platform/postgres/statistics.ts'
import { checkIdentity, findOtherIdentity } from '../../src/queue/hold/index.ts'
import { enqueue } from '../../src/queue/tasks.ts'
import { runCommand } from '../support/command.ts'
import { newWorkspace, openTransaction } from '../support/database.ts'
import { endProcesses, spawnProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { bearer, eventually } from '../support/world.ts'
import { citusPrefix, startCitus } from './cluster.ts'

setDefaultTimeout(60_000)
afterAll(endProcesses)

describe.skipIf(citusPrefix === null)('in a Citus cluster', () => {
  const cluster = use(startCitus)
  const opened: Database[] = []
  afterEach(async () => {
    for (const sql of opened.splice(0)) await sql.end({ timeout: 1 })
  })
  const settings = () => ({ CELLS: 'citus', DATABASE_URL: cluster.coordinator.url })
  const run = (...args: string[]) => runCommand(args, settings())
  const open = (url: string): Database => {
    const sql = connect({ url, applicationName: 'test', max: 4 })
    opened.push(sql)
    return sql
  }
  const placementOf = async (name: string): Promise<Placement> =>
    (await readPlacements(cluster.coordinator.sql)).find(one => one.name === name)!
  const openCell = async (name: string): Promise<Database> =>
    open(placedUrl(cluster.coordinator.url, await placementOf(name)))

  describe('making', () => {
    const relationsOf = (sql: Database) => sql<{ kind: string; name: string }[]>`
      select concat(relkind, relpersistence) as kind, relname as name from pg_class
      where relnamespace = current_schema()::text::regnamespace and relkind in ('v', 'r') order by relname`

    test('creates a cell whose tables are used at the node that holds it', async () => {
      const { status, out, error } = await run('cells', 'create', 'one', '--json')
      expect([status, error]).toEqual([0, ''])
      const { host, port } = await placementOf('one')
      expect(JSON.parse(out)).toEqual({ cell: 'one', node: `${host}:${port}` })
      const sql = await openCell('one')
      expect(await isMigrated(sql)).toBe(true)
      const id = await newWorkspace(sql)
      expect((await sql`select plan_id from workspaces where id = ${id}`)[0]).toEqual({ plan_id: 'unlimited' })
      expect(await cluster.coordinator.sql`select from workspaces`).toHaveLength(0)
      expect(await cluster.coordinator.sql`select from cell_one.workspaces where id = ${id}`).toHaveLength(1)
      const relations = await relationsOf(sql)
      const unlogged = relations.filter(({ kind }) => kind === 'ru').map(({ name }) => name)
      expect(unlogged).toContain('leases')
      expect(relations.filter(({ kind }) => kind === 'vp').length).toBe(relations.length - unlogged.length)
      expect(await run('cells', 'create', 'one')).toMatchObject({
        status: 1,
        error: `The cell "one" already exists at ${host}:${port}.`,
      })
    })

    test('runs a workspace in a cell, from an event to the webhook about its message', async () => {
      const owner = { email: 'owner@shop.example', password: 'correct horse battery' }
      const { status, error } = await runCommand(['workspace', 'create', '--name', 'Shop', '--cell', 'one'], {
        ...settings(),
        OWNER_EMAIL: owner.email,
        OWNER_PASSWORD: owner.password,
      })
      expect([status, error]).toEqual([0, ''])
      const receiver = await startReceiver()
      const config = readConfig({ ...settings(), PORT: '0', WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target })
      const log = pino({ level: 'silent' })
      const service = await startService({ config, databaseUrl: cluster.coordinator.url, log })
      try {
        const post = async (path: string, body: object, as: Record<string, string> = {}) => {
          const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', ...as },
            body: JSON.stringify(body),
          })
          expect(response.status, path).toBeOneOf([200, 201])
          return response.json() as Promise<Record<string, string>>
        }
        const as = bearer((await post('/v1/auth/sign-in', owner)).token!)
        await post('/v1/webhooks', { url: receiver.url, events: ['message.status'] }, as)
        await post('/v1/channels', { kind: 'sandbox', name: 'Sandbox' }, as)
        const definition = {
          trigger: { eventType: 'order.placed' },
          start: 'greet',
          steps: { greet: { type: 'send_message', text: 'Hello', next: null } },
        }
        const { id } = await post('/v1/workflows', { name: 'Greeting', definition }, as)
        await post(`/v1/workflows/${id}/publish`, {}, as)
        const { key } = await post('/v1/api-keys', { name: 'shop' }, as)
        const switched = await fetch(`http://127.0.0.1:${service.port}/v1/workflows/${id}`, {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/json', ...as },
          body: JSON.stringify({ enabled: true }),
        })
        expect(switched.status).toBe(200)
        await post('/v1/events', { type: 'order.placed', phone: '+4915112345678' }, { 'X-API-Key': key! })
        await receiver.waitFor(1)
        const sql = await openCell('one')
        expect(await sql`select from messages`).toHaveLength(1)
        expect(await cluster.coordinator.sql`select from workspaces`).toHaveLength(0)
        await analyse(sql, 'messages', { skipLocked: false })
        const [analysed] = await sql`
          select reltuples from (${ownTables(sql)}) t join pg_class c on c.oid = t.relation where name = 'messages'`
        expect(analysed!.reltuples).toBe(1)
      } finally {
        await service.stop(5000)
        await receiver.stop()
      }
    })

    test('a process does not start with a WORKSPACE_CELL that the cluster does not have', async () => {
      const service = spawnProcess({ ...settings(), WORKSPACE_CELL: 'nowhere' })
      expect((await service.ended).code).toBe(1)
      expect(service.complaints.trim()).toBe(
        'WORKSPACE_CELL is "nowhere", but there is no such cell. Run "cells list".',
      )
    })

    test('rejects a worker instead of the coordinator', async () => {
      const [worker] = cluster.workers
      const { error } = await runCommand(['cells', 'create', 'x'], { CELLS: 'citus', DATABASE_URL: worker!.url })
      const { host, port } = cluster.coordinator
      expect(error).toBe(
        `DATABASE_URL leads to a worker of the Citus cluster. It must lead to the coordinator, ${host}:${port}.`,
      )
    })

    test.each([
      ['a', 'its schema exists', `select from pg_namespace where nspname = 'cell_a'`],
      [
        'b',
        'some migrations are applied',
        `select from pg_class where relname = 'customers' and relnamespace = to_regnamespace('cell_b')`,
      ],
      [
        'c',
        'all migrations are applied',
        `select from pg_class where relname = 'workspace_pauses' and relnamespace = to_regnamespace('cell_c')`,
      ],
      ['d', 'it is distributed', `select from pg_dist_schema where schemaid = to_regnamespace('cell_d')`],
      ['e', 'its tables of tasks are made', `select from pg_namespace where nspname = 'tasks_e'`],
    ])('completes the cell %s, whose creation was killed when %s', async (name, _, condition) => {
      const child = spawn(process.execPath, ['src/main.ts', 'cells', 'create', name], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings() },
        stdio: 'ignore',
      })
      const isMet = async () => {
        const answers = [cluster.coordinator, ...cluster.workers].map(node => node.sql.unsafe(condition))
        return (await Promise.all(answers)).some(rows => rows.length > 0)
      }
      await eventually('the creation has begun', isMet, 30_000)
      child.kill('SIGKILL')
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
      expect(await run('cells', 'create', name)).toMatchObject({ status: 0, error: '' })
      const sql = await openCell(name)
      expect(await isMigrated(sql)).toBe(true)
      expect(await relationsOf(sql)).toEqual(await relationsOf(await openCell('one')))
    })

    test('migrate repairs the cells, and cells list names their nodes', async () => {
      const sql = await openCell('one')
      await sql`drop view events`
      const { status, out, error } = await run('migrate')
      expect([status, error]).toEqual([0, ''])
      expect(out).toContain('Cell one:\nThe database is up to date.\n')
      expect(await sql`select from events`).toHaveLength(1)
      const { host, port } = await placementOf('one')
      const cells = (await run('cells', 'list', '--json')).out
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(cells.map(({ cell }) => cell)).toEqual(['main', 'a', 'b', 'c', 'd', 'e', 'one'])
      expect(cells.at(-1)).toMatchObject({
        cell: 'one',
        node: `${host}:${port}`,
        migrationsPending: false,
        workspaces: 2,
      })
    })

    test('applies migrations to a cell, and keeps the content of its local tables', async () => {
      const sql = await openCell('one')
      const workspaceId = await newWorkspace(sql)
      await sql`insert into processes (id, host, pid, alive_until) values (${workspaceId}, 'here', 1, now())`
      const change = (...texts: string[]) =>
        migrateCitusCell(cluster.coordinator.url, 'one', [
          ...migrations,
          ...texts.map((text, index) => ({ name: `901_${index}`, sql: text })),
        ])
      const first = `
        -- Notes of a shop; with a semicolon.
        create table notes (workspace_id uuid not null references workspaces, id uuid not null default uuidv7(),
          text text not null, primary key (workspace_id, id));
        create index notes_by_text on notes (workspace_id, text);
        create unlogged table glances (id uuid primary key, at timestamptz default now()) with (fillfactor = 70);
        alter table workspaces add column slogan text not null default 'none', drop column require_sso cascade;
        alter table workspaces add constraint workspaces_slogan_check check (slogan <> '');
        create function shout(text text) returns text language plpgsql immutable as $$ begin return upper(text); end $$;
        create function ignore() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger notes_ignored after delete on notes for each row execute function ignore();
        update workspaces set slogan = lower(name) where name is not null;`
      const second = `
        -- online
        -- step
        create index concurrently if not exists notes_by_id on notes (id);
        -- step: again until nothing changes
        update workspaces set slogan = 'x' where slogan <> 'x';`
      expect(await change(first, second)).toEqual(['901_0', '901_1'])
      expect(await change(first, second)).toEqual([])
      expect((await sql`select shout(slogan) as slogan from workspaces where id = ${workspaceId}`)[0]).toEqual({
        slogan: 'X',
      })
      await sql`insert into notes (workspace_id, text) values (${workspaceId}, 'first')`
      await sql`insert into glances (id) values (${workspaceId})`
      expect(await sql`select from processes where id = ${workspaceId}`).toHaveLength(1)
      const relations = await relationsOf(sql)
      expect(relations).toContainEqual({ kind: 'ru', name: 'glances' })
      expect(relations).toContainEqual({ kind: 'vp', name: 'notes' })
      const [guards] = await sql`
        select count(*)::integer as count from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where t.tgname like 'placement_guard_%' and c.relname like 'notes_%'`
      expect(guards!.count).toBe(1)

      const broken = 'alter table notes add column half text; insert into plans (id) values (1, 2)'
      await expect(change(first, second, broken)).rejects.toThrow('INSERT has more expressions than target columns')
      await expect(change(first, second, broken.replace('insert', 'select 1; insert'))).rejects.toThrow()
      expect(await sql`select from schema_migrations where name = '901_2'`).toHaveLength(0)
      await expect(sql`select half from notes`.execute()).rejects.toThrow('column "half" does not exist')
      expect(await change(first, second, 'alter table notes add column half text')).toEqual(['901_2'])
      expect(await sql`select half from notes`).toHaveLength(1)
    })

    test('a migration does not wait long for a lock at the node', async () => {
      const sql = await openCell('b')
      const unlock = await openTransaction(sql, tx => tx`select from sales for update`)
      const coordinator = open(cellSchemaUrl(cluster.coordinator.url, 'b'))
      const change = { name: '901_0', sql: 'alter table sales add column more text' }
      const migrated = migrate(coordinator, () => Promise.resolve(), [...migrations, change], {
        send: sendToCitus,
        timeoutMs: 1000,
        maxLockWaitMs: 100,
      })
      await expect(migrated).rejects.toThrow('The migration 901_0 could not get a lock within 1 seconds.')
      await unlock()
    })

    test('a view is made again when no transaction uses it any more', async () => {
      const sql = await openCell('b')
      await sql`comment on view sales is 'outdated'`
      const unlock = await openTransaction(sql, tx => tx`select from sales`)
      const migrated = migrateCitusCell(cluster.coordinator.url, 'b')
      await eventually('it waits for the lock', async () => {
        const waiting = await sql`select from pg_locks where not granted and relation = 'sales'::regclass`
        return waiting.length > 0
      })
      await eventually('it pauses, so that statements can use the view', async () => {
        const waiting = await sql`select from pg_locks where not granted and relation = 'sales'::regclass`
        return waiting.length === 0
      })
      await unlock()
      expect(await migrated).toEqual([])
      const [made] = await sql`select obj_description('sales'::regclass) as signature`
      expect(made!.signature).not.toBe('outdated')
    })

    test('rejects writes and leases at a node that does not hold the cell any more', async () => {
      const before = await placementOf('a')
      let noticed = 0
      const pools = createPools(placedUrl(cluster.coordinator.url, before), { onMoved: () => noticed++ })
      opened.push(pools.vital, pools.acting)
      const leases = new LeaseHolder(pools.vital)
      const actor = (id: string) => ({ kind: 'endpoint', workspaceId: id, id })
      const target = cluster.workers.find(({ port }) => port !== before.port)!
      const old = await openCell('a')
      const id = await newWorkspace(old)
      await leases.renew()
      expect(await leases.acquire(actor(id))).toBe(true)
      await cluster.coordinator.sql`
        select citus_schema_move('cell_a', ${target.host}, ${target.port}, 'force_logical')`
      const rename = (sql: Database) => sql`update workspaces set name = 'Moved' where id = ${id}`.execute()
      expect(sqlState(await rename(old).catch((error: unknown) => error))).toBe(cellMoved)
      for (const write of [() => leases.renew(), () => leases.acquire(actor(id)), () => rename(pools.acting)])
        expect(sqlState(await write().catch((error: unknown) => error))).toBe(cellMoved)
      expect(noticed).toBe(3)
      // Each repetition of the statement is noticed, not only the failure of all.
      await withRetry(() => rename(pools.acting), { waits: [1, 1] }).catch(() => {})
      expect(noticed).toBe(6)
      await expect(makeHere(old, 'a')).rejects.toThrow('does not respond')
      const sql = await openCell('a')
      await makeHere(sql, 'a')
      expect((await rename(sql)).count).toBe(1)
      expect(await relationsOf(sql)).toEqual(await relationsOf(await openCell('b')))
    })
  })

  describe('completing a move', () => {
    const readable = { systemIdentifier: true, timeline: true }
    const cellOf = async (name: string) =>
      (await findCitusCells([cluster.coordinator.sql], cluster.coordinator.url)).find(one => one.name === name)!
    const prepare = async (name: string, isMoved = false) =>
      prepareCell(await cellOf(name), cluster.coordinator.sql, { isMoved })

    /** Creates a cell that was used at its node, with a task. Returns its node and another one. */
    const createUsedCell = async (name: string) => {
      expect((await run('cells', 'create', name)).status).toBe(0)
      const sql = await openCell(name)
      await checkIdentity(sql, { readable, lastHeartbeatMs: null })
      const id = await newWorkspace(sql)
      await enqueue(sql, 'stop_runs', { workspaceId: id, workflowId: id, startedBy: 'x' }, 'later', 3_600_000)
      const { port } = await placementOf(name)
      const from = cluster.workers.find(one => one.port === port)!
      return { from, to: cluster.workers.find(one => one !== from)! }
    }
    const stateOf = async (name: string) => {
      const sql = await openCell(name)
      const tasks = await sql`select from ${sql(`tasks_${name}`)}.jobs where key = 'later'`
      return { tasks: tasks.length, isHere: (await findOtherIdentity(sql)) === null }
    }

    test('does not wait for a session that still reads at the node from before', async () => {
      const { to } = await createUsedCell('read')
      const commit = await openTransaction(await openCell('read'), tx => tx`select from workspaces`)
      await cluster.coordinator.sql`
        select citus_schema_move('cell_read', ${to.host}, ${to.port}, 'force_logical')`
      await prepare('read')
      expect(await stateOf('read')).toEqual({ tasks: 1, isHere: true })
      await commit()
    })

    test('leaves a restored cell to the operator, also in a command', async () => {
      const { from } = await createUsedCell('restored')
      const sql = await openCell('restored')
      await sql`update service_identity set system_identifier = '1'`
      await prepare('restored')
      await run('cells', 'move', 'restored', '--to', `${from.host}:${from.port}`)
      expect(await stateOf('restored')).toEqual({ tasks: 1, isHere: false })
    })

    test('a dump restores a cell in another cluster, with its tasks, and its sending is held', async () => {
      const { from } = await createUsedCell('dumped')
      const folder = mkdtempSync(join(tmpdir(), 'dump-'))
      const [rows, tasks] = [join(folder, 'rows'), join(folder, 'tasks')]
      const postgres = (program: string, ...args: string[]) =>
        promisify(execFile)(join(citusPrefix!, 'bin', program), args, {
          env: { ...process.env, PGOPTIONS: '-c citus.enable_ddl_propagation=off' },
        })
      const other = await startCitus()
      try {
        await postgres('pg_dump', '--format=custom', `--file=${rows}`, cluster.coordinator.url)
        await postgres('pg_dump', '--format=custom', `--file=${tasks}`, '--schema=tasks_dumped', from.url)
        await postgres('pg_restore', `--dbname=${other.coordinator.url}`, rows)
        const environment = { CELLS: 'citus', DATABASE_URL: other.coordinator.url }
        expect(await runCommand(['cells', 'create', 'dumped'], environment)).toMatchObject({ status: 0, error: '' })
        const [cell] = await findCitusCells([other.coordinator.sql], other.coordinator.url)
        const node = other.workers.find(one => formatNode(one) === cell!.citus!.node)!
        await postgres('pg_restore', '--clean', '--if-exists', `--dbname=${node.url}`, tasks)
        await prepareCell(cell!, other.coordinator.sql)
        const sql = open(cell!.url)
        expect((await checkIdentity(sql, { readable, lastHeartbeatMs: null })).hold).toMatchObject({
          because: 'another_database',
        })
        expect(await sql`select from tasks_dumped.jobs where key = 'later'`).toHaveLength(1)
        const workspaces = (at: Database) => at`select id, name from workspaces`
        expect(await workspaces(sql)).toEqual(await workspaces(await openCell('dumped')))
        const [guards] = await sql`
          select count(*)::integer as count from pg_trigger t join pg_class c on c.oid = t.tgrelid
          where t.tgname like 'placement_guard_%' and c.relname like 'workspaces_%'`
        expect(guards!.count).toBe(1)
      } finally {
        await other.stop()
        rmSync(folder, { recursive: true })
      }
    })

    // The connections of the coordinator to this node are lost afterwards.
    test('waits for the node from before, which has the tasks', async () => {
      const { from, to } = await createUsedCell('waits')
      await cluster.coordinator.sql`
        select citus_schema_move('cell_waits', ${to.host}, ${to.port}, 'force_logical')`
      await from.kill()
      const sentence = `The node ${from.host}:${from.port} does not respond, and can have tasks of the cell "waits".`
      await expect(prepare('waits')).rejects.toThrow(sentence)
      expect((await run('cells', 'move', 'waits', '--to', `${to.host}:${to.port}`)).error).toStartWith(sentence)
      const back = `${from.host}:${from.port}`
      expect(await run('cells', 'move', 'waits', '--to', back)).toMatchObject({
        status: 1,
        error: `The cell "waits" was not moved: the node ${back} does not respond. Start it, and repeat the command.`,
      })
      expect(await stateOf('waits')).toEqual({ tasks: 0, isHere: false })
      await from.start()
      await prepare('waits')
      expect(await stateOf('waits')).toEqual({ tasks: 1, isHere: true })
    })

    test('holds the sending of a cell whose node from before is lost and removed', async () => {
      const { from, to } = await createUsedCell('removed')
      const coordinator = open(cluster.coordinator.url)
      for (const { name, port } of await readPlacements(coordinator))
        if (port === from.port)
          await coordinator`
            select citus_schema_move(${`cell_${name}`}::text::regnamespace, ${to.host}, ${to.port}, 'force_logical')`
      await from.kill()
      await coordinator`select citus_remove_node(${from.host}, ${from.port})`
      await prepare('removed')
      const { hold } = await checkIdentity(await openCell('removed'), { readable, lastHeartbeatMs: null })
      expect(hold).toMatchObject({ because: 'another_database' })
      expect(await stateOf('removed')).toEqual({ tasks: 0, isHere: true })
      await from.start()
    })
  })

  describe('with one role that migrates and another one that runs the service', () => {
    const cluster = use(startCitus)
    const rights = readFileSync(resolve(import.meta.dirname, '../../sql/roles/rights.sql'), 'utf8')
    const urlOf = (role: string) => cluster.coordinator.url.replace('postgres@', `engagement_${role}@`)
    beforeAll(async () => {
      // The coordinator creates a role at all nodes. Default privileges belong to one node.
      await cluster.coordinator.sql.unsafe(
        'create role engagement_migrating login; create role engagement_running login',
      )
      for (const { sql } of [cluster.coordinator, ...cluster.workers])
        await sql.unsafe(`set citus.enable_ddl_propagation = off; ${rights}; reset citus.enable_ddl_propagation`)
    })

    const changesOf = async (role: string, statement: string) => {
      const sql = open(placedUrl(urlOf(role), (await readPlacements(cluster.coordinator.sql))[0]!))
      return (await sql.unsafe(statement)).count
    }

    test('the second can use each table, and cannot keep the audit log for a shorter time', async () => {
      const { status, error } = await runCommand(['cells', 'create', 'one'], {
        CELLS: 'citus',
        DATABASE_URL: urlOf('migrating'),
      })
      expect([status, error]).toEqual([0, ''])
      const shard = async () => {
        const [placement] = await readPlacements(cluster.coordinator.sql)
        const sql = open(placedUrl(cluster.coordinator.url, placement!))
        const [row] = await sql`
          select relation::regclass::text as name from (${ownTables(sql)}) t where name = 'audit_retention'`
        return row!.name as string
      }
      const use = async () => {
        const insertion = `insert into workspaces (name, plan_id) values ('Shop', 'free')`
        expect(await changesOf('running', insertion)).toBe(1)
        expect(await changesOf('running', `insert into leases values ('a', uuidv7(), uuidv7(), uuidv7())`)).toBe(1)
        expect(await changesOf('running', 'select from audit_retention')).toBe(0)
        for (const table of ['audit_retention', await shard()])
          await expect(changesOf('running', `insert into ${table} (retention_seconds) values (86400)`)).rejects.toThrow(
            'permission denied',
          )
      }
      await use()
      const found = async (role: string) => (await findCitusCells([cluster.coordinator.sql], urlOf(role)))[0]!
      const prepare = async () => prepareCell(await found('running'), cluster.coordinator.sql)
      await prepare()
      const readable = { systemIdentifier: true, timeline: true }
      await checkIdentity(open((await found('running')).url), { readable, lastHeartbeatMs: null })
      const [{ host, port } = { host: '', port: 0 }] = await readPlacements(cluster.coordinator.sql)
      const target = cluster.workers.find(one => one.port !== port)!
      await cluster.coordinator.sql`
        select citus_schema_move('cell_one', ${target.host}, ${target.port}, 'force_logical')`
      expect(host).toBe(target.host)
      // Only the first role can create what a node needs.
      await expect(prepare()).rejects.toThrow('permission denied')
      expect(await migrateDatabase(await found('migrating'))).toEqual([])
      await prepare()
      const [stored] = await open((await found('running')).url)`select held_since as held from service_identity`
      expect(stored).toEqual({ held: null } as never)
      expect(await findOtherIdentity(open((await found('running')).url))).toBeNull()
      await use()
    })
  })
})
