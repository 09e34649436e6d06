import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import pino from 'pino'
import { deleteOldEntries, setAuditRetention } from '../../src/accounts/audit/index.ts'
import { createWorkspace } from '../../src/accounts/workspaces/index.ts'
import { migrateDatabase, openDatabase } from '../../src/app/database.ts'
import { type RunningService, startService } from '../../src/app/index.ts'
import { readConfig } from '../../src/config.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { migrations } from '../../src/platform/postgres/migrations.ts'
import { testServer } from '../support/database.ts'
import { respond, startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'

const name = `rights_${process.pid}`
const [migrating, running] = [`${name}_migrating`, `${name}_running`]
const rights = readFileSync(resolve(import.meta.dirname, '../../sql/roles/rights.sql'), 'utf8')
  .replaceAll('engagement_migrating', migrating)
  .replaceAll('engagement_running', running)
  .replaceAll('database engagement', `database ${name}`)

let admin: Database
let urlOf: (role: string) => string
let service: RunningService | null = null
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const server = await testServer()
  const url = await server.ensureDatabase(name, { fresh: true })
  admin = connect({ url, applicationName: 'test', max: 1 })
  await admin.unsafe(`create role ${migrating} login password 'p'; create role ${running} login password 'p'`)
  await admin.unsafe(rights)
  urlOf = role => {
    const as = new URL(url)
    as.username = role
    as.password = 'p'
    return as.href
  }
})
afterAll(async () => {
  await service?.stop(1000)
  for (const close of closers.reverse()) await close()
  await admin.unsafe(`reassign owned by ${migrating} to current_user`)
  await admin.unsafe(`drop owned by ${running}`)
  await admin.unsafe(`drop owned by ${migrating}`)
  await admin.unsafe(`drop role ${migrating}, ${running}`)
  await admin.end({ timeout: 1 })
})

test('the service runs with a role that is not a superuser and cannot alter the tables that another role migrated', async () => {
  const receiver = await startReceiver({ behaviour: respond(200) })
  closers.push(() => receiver.stop())
  const owner = { email: 'owner@shop.example', password: 'correct horse battery' }
  expect(await migrateDatabase({ url: urlOf(migrating) })).toHaveLength(migrations.length)

  // `start` also checks for missing migrations.
  const settings = { PORT: '0', WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }
  const config = readConfig({ DATABASE_URL: urlOf(running), ...settings })
  const database = await openDatabase(config)
  closers.push(() => database.close())
  expect(await migrateDatabase(database)).toEqual([])
  await createWorkspace(database.sql, { name: 'Shop', planId: 'unlimited', owner })
  const log = pino({ level: 'silent' })
  service = await startService({ config, databaseUrl: database.url, log })

  const call = async (path: string, body: unknown, as: Record<string, string> = {}) => {
    const headers = { 'Content-Type': 'application/json', ...as }
    const response = await fetch(`${service!.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: await response.json() }
  }
  const { body: session } = await call('/v1/auth/sign-in', owner)
  const as = { Authorization: `Bearer ${session.token}` }
  expect((await call('/v1/webhooks', { url: receiver.url, events: ['customer.opted_out'] }, as)).status).toBe(201)
  const { body: customer } = await call('/v1/customers', { phone: '+4915112345678' }, as)
  expect((await call(`/v1/customers/${customer.id}/opt-out`, { reason: 'asked' }, as)).status).toBe(200)
  await receiver.waitFor(1)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)

  // The erasure waits for a concurrent transaction that writes about the customer, with any role.
  const late = connect({ url: urlOf(migrating), applicationName: 'test', max: 1 })
  closers.push(() => late.end({ timeout: 1 }))
  await late.unsafe('begin')
  await late`
    insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
    select workspace_id, uuidv7(), 'late', 'api', 'custom', id, '{"secret": 1}', 0 from customers where id = ${customer.id}`
  let isDone = false
  const erasing = fetch(`${service.url}/v1/customers/${customer.id}`, { method: 'DELETE', headers: as }).finally(() => {
    isDone = true
  })
  await eventually('the customer is marked', async () => {
    const [row] = await database.sql`select phone from customers where id = ${customer.id}`
    return row!.phone === null
  })
  for (let i = 0; i < 20; i++) await fetch(`${service.url}/v1/customers/${customer.id}`, { headers: as })
  expect(isDone).toBe(false)
  await late.unsafe('commit')
  expect((await erasing).status).toBe(204)
  expect((await late`select data from events where customer_id = ${customer.id}`).map(({ data }) => data)).toEqual([{}])

  const { sql } = database
  const [role] = await sql`select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user`
  expect({ ...role }).toEqual({ rolsuper: false, rolcreaterole: false, rolcreatedb: false })
  for (const change of [
    'create table more (id integer)',
    'alter table events add column more integer',
    'drop table events',
    'truncate events',
    'create schema more',
  ])
    await expect(sql.unsafe(change).execute(), change).rejects.toHaveProperty('code', '42501')
})

test('the role of the service cannot delete audit log entries before their retention has passed', async () => {
  const month = 30 * 86_400_000
  const owner = connect({ url: urlOf(migrating), applicationName: 'test', max: 1 })
  const sql = connect({ url: urlOf(running), applicationName: 'test', max: 1 })
  closers.push(
    () => owner.end({ timeout: 1 }),
    () => sql.end({ timeout: 1 }),
  )
  expect(await setAuditRetention(owner, month)).toBe(true)
  await sql`
    insert into audit_entries (workspace_id, at, actor_type, action, target_type, target_id)
    select id, now() - age, 'unknown', 'signInFailed', 'user', uuidv7()
    from workspaces, unnest(array['29 days', '31 days']::interval[]) as age`
  expect(await setAuditRetention(sql, 86_400_000)).toBe(false)
  expect(await setAuditRetention(sql, month)).toBe(true)
  const codeOf = (statement: string) =>
    sql.unsafe(`begin; set local audit.retention = 'on'; ${statement}; commit`).then(
      () => null,
      async error => {
        await sql.unsafe('rollback')
        return error.code
      },
    )
  for (const statement of [
    'delete from audit_retention',
    'update audit_retention set retention_seconds = 86400',
    'create temporary table audit_retention as select 0 as retention_seconds',
    'alter table audit_entries disable trigger audit_entries_immutable',
    'set session_replication_role = replica',
  ])
    expect(await codeOf(statement), statement).toBe('42501')
  expect(await codeOf("delete from audit_entries where at > now() - interval '30 days'")).toBe('23000')
  expect(await deleteOldEntries(sql, { olderThanSeconds: 1, limit: 100 })).toBe(1)
})
