/** Tests of `workspace export`, `import` and `delete`: a used workspace moves to another database. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { insertServiceMember } from '../../../src/accounts/members/sql.ts'
import { insertServiceAccount } from '../../../src/accounts/users/index.ts'
import { findCallbackChannels } from '../../../src/messaging/channels/sql.ts'
import type { Sql } from '../../../src/platform/postgres/client.ts'
import { importWorkspace, removeWorkspace } from '../../../src/privacy/workspaces/index.ts'
import { exportedTables } from '../../../src/privacy/workspaces/tables.ts'
import { pausableKinds, readPauses } from '../../../src/queue/pauses/index.ts'
import { enqueue } from '../../../src/queue/tasks.ts'
import { makeTemplate } from '../../support/campaigns.ts'
import { readTables } from '../../support/catalogue.ts'
import { runCommand } from '../../support/command.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { bearer, eventually, newPhone, type Person, unknownId, useWorld, type World } from '../../support/world.ts'

const folder = use(async () => {
  const path = mkdtempSync(join(tmpdir(), 'transfer-'))
  return { path, stop: async () => rmSync(path, { recursive: true }) }
})
const receiver = use(startReceiver)
const settings = () => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target, SECRETS_KEY: secretsKey })
const secretsKey = Buffer.alloc(32, 7).toString('base64')
const source = useWorld(settings)
/** A service on another database. Its workspace has the same id as that of the source, and is deleted first. */
const target = useWorld(settings)
/** A database without a service. */
const idle = useDatabase()

const command = (url: string, line: string) => runCommand(['workspace', ...line.split(' ')], { DATABASE_URL: url })
const fileOf = (lines: readonly string[]): string => {
  const path = join(folder.path, `${crypto.randomUUID()}.jsonl`)
  writeFileSync(path, lines.map(line => `${line}\n`).join(''))
  return path
}
const workspaceId = () => source.workspaceId

let agent: Person
let channelId: string
let conversationId: string

/**
 * Does everything that a workspace stores: events, runs, messages, deliveries, a campaign, a conversation and a sale.
 */
const fill = async (world: World) => {
  channelId = await world.sandbox()
  agent = await world.person('agent')
  const body = { url: receiver.url, events: ['message.status'], headers: { 'X-Shop': 'secret' } }
  await world.expect(201, 'POST', '/v1/webhooks', { body })
  const thanks = { type: 'send_message', text: 'Thank you', next: 'wait' }
  const wait = { type: 'delay', for: '1h', next: null }
  await world.workflow({ trigger: { eventType: 'order.created' }, start: 'thanks', steps: { thanks, wait } })
  const data = { total: 12345678901234567890n, price: '129.90', text: 'Grüße "👋" \\ \u2028' }
  const raw = (phone: string) =>
    JSON.stringify({ type: 'order.created', phone, idempotencyKey: phone, data: { ...data, total: 0 } }).replace(
      '"total":0',
      `"total":${data.total}`,
    )
  for (let n = 0; n < 3; n++)
    await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      raw: raw(newPhone()),
      headers: { 'Content-Type': 'application/json' },
    })
  await world.call('POST', '/v1/events', { as: 'key', body: { type: 'invalid', phone: 'none' } })
  const templateId = await makeTemplate(world.database.sql, world.workspaceId)
  const content = { channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const campaign = await world.expect(201, 'POST', '/v1/campaigns', { body: { name: 'All', ...content } })
  await world.expect(202, 'POST', `/v1/campaigns/${campaign.id}/start`, { body: {} })
  const message = { from: newPhone(), text: 'Hello' }
  await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body: message })
  const found = await eventually('the conversation', async () => {
    const { data } = await world.expect(200, 'GET', '/v1/conversations?waiting=true')
    return data[0]
  })
  conversationId = found.id
  const assigned = { body: { assigneeId: agent.id } }
  await world.expect(200, 'PATCH', `/v1/conversations/${conversationId}`, assigned)
  const sale = { amount: 129.9, currency: 'EUR' }
  await world.expect(201, 'POST', `/v1/conversations/${conversationId}/sale`, { as: agent.as, body: sale })
  await world.expect(201, 'POST', '/v1/saved-views', { body: { list: 'customers', name: 'Mine', search: 'q=a' } })
  const userId = await insertServiceAccount(world.database.sql, { name: 'Terraform', workspaceId: world.workspaceId })
  await insertServiceMember(world.database.sql, { workspaceId: world.workspaceId, userId, role: 'agent' })
  await eventually('the campaign is completed', async () => {
    const { status } = await world.expect(200, 'GET', `/v1/campaigns/${campaign.id}`)
    return status === 'completed'
  })
  await receiver.waitFor(6)
  await eventually('only runs are due', async () => {
    const rows = await world.database.sql`
      select 1 from deliveries where due_at is not null union all select 1 from messages where due_at is not null
      union all select 1 from outbound_events where fanned_out_at is null`
    return rows.length === 0
  })
}

/** Reads the lists of the API. */
const readAll = async (world: World, as?: Record<string, string>) => {
  const paths = [
    '/v1/customers',
    '/v1/events',
    '/v1/conversations',
    '/v1/messages',
    '/v1/templates',
    '/v1/campaigns',
    '/v1/sales',
    '/v1/workflows',
    '/v1/channels',
    '/v1/webhooks',
    '/v1/outbound-events',
    '/v1/saved-views',
    '/v1/activity/not-accepted',
    '/v1/activity/summary',
  ]
  const found: Record<string, unknown> = {}
  for (const path of paths) found[path] = await world.expect(200, 'GET', path, as ? { as } : {})
  return found
}

test('is not exported while a task completes an action in it', async () => {
  const { sql } = source.database
  await enqueue(sql, 'skip_messages', { workspaceId: workspaceId(), channelId }, 'test', 60_000)
  expect(await command(source.database.url, `export ${workspaceId()}`)).toMatchObject({
    status: 1,
    error: 'The task "skip_messages" of the workspace has not ended. Export again in a minute.',
  })
  await sql`select graphile_worker.remove_job('test')`
})

let lines: string[] = []
beforeAll(async () => {
  await fill(source)
}, 60_000)

test('exports one row per line, with the number of rows of each table at the end', async () => {
  const { status, out, error } = await command(source.database.url, `export ${workspaceId().toUpperCase()}`)
  expect([status, error]).toEqual([0, expect.stringMatching(/^Exported \d+ rows of the workspace /)])
  lines = out.trimEnd().split('\n')
  const parsed = lines.map(line => JSON.parse(line) as Record<string, object>)
  expect(parsed[0]!.header).toMatchObject({ format: 'customer-engagement-workspace', workspaceId: workspaceId() })
  const counts = (parsed.at(-1) as { end: { rows: Record<string, number> } }).end.rows
  for (const { name } of exportedTables)
    expect([name, parsed.filter(line => name in line).length]).toEqual([name, counts[name]!])
  const used = Object.entries(counts).filter(([, count]) => count > 0)
  expect(used.length).toBeGreaterThan(25)
  // Values that a double or a careless text would change.
  expect(out).toContain('"total": 12345678901234567890')
  expect(out).not.toContain('X-Shop: secret')
  const members = parsed.flatMap(line => (line.members ? [line.members] : [])) as {
    account: { email: string | null }
  }[]
  expect(members.map(({ account }) => account.email).sort()).toEqual([null, source.owner.email, agent.email].sort())
})

test('a workspace that is not complete gives no access', async () => {
  const { sql } = target.database
  const id = await target.sandbox()
  const body = { name: 'CI', access: 'read' }
  const { token } = await target.expect(201, 'POST', '/v1/auth/tokens', { body })
  const invited = { email: 'invited@example.com', role: 'agent' }
  const { invitation } = await target.expect(201, 'POST', '/v1/members', { body: invited })
  const accept = () =>
    target.answer('POST', '/v1/auth/accept-invitation', {
      as: 'nobody',
      body: { token: invitation.token, password: 'a long enough passphrase' },
    })
  const answers = async () => [
    await target.answer('GET', '/v1/events', { as: 'key' }),
    await target.answer('GET', '/v1/events'),
    await target.answer('GET', '/v1/events', { as: bearer(token) }),
    (await findCallbackChannels(sql, [id])).length,
  ]
  expect(await answers()).toEqual(['200', '200', '200', 1])
  await sql`update workspaces set closed_for = 'import', import_started_at = now()`
  expect(await answers()).toEqual(['401 unauthorized', '403 forbidden', '401 unauthorized', 0])
  expect(await accept()).toBe('422 unprocessable')
  expect(await sql`select 1 from users where email = ${invited.email}`).toHaveLength(0)
  await sql`update workspaces set closed_for = null, import_started_at = null`
})

test('a deletion under load ends access in its first transaction, and leaves only the audit log', async () => {
  const { sql } = target.database
  const thanks = { type: 'send_message', text: 'Thank you', next: null }
  await target.workflow({ trigger: { eventType: 'order.created' }, start: 'thanks', steps: { thanks } })
  await target.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  const body = () => ({ type: 'order.created', phone: newPhone() })
  let recorded = 0
  const record = async (): Promise<string> => {
    const answer = await target.answer('POST', '/v1/events', { as: 'key', body: body() })
    if (answer !== '201') return answer
    recorded++
    return record()
  }
  const senders = Promise.all(Array.from({ length: 8 }, record))
  await eventually('work is in progress', () => recorded > 50)
  const { name, rows } = await removeWorkspace(sql, workspaceId(), { graceMs: 1000 })
  expect(await senders).toEqual(Array.from({ length: 8 }, () => '401 unauthorized'))
  expect([name, rows.events, rows.api_keys]).toEqual(['Shop', recorded, 1])
  for (const table of exportedTables.map(one => one.name).filter(one => one !== 'audit_entries'))
    expect([table, (await sql`select 1 from ${sql(table)}`).length]).toEqual([table, 0])
  expect(await sql`select 1 from access_tokens union all select 1 from workspaces`).toHaveLength(0)
  const entries = await sql`select detail from audit_entries where action = 'deleteWorkspace'`
  expect(entries.map(({ detail }) => detail)).toEqual([{ name: 'Shop' }])
})

describe('an import', () => {
  let before: Awaited<ReturnType<typeof readAll>>
  beforeAll(async () => {
    before = await readAll(source)
    const { status, out, error } = await command(target.database.url, `import ${fileOf(lines)}`)
    expect([status, error]).toEqual([0, ''])
    expect(out).toStartWith(`Imported `)
    for (const kind of pausableKinds) expect(out).toContain(`resume ${kind} --workspace ${workspaceId()}\n`)
  })

  test('has the records of the source, and they are complete', async () => {
    expect(await readAll(target)).toEqual(before)
    expect(await runCommand(['verify', '--json'], { DATABASE_URL: target.database.url })).toMatchObject({ status: 0 })
  })

  test('has the members by address, and keeps what they did', async () => {
    const { data } = await target.expect(200, 'GET', '/v1/members')
    const people = data.map(({ email, name, role }: Record<string, unknown>) => [email, name, role])
    expect(people.sort()).toEqual(
      [
        [source.owner.email, 'owner', 'owner'],
        [agent.email, 'Kim', 'agent'],
        [null, 'Terraform', 'agent'],
      ].sort(),
    )
    const conversation = await target.expect(200, 'GET', `/v1/conversations/${conversationId}`)
    expect(conversation.assigneeId).toBe(agent.id)
    // The password of the new account is unknown.
    const credentials = { email: agent.email, password: source.owner.password }
    expect(await target.answer('POST', '/v1/auth/sign-in', { as: 'nobody', body: credentials })).toBe(
      '401 unauthorized',
    )
  })

  test('is paused, and sends a webhook after it is resumed', async () => {
    const sent = receiver.requests.length
    const key = { 'X-API-Key': source.key.value }
    const body = { type: 'order.created', phone: newPhone() }
    const { event } = await target.expect(201, 'POST', '/v1/events', { as: key, body })
    const [run] = await target.database.sql`select wake_at from workflow_runs where event_id = ${event.id}`
    expect(run!.wake_at).not.toBeNull()
    for (const kind of pausableKinds)
      await runCommand(['resume', kind, '--workspace', workspaceId()], { DATABASE_URL: target.database.url })
    await receiver.waitFor(sent + 1)
    expect(receiver.requests.at(-1)!.headers['x-shop']).toBe('secret')
  })

  test('is refused for a workspace that exists, which stays unchanged', async () => {
    expect(await command(target.database.url, `import ${fileOf(lines)}`)).toEqual({
      status: 1,
      out: '',
      error: `The workspace ${workspaceId()} exists in this database. An import never changes a workspace.`,
    })
    expect(await target.answer('GET', '/v1/events')).toBe('200')
  })
})

describe('a file that cannot be imported leaves nothing', () => {
  const start = (...more: string[]) => [lines[0]!, lines[1]!, ...more]
  const first = (table: string) => lines.find(line => line.startsWith(`{"${table}":`))!
  const replaced = (from: RegExp, to: string) => start().map(line => line.replace(from, to))
  const endOf = (rows: Record<string, number>) => JSON.stringify({ end: { rows } })
  const serviceAccount = (from: RegExp, to: string) =>
    lines.find(line => line.startsWith('{"members":') && line.includes('"service"'))!.replace(from, to)
  const holder = 'victim@example.com'
  const countAll = async () => {
    const counts: Record<string, number> = {}
    for (const name of await readTables(idle.sql))
      counts[name] = (await idle.sql`select 1 from ${idle.sql(name)}`).length
    return counts
  }
  beforeAll(async () => {
    const { sql } = idle
    const other = await newWorkspace(sql)
    const columns = lines.find(line => line.startsWith('{"channels":'))!.slice('{"channels":'.length, -1)
    await sql`insert into channels select (json_populate_record(null::channels,
      (${columns}::text::jsonb || jsonb_build_object('workspace_id', ${other}::text))::json)).*`
    await sql`insert into users (email, name, password_hash, confirmed_at) values (${holder}, 'Victim', 'x', now())`
  })
  afterAll(async () => {
    await idle.sql`delete from channels`
    await idle.sql`delete from workspaces`
    await idle.sql`delete from users`
  })
  test.each<[string, () => string[], string | RegExp]>([
    ['text', () => ['hello'], 'The file is not an exported workspace. "workspace export" writes such files.'],
    ['nothing', () => [], 'The file is not an exported workspace. "workspace export" writes such files.'],
    [
      'another format version',
      () => replaced(/"formatVersion":1/, '"formatVersion":2'),
      'The file has the format version 2, and this release reads 1.',
    ],
    [
      'another schema',
      () => replaced(/"schema":"\w+"/, '"schema":"other"'),
      /^The file was exported by version \S+ with the migration \S+, but this database has \S+\. Export and import with the same release\.$/,
    ],
    ['an incomplete file', () => start(first('members')), 'The file is not complete: it has no line "end".'],
    [
      'missing rows',
      () => start(first('members'), first('end')),
      'The file has 1 rows of members, but its last line states 3.',
    ],
    ['lines after the end', () => start(first('end'), lines[2]!), 'The file has more lines after the line "end".'],
    [
      'a row at a wrong place',
      () => start(first('api_keys'), first('members')),
      'Line 4 of the file has an unexpected row of "members".',
    ],
    [
      'half a line',
      () => start(first('members').slice(0, 40)),
      'Line 3 of the file is not a line of an exported workspace.',
    ],
    [
      'a wrong value',
      () => start(first('members'), '{"customers":{"id":"x"}}', first('events')),
      /^PostgreSQL rejected rows of customers up to line 5 of the file: /,
    ],
    [
      'two rows in one line',
      () => start('{"customers":{"phone":"+4915112345678"},{"phone":"+4915112345679"}}'),
      'Line 3 of the file is not valid JSON.',
    ],
    [
      'a service account with the address of a person',
      () => start(serviceAccount(/("account":.*?"email":)null/, `$1"${holder}"`), endOf({ members: 1 })),
      'A member in the file has an account of another kind.',
    ],
    [
      'a channel of another workspace',
      () => start(...lines.filter(line => line.startsWith('{"channels":')), endOf({ channels: 1 })),
      /^Another workspace has the channel \S+ of the file\. /,
    ],
    [
      'entries of the audit log, and a wrong number of rows',
      () => start(...lines.filter(line => line.startsWith('{"audit_entries":')), endOf({})),
      /^The file has \d+ rows of audit_entries, but its last line states 0\.$/,
    ],
    ['an unknown plan', () => replaced(/"plan_id": "\w+"/, '"plan_id": "gold"'), /has the plan "gold"/],
  ])('%s', async (_, content, message) => {
    idle.expectErrors('22P02', '23502', '23503')
    const before = await countAll()
    const { status, out, error } = await command(idle.url, `import ${fileOf(content())}`)
    expect([status, out, error]).toEqual([
      1,
      '',
      typeof message === 'string' ? message : expect.stringMatching(message),
    ])
    expect(await countAll()).toEqual(before)
  })

  test('a line over 16 MiB, and a file that does not exist', async () => {
    const long = fileOf([lines[0]!, lines[1]!, `{"members":{"a":"${'x'.repeat(16 * 1024 * 1024)}"}}`])
    expect(await command(idle.url, `import ${long}`)).toMatchObject({
      status: 1,
      error: 'Line 3 of the file is longer than 16 MiB.',
    })
    expect((await command(idle.url, 'import /none')).error).toMatch(/^\/none cannot be read: ENOENT/)
  })
})

/** Locks of exports, imports and deletions in this database. Other tests have theirs in the same server. */
const transferLocks = (sql: Sql) => sql`(
  select pid from pg_locks where locktype = 'advisory' and classid = ${0x777370}::oid
    and database = (select oid from pg_database where datname = current_database()))`

test('an import ends without the connection that has its lock, and a deletion or the next one removes its rows and accounts', async () => {
  const { sql } = idle
  idle.expectErrors('57P01')
  async function* file() {
    for (const line of lines) {
      yield Buffer.from(`${line}\n`)
      if ((await sql`select 1 from users`).length === 0) continue
      await sql`select pg_terminate_backend(pid) from ${transferLocks(sql)} locks`
    }
  }
  const interrupt = async () => {
    await expect(importWorkspace(sql, file())).rejects.toThrow(
      'The connection with the lock of the workspace was lost.',
    )
    expect(await sql`select closed_for from workspaces`).toMatchObject([{ closed_for: 'import' }])
    expect(await sql`select 1 from users where email = ${agent.email}`).toHaveLength(1)
  }
  await interrupt()
  await removeWorkspace(sql, workspaceId())
  expect(await sql`select 1 from workspaces union all select 1 from users`).toHaveLength(0)
  await interrupt()
  const failing = fileOf([lines[0]!, lines[1]!, '{"customers":{"id":"x"}}', '{"end":{"rows":{}}}'])
  idle.expectErrors('22P02')
  expect((await command(idle.url, `import ${failing}`)).status).toBe(1)
  expect(await sql`select 1 from workspaces union all select 1 from users`).toHaveLength(0)
})

test('an import after a killed one begins again, and a deletion after it removes everything', async () => {
  const { sql } = idle
  const killed = Bun.spawn([process.execPath, 'src/main.ts', 'workspace', 'import'], {
    env: { ...process.env, DATABASE_URL: idle.url },
    stdin: 'pipe',
  })
  // Standard input stays open, so the import waits for the rest of the file.
  for (const line of lines.slice(0, -1)) killed.stdin.write(`${line}\n`)
  await killed.stdin.flush()
  try {
    await eventually(
      'the import has written deliveries',
      async () => (await sql`select 1 from deliveries`).length > 0,
      30_000,
    )
  } finally {
    killed.kill('SIGKILL')
    await killed.exited
  }
  await eventually('its session has ended', async () => {
    const locks = await sql`select 1 from ${transferLocks(sql)} locks`
    return locks.length === 0
  })
  expect(await sql`select closed_for from workspaces`).toMatchObject([{ closed_for: 'import' }])
  const [left] = await sql`update customers set name = 'Half' returning id`
  expect(await sql`select 1 from users where email = ${agent.email}`).toHaveLength(1)
  expect(await command(idle.url, `export ${workspaceId()}`)).toMatchObject({
    status: 1,
    error: `The workspace ${workspaceId()} is closed: its import has not ended. Complete it first.`,
  })
  const imported = await command(idle.url, `import ${fileOf(lines)} --json`)
  expect(imported).toMatchObject({ status: 0, error: '' })
  expect(JSON.parse(imported.out)).toMatchObject({
    workspaceId: workspaceId(),
    plaintextSecrets: false,
    invitations: [],
    rows: { sales: 1 },
  })
  expect(await sql`select name from customers where id = ${left!.id}`).toMatchObject([{ name: null }])
  expect(await sql`select 1 from users where email = ${agent.email}`).toHaveLength(1)

  const preview = await command(idle.url, `delete ${workspaceId()}`)
  expect(preview).toMatchObject({ status: 1, error: '' })
  expect(preview.out).toMatch(
    /^The workspace \S+ \(Shop\) has these rows: customers: \d+, events: \d+, .*, API keys: 1, members: 3\.\n/,
  )
  const deleted = await command(idle.url, `delete ${workspaceId()} --yes --json`)
  expect(JSON.parse(deleted.out)).toMatchObject({ deleted: true, name: 'Shop', rows: { sales: 1 } })
  expect(await sql`select 1 from workspaces union all select 1 from users where email is null`).toHaveLength(0)
  expect(await command(idle.url, `delete ${workspaceId()} --yes`)).toMatchObject({
    status: 1,
    error: `There is no workspace "${workspaceId()}". "workspace list" lists all workspaces.`,
  })
  // The audit log of the deleted workspace is still there, and is not imported twice.
  expect(await command(idle.url, `import ${fileOf(lines)}`)).toMatchObject({ status: 0, error: '' })
  await removeWorkspace(sql, workspaceId())
})

test('an export and an import warn of secrets in plain text', async () => {
  const { sql } = idle
  const id = await newWorkspace(sql)
  await sql`insert into webhooks (workspace_id, url, events, secret)
    values (${id}, 'https://shop.example', '{message.status}', 'whsec_plain'::bytea)`
  const exported = await command(idle.url, `export ${id}`)
  expect(exported.error).toContain('\nWarning: the file contains webhook secrets in plain text, because SECRETS_KEY ')
  expect(JSON.parse((await command(idle.url, `export ${id} --json`)).error)).toMatchObject({ plaintextSecrets: true })
  const file = fileOf(exported.out.trimEnd().split('\n'))
  for (const json of ['', ' --json']) {
    await removeWorkspace(sql, id)
    const { status, out, error } = await command(idle.url, `import ${file}${json}`)
    expect([status, error]).toEqual([
      0,
      json ? '' : expect.stringMatching(/^Warning: the workspace has webhook secrets in plain text\. /),
    ])
    if (json) expect(JSON.parse(out)).toMatchObject({ plaintextSecrets: true })
  }
  await removeWorkspace(sql, id)
})

test('invites a person whose address belongs to another account that has not confirmed it', async () => {
  const { sql } = idle
  // The account of an earlier import is replaced by one that an unknown person has created.
  const [other] = await sql`update users set id = uuidv7() where email = ${agent.email} returning id`
  const { status, out } = await command(idle.url, `import ${fileOf(lines)}`)
  expect(status).toBe(0)
  expect(out).toMatch(new RegExp(`${RegExp.escape(agent.email)} http://\\S+/accept-invitation#token=inv_`))
  expect(await sql`select 1 from members where user_id = ${other!.id}`).toHaveLength(0)
  await removeWorkspace(sql, workspaceId())
})

test('a deletion continues after its process was killed', async () => {
  const { sql } = idle
  const id = await newWorkspace(sql)
  await sql`insert into customers (workspace_id, external_id) select ${id}, 'c' || n from generate_series(1, 5000) n`
  const left = async () => {
    const [row] = await sql<[{ count: number }]>`select count(*)::integer as count from customers`
    return row.count
  }
  // The first pass skips the locked rows, so rows are left when the process is killed.
  const locker = await sql.reserve()
  await locker`begin`
  await locker`select 1 from customers limit 10 for update`
  const killed = Bun.spawn([process.execPath, 'src/main.ts', 'workspace', 'delete', id, '--yes'], {
    env: { ...process.env, DATABASE_URL: idle.url },
  })
  try {
    await eventually('some rows are deleted', async () => (await left()) < 5000, 30_000)
  } finally {
    killed.kill('SIGKILL')
    await killed.exited
    await locker`rollback`
    locker.release()
  }
  const remaining = await left()
  expect(remaining).toBeGreaterThan(0)
  // All work stays paused, and neither the operator nor the order of the tables can end that.
  const paused = await readPauses(sql)
  for (const kind of pausableKinds) expect([kind, paused.workspaces(kind)]).toEqual([kind, [id]])
  const closed = `The workspace ${id} is closed: its deletion has not ended. Complete it first.`
  const commands = ['resume runs', 'pause runs', 'verify', 'workspace plan set --plan free', 'workspace sso optional']
  for (const line of commands) {
    const { error } = await runCommand([...line.split(' '), '--workspace', id], { DATABASE_URL: idle.url })
    expect([line, error]).toEqual([line, closed])
  }
  const { out } = await command(idle.url, 'list')
  expect(out).toContain('Shop (incomplete deletion)')
  const again = await command(idle.url, `delete ${id} --yes --json`)
  expect(JSON.parse(again.out)).toMatchObject({ deleted: true, rows: { customers: remaining } })
  expect(await sql`select 1 from workspaces union all select 1 from customers`).toHaveLength(0)
  expect(await sql`select 1 from audit_entries where workspace_id = ${id}`).toHaveLength(1)
})

test.each([`workspace delete ${unknownId}`, 'restore release --preview'])(
  '"%s" does not migrate the database',
  async line => {
    const { sql } = idle
    const [last] =
      await sql`delete from schema_migrations where name = (select max(name) from schema_migrations) returning *`
    try {
      expect(await runCommand(line.split(' '), { DATABASE_URL: idle.url })).toEqual({
        status: 1,
        out: '',
        error: 'The database lacks migrations. Run "migrate".',
      })
    } finally {
      await sql`insert into schema_migrations ${sql(last!)}`
    }
  },
)

test('two commands do not work on one workspace at the same time', async () => {
  const id = await newWorkspace(idle.sql)
  const connection = await idle.sql.reserve()
  await connection`select pg_advisory_lock(${0x777370}, hashtext(${id}))`
  expect(await command(idle.url, `delete ${id} --yes`)).toMatchObject({
    status: 1,
    error: `Another import, deletion or move of the workspace ${id} is running.`,
  })
  await connection`select pg_advisory_unlock(${0x777370}, hashtext(${id}))`
  connection.release()
  expect(await command(idle.url, `delete ${id} --yes`)).toMatchObject({ status: 0 })
})

test.each([
  ['export', 'The ID of the workspace is missing.'],
  ['export x', 'The workspace must be an ID, not "x".'],
  [`export ${unknownId} more`, 'Unexpected argument "more".'],
  ['import a b', 'Unexpected argument "b".'],
  ['delete', 'The ID of the workspace is missing.'],
  [`delete ${unknownId} --force`, "Unknown option '--force'"],
])('"workspace %s" is explained with its usage', async (line, reason) => {
  const { status, error } = await command('postgres://u:p@127.0.0.1:1/x', line)
  expect([status, error.split('\n')[0]]).toEqual([2, expect.stringContaining(reason)])
  expect(error).toContain(`Usage: workspace ${line.split(' ')[0]} `)
})
