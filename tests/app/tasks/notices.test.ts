/** Automatic mails to owners about the usage of the month. */
import { expect, test } from 'bun:test'
import { notifyAllowances } from '../../../src/events/index.ts'
import { readWorkCounts } from '../../../src/platform/postgres/lease.ts'
import { enqueueMail } from '../../../src/queue/tasks.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { use } from '../../support/use.ts'
import { eventually, startWorld, useWorld } from '../../support/world.ts'

const post = use(startMailServer)
const world = useWorld(() => ({ SMTP_URL: post.url, MAIL_FROM: 'engage@shop.example' }))

test('owners get one mail at nine tenths of the month’s events, and one at the limit, each with an event', async () => {
  const { sql } = world.database
  await sql`insert into plans (id, name, features, allowances)
    select 'ten', 'Ten', features, allowances || '{"monthlyEvents": 10}' from plans where id = 'unlimited'`
  await sql`update workspaces set plan_id = 'ten' where id = ${world.workspaceId}`
  const record = (status: number) =>
    world.expect(status, 'POST', '/v1/events', { as: 'key', body: { type: 'a', phone: '+4915112345678' } })
  for (let n = 0; n < 8; n++) await record(201)
  await notifyAllowances(sql)
  await record(201)
  await notifyAllowances(sql)
  const nearly = await post.mailTo(world.owner.email)
  expect(nearly.subject).toBe('Monthly event limit nearly reached')
  expect(nearly.text).toContain('has used 9 of the 10 events that its plan allows per month')
  await notifyAllowances(sql)
  await record(201)
  await record(409)
  await Promise.all([notifyAllowances(sql), notifyAllowances(sql)])
  const full = await post.mailTo(world.owner.email)
  expect(full.subject).toBe('Monthly event limit reached')
  expect(full.text).toMatch(/\n\S+\/plan\r\n/)
  expect(full.text).toContain('/v1/entitlements')
  await notifyAllowances(sql)
  const asked = await sql`select from graphile_worker._private_jobs where key like 'mail:notice:%'`
  expect([asked.length, post.taken.length]).toEqual([0, 0])
  // With the mail about the first API key, which the mail server of the tests ignores.
  await eventually('three attempts are counted', async () =>
    (await readWorkCounts(sql)).some(({ mailAttempts }) => mailAttempts === 3),
  )
  const events = (await world.expect(200, 'GET', '/v1/outbound-events?type=allowance.reached')).data
  const { resetsAt } = (await world.expect(200, 'GET', '/v1/entitlements')).allowances.monthlyEvents
  const of = { allowance: 'monthlyEvents', limit: 10, resetsAt }
  expect(events.map(({ data }: { data: object }) => data)).toEqual([
    { ...of, percent: 100, used: 10 },
    { ...of, percent: 90, used: 9 },
  ])
})

test('the allowances are checked every 15 seconds, by one task of all processes', async () => {
  const { sql } = world.database
  const checks = () =>
    sql<{ inMs: number }[]>`
      select (extract(epoch from run_at - now()) * 1000)::double precision as "inMs"
      from graphile_worker._private_jobs where key = 'allowances'`
  const later = async () => {
    const all = await checks()
    return all.length === 1 && all[0]!.inMs > 0 && all
  }
  const [waiting] = await eventually('the next check waits', later)
  expect(waiting!.inMs).toBeLessThanOrEqual(15_000)
  await sql`update graphile_worker._private_jobs set run_at = now() where key = 'allowances'`
  const [next] = await eventually('another check waits', later)
  expect(next!.inMs).toBeWithin(10_000, 15_001)
})

test('changes of API keys share one waiting mail, which keeps its time', async () => {
  await using quiet = await startWorld({ ROLES: 'http', SMTP_URL: post.url, MAIL_FROM: 'engage@shop.example' })
  const { sql } = quiet.database
  const waiting = () =>
    sql`select payload ->> 'id' as id, run_at from graphile_worker._private_jobs where key like 'mail:notice:%'`
  const [first] = await waiting()
  const { id } = await quiet.expect(201, 'POST', '/v1/api-keys', { body: { name: 'till' } })
  expect(await waiting()).toMatchObject([{ ...first, id }])
  await quiet.expect(204, 'DELETE', `/v1/api-keys/${id}`)
  expect(await waiting()).toHaveLength(2)
})

test('owners hear of a new API key, also if it was revoked before its mail was sent', async () => {
  const { sql } = world.database
  const { id, createdAt } = await world
    .expect(201, 'POST', '/v1/api-keys', { body: { name: 'short-lived' } })
    .then(({ id, created }) => ({ id, createdAt: created }))
  await world.expect(204, 'DELETE', `/v1/api-keys/${id}`)
  const mail = {
    kind: 'notice',
    of: 'API key created',
    workspaceId: world.workspaceId,
    id,
    since: createdAt,
    to: null,
  } as const
  await eventually('the first mails', () => post.taken.filter(({ text }) => text.includes('short-lived')).length > 0)
  post.taken.splice(0)
  await enqueueMail(sql, mail)
  await eventually('the mail', () =>
    post.taken.some(({ subject, text }) => subject === 'An API key was created' && text.includes('short-lived')),
  )
})
