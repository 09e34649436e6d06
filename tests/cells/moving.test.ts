/** Tests of cells of a Citus cluster that move to another node while they are used, and of nodes that are lost. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCitusCell } from '../../src/app/cells/citus-cell.ts'
import { migrateDatabase } from '../../src/app/database.ts'
import { hashSecret, newSecret } from '../../src/core/secrets.ts'
import { cellSchemaUrl, formatNode, placedUrl, readPlacements } from '../../src/platform/postgres/citus.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { findOtherIdentity } from '../../src/queue/hold/index.ts'
import { enqueue } from '../../src/queue/tasks.ts'
import { runCommand } from '../support/command.ts'
import { endProcesses, type ServiceProcess, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { bearer, eventually, makeOwned } from '../support/world.ts'
import { type CitusNode, citusPrefix, startCitus } from './cluster.ts'

setDefaultTimeout(240_000)

/** Seconds of the load while a cell moves. CITUS_LOAD_SECONDS makes it shorter during development. */
const loadSeconds = Number(process.env.CITUS_LOAD_SECONDS ?? 60)
const callers = 64

/** Maximum milliseconds until a caller whose call was rejected succeeds. */
const maxRefusalMs = 5000

const password = 'correct horse battery'

interface Load {
  acknowledged: string[]
  /** Answers by status. */
  statuses: Record<number, number>
  /** Rejections without a Retry-After header. */
  withoutRetryAfter: number
  longestRefusalMs: number
  /** Longest time until an event was acknowledged, with its repetitions. */
  longestMs: number
}

describe.skipIf(citusPrefix === null)('a cell of Citus that moves', () => {
  const started = use(async () => {
    const cluster = await startCitus()
    const receiver = await startReceiver()
    const settings = {
      CELLS: 'citus',
      DATABASE_URL: cluster.coordinator.url,
      WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    }
    await migrateDatabase({ url: cluster.coordinator.url })
    const start = (ROLES: string) => startProcess({ ...settings, ROLES })
    const [http, worker, both] = await Promise.all([start('http'), start('worker'), start('http,worker')])
    const stop = async () => {
      await endProcesses()
      await receiver.stop()
      await cluster.stop()
    }
    return { cluster, receiver, settings, processes: [http, worker, both], answering: [http, both], stop }
  })
  const keys = new Map<string, string>()
  const owners = new Map<string, Record<string, string>>()

  let calls = 0
  const nextProcess = () => started.answering[calls++ % started.answering.length]!
  const call = async (
    method: string,
    path: string,
    as: Record<string, string>,
    body?: unknown,
    { url }: ServiceProcess = nextProcess(),
  ) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...as, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  const run = (...args: string[]) => runCommand(args, started.settings)

  const nodeOf = async (name: string): Promise<CitusNode> => {
    const [placement] = (await readPlacements(started.cluster.coordinator.sql)).filter(cell => cell.name === name)
    return started.cluster.workers.find(({ port }) => port === placement!.port)!
  }
  const otherNode = (node: CitusNode): CitusNode => started.cluster.workers.find(one => one !== node)!
  const openCell = async (name: string): Promise<Database> =>
    connect({
      url: placedUrl(started.cluster.coordinator.url, { name, ...(await nodeOf(name)) }),
      applicationName: 'test',
      max: 2,
    })

  /** Waits until this is true for each process that answers calls. */
  const untilAll = (what: string, isTrue: (one: ServiceProcess) => Promise<boolean>): Promise<unknown> =>
    Promise.all(started.answering.map(one => eventually(what, () => isTrue(one), 10_000)))

  /** Creates a cell with a workspace whose workflow writes to the customer of each event, with a webhook. */
  const createCellWithWorkspace = async (name: string): Promise<void> => {
    await createCitusCell(started.cluster.coordinator.url, name)
    const sql = await openCell(name)
    const email = `${name}@shop.example`
    await makeOwned(started.cluster.coordinator.sql, name, email, sql)
    await sql.end()
    await untilAll(`${name} works`, async one => {
      const signedIn = await call('POST', '/v1/auth/sign-in', {}, { email, password }, one)
      if (signedIn.status !== 200) return false
      owners.set(name, bearer(signedIn.body.token))
      return (await call('GET', '/v1/workspace', owners.get(name)!, undefined, one)).status === 200
    })
    const as = owners.get(name)!
    const post = async (path: string, body?: unknown) => (await call('POST', path, as, body)).body
    keys.set(name, (await post('/v1/api-keys', { name: 'shop' })).key)
    await post('/v1/webhooks', { url: started.receiver.url, events: ['message.status'] })
    await post('/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
    const { id } = await post('/v1/workflows', {
      name: 'Greeting',
      definition: {
        trigger: { eventType: 'order.placed' },
        start: 'greet',
        steps: { greet: { type: 'send_message', text: 'Hello', next: null } },
      },
    })
    await post(`/v1/workflows/${id}/publish`)
    expect((await call('PATCH', `/v1/workflows/${id}`, as, { enabled: true })).status).toBe(200)
  }

  let phones = 0
  const event = () => ({
    type: 'order.placed',
    phone: `+49157${String(++phones).padStart(8, '0')}`,
    idempotencyKey: crypto.randomUUID(),
  })

  /** Sends events with 64 callers until `work` is done and the time is over. A rejected event is sent again. */
  const underLoad = async (name: string, work: () => Promise<unknown>, seconds = loadSeconds): Promise<Load> => {
    const load: Load = { acknowledged: [], statuses: {}, withoutRetryAfter: 0, longestRefusalMs: 0, longestMs: 0 }
    let isOver = false
    const sendOne = async () => {
      const body = event()
      const startedAt = performance.now()
      let refusedAt: number | null = null
      for (;;) {
        const answer = await call('POST', '/v1/events', { 'X-API-Key': keys.get(name)! }, body)
        load.statuses[answer.status] = (load.statuses[answer.status] ?? 0) + 1
        if (refusedAt !== null) load.longestRefusalMs = Math.max(load.longestRefusalMs, performance.now() - refusedAt)
        if (answer.status === 201 || answer.status === 200) {
          load.acknowledged.push(answer.body.event.id)
          load.longestMs = Math.max(load.longestMs, performance.now() - startedAt)
          return
        }
        if (answer.headers.get('retry-after') === null) load.withoutRetryAfter++
        refusedAt ??= performance.now()
        if (performance.now() - refusedAt > 20_000) return
        await sleep(100)
      }
    }
    const caller = async () => {
      while (!isOver) await sendOne()
    }
    const calling = Array.from({ length: callers }, caller)
    await Promise.all([sleep(seconds * 1000), sleep((seconds * 1000) / 5).then(work)]).finally(() => {
      isOver = true
    })
    await Promise.all(calling)
    return load
  }

  /** Returns the IDs of acknowledged events that the cell does not have. */
  const lostOf = async (name: string, { acknowledged }: Load): Promise<string[]> => {
    const sql = await openCell(name)
    const rows = await sql<{ id: string }[]>`
      select id from unnest(${acknowledged}::uuid[]) as a(id) where not exists (select from events e where e.id = a.id)`
    await sql.end()
    return rows.map(({ id }) => id)
  }

  /** Pulls outbound events until there are no more. Returns their IDs and the last cursor. */
  const pull = async (name: string, after: string): Promise<{ ids: string[]; cursor: string }> => {
    const ids: string[] = []
    for (let cursor = after; ; ) {
      const { status, body } = await call('GET', `/v1/outbound-events/pull?after=${cursor}`, owners.get(name)!)
      expect(status).toBe(200)
      ids.push(...body.data.map((event: { id: string }) => event.id))
      cursor = body.cursor
      if (!body.hasMore) return { ids, cursor }
    }
  }

  /** Waits until each event has its run, its message and its webhooks, and the receiver has them. */
  const untilDelivered = async (name: string): Promise<void> => {
    const sql = await openCell(name)
    const open = async () => {
      const [row] = await sql<[{ open: number }]>`
        select ((select count(*) from deliveries where status <> 'delivered')
          + (select count(*) from outbound_events where fanned_out_at is null)
          + (select count(*) from messages where status = 'queued')
          + (select count(*) from events e where not exists (
            select from workflow_runs r join messages m on m.run_id = r.id where r.event_id = e.id and r.status = 'done')))::integer
          as open`
      return row.open
    }
    await eventually('everything that is owed is delivered', async () => (await open()) === 0, 120_000)
    const owed = await sql<{ id: string }[]>`select distinct event_id as id from deliveries`
    await sql.end()
    const received = new Set(
      started.receiver.requests.map(({ headers }) => headers['x-service-event-id'] ?? headers['webhook-id']),
    )
    expect(owed.length).toBeGreaterThan(0)
    expect(owed.filter(({ id }) => !received.has(id))).toEqual([])
  }

  const expectNothingLost = async (name: string, load: Load): Promise<void> => {
    const [refusal, longest] = [load.longestRefusalMs, load.longestMs].map(Math.round)
    console.info(
      `${name}: acknowledged ${load.acknowledged.length}, longest refusal ${refusal} ms, longest event ${longest} ms`,
      load.statuses,
    )
    expect(Object.keys(load.statuses).filter(status => !['200', '201', '503'].includes(status))).toEqual([])
    expect(load.withoutRetryAfter).toBe(0)
    expect(load.longestRefusalMs).toBeLessThan(maxRefusalMs)
    expect(await lostOf(name, load)).toEqual([])
    await untilDelivered(name)
  }

  /** Adds a task that is due in an hour, with the key `later`. */
  const addTask = async (name: string): Promise<void> => {
    const sql = await openCell(name)
    const [workspace] = await sql<{ id: string }[]>`select id from workspaces`
    const payload = { workspaceId: workspace!.id, workflowId: workspace!.id, startedBy: 'x' }
    await enqueue(sql, 'stop_runs', payload, 'later', 3_600_000)
    await sql.end()
  }

  test('loses nothing under load, and answers 503 for at most 5 seconds', async () => {
    await createCellWithWorkspace('load')
    const to = otherNode(await nodeOf('load'))
    await underLoad('load', async () => {}, 1)
    await untilDelivered('load')
    const before = await pull('load', 'beginning')
    const load = await underLoad('load', () => run('cells', 'move', 'load', '--to', formatNode(to)))
    expect((await nodeOf('load')).port).toBe(to.port)
    await expectNothingLost('load', load)
    for (const { lines } of started.processes) {
      const moves = lines.filter(({ msg }) => msg === 'the cell has moved')
      expect(moves).toEqual([expect.objectContaining({ cell: 'load', node: formatNode(to) })])
    }

    // The new node had assigned fewer transaction ids. A cursor from before still finds what follows, in order.
    const sql = await openCell('load')
    const [stream] = await sql`
      select (select stream_offset > 0 from service_identity) as raised, count(*)::integer as count from outbound_events`
    await sql.end()
    expect(stream!.raised).toBe(true)
    const after = await pull('load', before.cursor)
    const all = await pull('load', 'beginning')
    expect(all.ids).toHaveLength(stream!.count)
    expect([...before.ids, ...after.ids]).toEqual(all.ids)
  })

  test('loses events without the placement guard', async () => {
    await createCellWithWorkspace('bare')
    const sql = connect({
      url: cellSchemaUrl(started.cluster.coordinator.url, 'bare'),
      applicationName: 'test',
      max: 1,
    })
    const tables = await sql<{ name: string }[]>`
      select tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where tgname = 'placement_guard' and c.relnamespace = 'cell_bare'::regnamespace`
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) await sql.unsafe(`drop trigger placement_guard on ${name}`)
    await sql.end()
    const to = otherNode(await nodeOf('bare'))
    const load = await underLoad('bare', () => run('cells', 'move', 'bare', '--to', formatNode(to)))
    const lost = await lostOf('bare', load)
    console.info(`without the guard: acknowledged ${load.acknowledged.length}, lost ${lost.length}`)
    expect(lost.length).toBeGreaterThan(0)
  })

  test('takes its tasks along, also if the command was killed', async () => {
    await createCellWithWorkspace('tasks')
    const from = await nodeOf('tasks')
    const to = otherNode(from)
    await addTask('tasks')
    const command = spawn(process.execPath, ['src/main.ts', 'cells', 'move', 'tasks', '--to', formatNode(to)], {
      env: { ...process.env, ...started.settings },
      stdio: 'ignore',
    })
    await eventually('the cell moves', async () => {
      const moves = await started.cluster.coordinator.sql`
        select from pg_stat_activity where query like '%citus_schema_move(%' and pid <> pg_backend_pid() and state = 'active'`
      return moves.length > 0
    })
    command.kill('SIGKILL')
    // Citus can still be busy with the first attempt.
    await eventually(
      'the repeated command completes the move',
      async () => {
        const { status, error } = await run('cells', 'move', 'tasks', '--to', formatNode(to))
        if (status !== 0) expect(error).toMatch(/^The cell "tasks" was not moved: .* Repeat the command\.$/)
        return status === 0
      },
      60_000,
    )
    const after = await openCell('tasks')
    const jobs = await after`
      select task_identifier as name, extract(epoch from run_at - now()) > 3000 as later from tasks_tasks.jobs where key = 'later'`
    expect(jobs).toEqual([{ name: 'stop_runs', later: true }] as never)
    expect(await after`select from service_identity where held_since is not null`).toHaveLength(0)
    await after.end()
    expect(
      await from.sql`select nspname from pg_namespace where nspname in ('tasks_tasks', 'here_tasks')`,
    ).toHaveLength(0)
    const list = await run('cells', 'list', '--json')
    expect(list.out).toContain(`"node":"${formatNode(to)}","cell":"tasks","responds":true`)
  })

  test('drain moves all cells of a node', async () => {
    const from = await nodeOf('tasks')
    const { status, error } = await run('cells', 'drain', formatNode(from), '--json')
    expect([status, error]).toEqual([0, ''])
    const placements = await readPlacements(started.cluster.coordinator.sql)
    expect(placements.filter(({ port }) => port === from.port)).toEqual([])
    const drained = await run('cells', 'drain', formatNode(from))
    expect(drained).toMatchObject({ status: 0, out: `The node ${formatNode(from)} has no cells.\n` })
  })

  test('follows the rebalancer and the drain of Citus, and loses nothing', async () => {
    const { coordinator, workers } = started.cluster
    const sql = connect({ url: coordinator.url, applicationName: 'test', max: 2, maxStatementMs: 0, silenceSeconds: 0 })
    const cells = ['load', 'tasks']
    const portsOf = async () => (await readPlacements(sql)).map(({ port }) => port)
    const work = async (move: () => Promise<unknown>): Promise<void> => {
      const before = await portsOf()
      const isMoved = move()
      const loads = await Promise.all(cells.map(name => underLoad(name, () => isMoved, 5)))
      expect(await portsOf()).not.toEqual(before)
      for (const [index, load] of loads.entries()) await expectNothingLost(cells[index]!, load)
      // A cell can move back when its former node has dropped its tables.
      await eventually(
        'the old tables are dropped',
        async () => !(await sql`select from pg_dist_cleanup`).length,
        30_000,
      )
    }
    await addTask('load')
    await work(async () => {
      await sql`select citus_rebalance_start()`
      await sql`select citus_rebalance_wait()`
    })
    const { host, port } = workers[0]!
    await work(() => sql`select citus_drain_node(${host}, ${port})`.execute())
    expect(await portsOf()).not.toContain(port)
    await sql`select citus_set_node_property(${host}, ${port}, 'shouldhaveshards', true)`
    await sql.end()
    for (const name of cells) {
      const cell = await openCell(name)
      expect(await findOtherIdentity(cell)).toBeNull()
      expect(await cell`select from service_identity where held_since is not null`).toHaveLength(0)
      expect(await cell`select from ${cell(`tasks_${name}`)}.jobs where key = 'later'`).toHaveLength(1)
      await cell.end()
    }
  })

  test('explains what cannot be moved', async () => {
    const [node] = started.cluster.workers.map(formatNode)
    const nodes = started.cluster.workers.map(formatNode).sort().join(', ')
    const answers = {
      [`cells move nowhere --to ${node}`]: 'There is no cell "nowhere". The cells are ',
      [`cells move main --to ${node}`]: 'The cell "main" cannot be moved, because it is the database of DATABASE_URL.',
      'cells move tasks --to 127.0.0.1:1': `There is no node 127.0.0.1:1 for cells. The nodes are ${nodes}.`,
      'cells drain 127.0.0.1:1': 'There is no node 127.0.0.1:1 for cells.',
      'cells move tasks': 'The option --to is missing.',
      'cells move tasks --to nowhere': 'A node is HOST:PORT, not "nowhere".',
    }
    for (const [line, error] of Object.entries(answers))
      expect((await run(...line.split(' '))).error).toStartWith(error)
    expect((await run('cells', 'move', 'nowhere', '--to', node!)).error).not.toContain('main')
    const plain = await runCommand(['cells', 'move', 'b', '--to', node!], {
      DATABASE_URL: started.cluster.coordinator.url,
    })
    expect(plain.error).toStartWith('CELLS must be citus to move a cell.')
  })

  test('does not reject the key of a new cell as unknown', async () => {
    for (const name of ['new_1', 'new_2']) {
      await createCitusCell(started.cluster.coordinator.url, name)
      const sql = await openCell(name)
      const workspaceId = await makeOwned(started.cluster.coordinator.sql, name, `${name}@shop.example`, sql)
      const key = newSecret('ces_')
      await sql`
        insert into api_keys (workspace_id, name, prefix, key_hash, created_by)
        values (${workspaceId}, 'shop', ${key.slice(0, 12)}, decode(${hashSecret(key)}, 'hex'), gen_random_uuid())`
      await sql.end()
      await untilAll(`${name} works`, async one => {
        const { status, headers } = await call('POST', '/v1/events', { 'X-API-Key': key }, event(), one)
        expect([status, headers.get('retry-after')]).toBeOneOf([
          [201, null],
          [503, '1'],
        ])
        return status === 201
      })
    }
    const unknown = await call('POST', '/v1/events', { 'X-API-Key': newSecret('ces_') }, event())
    expect(unknown.status).toBe(401)
  })

  const send = async (name: string, one?: ServiceProcess) =>
    (await call('POST', '/v1/events', { 'X-API-Key': keys.get(name)! }, event(), one)).status

  test('works on while another node or the coordinator is lost, and recovers', async () => {
    await createCellWithWorkspace('other')
    const { coordinator } = started.cluster
    const [node, lost] = [await nodeOf('load'), otherNode(await nodeOf('load'))]
    if ((await nodeOf('other')) !== lost) await run('cells', 'move', 'other', '--to', formatNode(lost))
    await untilAll(
      'both cells work',
      async one => (await send('load', one)) === 201 && (await send('other', one)) === 201,
    )

    const withoutNode = await underLoad('load', () => lost.kill(), 3)
    expect(Object.keys(withoutNode.statuses)).toEqual(['201'])
    expect(await lostOf('load', withoutNode)).toEqual([])
    expect(await send('other')).toBe(503)
    await lost.start()
    await untilAll('the cell of the lost node works', async one => (await send('other', one)) === 201)

    const withoutCoordinator = await underLoad('load', () => coordinator.kill(), 3)
    expect(Object.keys(withoutCoordinator.statuses)).toEqual(['201'])
    expect(await send('other')).toBe(201)
    expect((await call('GET', '/v1/workspace', owners.get('load')!)).status).toBe(503)
    await coordinator.start()
    const owner = owners.get('load')!
    await untilAll(
      'people are served',
      async one => (await call('GET', '/v1/workspace', owner, undefined, one)).status === 200,
    )
    expect(await lostOf('load', withoutCoordinator)).toEqual([])
    await node.kill()
    expect(await send('load')).toBe(503)
    await node.start()
    await untilAll('the cell works', async one => (await send('load', one)) === 201)
    await untilDelivered('load')
  })
})
