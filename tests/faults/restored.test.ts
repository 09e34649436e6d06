/** Tests of a restored database: it starts held, sends nothing, and the operator releases it. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import { restoreUsages } from '../../src/app/cli/restore.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { makeTemplate } from '../support/campaigns.ts'
import { runCommand } from '../support/command.ts'
import { testServer } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { endProcesses, type ServiceProcess, startProcess } from '../support/process.ts'
import { respond, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually } from '../support/world.ts'
import { expectAllToldTo, expectVerified, openShop, owner, type Shop, sendOrder, shopSettings } from './support.ts'

setDefaultTimeout(60_000)

const project = resolve(import.meta.dirname, '../..')
const held = 'sending is held: run "restore release --preview" and then "restore release"'
/** Longer than a process needs to see a change of the hold, and than the retries of a delivery. */
const quietMs = 3000

const databases: string[] = []

/** Creates a database, by default an empty one. A copy has another identity than its template, as a restored dump. */
const newDatabase = async (options?: { template: string }) => {
  const name = `restored_${crypto.randomUUID().replaceAll('-', '')}`
  databases.push(name)
  const url = await (await testServer()).ensureDatabase(name, options)
  return { name, url, sql: connect({ url, applicationName: 'test', max: 2 }) }
}

const command = (DATABASE_URL: string, ...args: string[]) => runCommand(args, { DATABASE_URL })

const readiness = async ({ url }: ServiceProcess) => {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: await response.json() }
}

/** Returns the metric of the connection for notifications. Undefined without a series. */
const listenerConnected = async ({ url }: ServiceProcess) =>
  /^engagement_listener_connected (.*)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]

const isHeld = { status: 200, body: { status: 'ready', held: true } }
const isFree = { status: 200, body: { status: 'ready' } }

describe('a copy of a database with due work', () => {
  const receiver = use(() => startReceiver({ behaviour: respond(503) }))
  const mail = use(startMailServer)
  let source: string
  let shop: Shop
  let url: string
  let sql: Database
  let isCopied = false
  const copySource = async () => {
    isCopied = true
    ;({ url, sql } = await newDatabase({ template: source }))
  }

  const settings = () => ({
    ...shopSettings(url, [receiver], { WEBHOOK_RETRY_WAITS: Array(7).fill('1s').join() }),
    SMTP_URL: mail.url,
    MAIL_FROM: 'service@shop.example',
  })

  /** Makes a database whose deliveries and mails failed, and whose process was stopped. */
  beforeAll(async () => {
    mail.refusal = { code: 451, times: Number.POSITIVE_INFINITY }
    ;({ name: source, url, sql } = await newDatabase())
    const before = await startProcess(settings())
    shop = await openShop(before.url, [receiver])
    for (let order = 0; order < 3; order++) await sendOrder(before.url, shop.key)
    await shop.expect(202, before.url, 'POST', '/v1/auth/forgot-password', { email: owner.email })
    await receiver.waitFor(3)
    await eventually('a mail was tried', () => mail.tries > 0)
    await before.end()
    await sql.end()
    receiver.behave(respond())
    mail.refusal = null
  })
  afterEach(async () => {
    await endProcesses()
    if (isCopied) await expectVerified(sql)
    isCopied = false
    await sql.end({ timeout: 1 })
  })
  afterAll(async () => {
    const server = await testServer()
    for (const name of databases) await server.dropDatabase(name)
  })

  /** Fails if anything is sent within `quietMs`. */
  const expectSilence = async () => {
    const before = { requests: receiver.requests.length, mails: mail.tries }
    await Bun.sleep(quietMs)
    expect({ requests: receiver.requests.length, mails: mail.tries }).toEqual(before)
  }

  test('starts held, also after a restart: it says so, accepts events, and sends nothing until the release', async () => {
    await copySource()
    const first = await startProcess(settings())
    const reason = 'this is not the database that the service last ran on'
    expect(await first.waitForLine(held)).toMatchObject({ level: 40, reason })
    expect(await readiness(first)).toEqual(isHeld)
    expect(await listenerConnected(first)).toBeUndefined()
    expect((await sendOrder(first.url, shop.key)).status).toBe(201)
    await first.end()
    const services = await Promise.all([startProcess(settings()), startProcess(settings())])
    const [one, other] = services
    for (const service of services) expect(await readiness(service)).toEqual(isHeld)
    await expectSilence()
    for (const service of services) expect(await readiness(service)).toEqual(isHeld)
    const { data } = await shop.expect(200, one.url, 'GET', '/v1/attention')
    expect(data[0]).toMatchObject({ kind: 'sending_held', subject: { type: 'workspace' } })
    const [messages] = await sql`select count(*)::integer as queued from messages where status = 'queued'`
    expect(messages!.queued).toBe(1)

    expect(await command(url, 'restore', 'release', '--json')).toEqual({
      status: 0,
      out: `${JSON.stringify({ released: true, skipped: null }, null, 2)}\n`,
      error: '',
    })
    for (const service of services) await service.waitForLine('sending is released')
    expect(await readiness(one)).toEqual(isFree)
    await eventually('it listens', async () => (await listenerConnected(one)) === '1')
    await expectAllToldTo(sql, [receiver])
    await mail.mailTo(owner.email)
    const after = await shop.expect(200, one.url, 'GET', '/v1/attention')
    expect(after.data.map(({ kind }: { kind: string }) => kind)).not.toContain('sending_held')

    const again = await command(url, 'restore', 'release')
    expect(again).toEqual({ status: 0, out: 'Sending is not held.\n', error: '' })

    // "start --hold" also stops the processes that are sending, and a later start is held.
    await other.end()
    const third = await startProcess(settings(), project, [], ['--hold'])
    expect(await third.waitForLine(held)).toMatchObject({ reason: '"start --hold" was requested' })
    await eventually('the first is held', async () => (await readiness(one)).body.held === true)
    await eventually('it reports no listener', async () => (await listenerConnected(one)) === undefined)
    await eventually('its worker has stopped', async () => {
      const [row] = await sql`select count(*)::integer as workers from processes where alive_until > now()`
      return row!.workers === 0
    })
    for (const { url } of [one, third]) expect((await sendOrder(url, shop.key)).status).toBe(201)
    await expectSilence()
    await command(url, 'restore', 'release')
    for (const service of [one, third]) await service.waitForLine('sending is released')
    await expectAllToldTo(sql, [receiver])
    expect(await readiness(await startProcess(settings()))).toEqual(isFree)
    for (const { complaints } of [first, one, third]) expect(complaints).toBe('')
  })

  test('lists what is due, and skips what is too old with a record of each', async () => {
    await copySource()
    const service = await startProcess(settings())
    const ask = (status: number, method: string, path: string, body?: unknown) =>
      shop.expect(status, service.url, method, path, body)
    const steps = { later: { type: 'delay', for: '1h', next: null } }
    const definition = { trigger: { eventType: 'order.later' }, start: 'later', steps }
    const { id: workflow } = await ask(201, 'POST', '/v1/workflows', { name: 'Later', definition })
    await ask(200, 'POST', `/v1/workflows/${workflow}/publish`)
    await ask(200, 'PATCH', `/v1/workflows/${workflow}`, { enabled: true })
    for (const phone of ['+4915110000001', '+4915110000002']) {
      await ask(201, 'POST', '/v1/events', { type: 'order.later', phone, data: {} })
      await sendOrder(service.url, shop.key, { phone })
    }
    const [{ id: workspaceId }] = await sql<[{ id: string }]>`select id from workspaces`
    const channelId = (await ask(200, 'GET', '/v1/channels')).data[0].id
    const content = { channelId, templateId: await makeTemplate(sql, workspaceId), variables: { name: 'you' } }
    for (const name of ['Old', 'New']) {
      const { id } = await ask(201, 'POST', '/v1/campaigns', { name, ...content, audience: { all: true } })
      await ask(202, 'POST', `/v1/campaigns/${id}/start`, { at: new Date(Date.now() + 3_600_000).toISOString() })
    }

    /** Makes all due rows of a table late: the first by three hours, the others by a minute. Returns their ids. */
    const makeLate = async (table: string, column: string): Promise<string[]> => {
      const rows = await sql`
        update ${sql(table)} set ${sql(column)} = now() - (case when id = (
            select id from ${sql(table)} where ${sql(column)} is not null order by id limit 1)
          then interval '3 hours' else interval '1 minute' end)
        where ${sql(column)} is not null returning id`
      return rows.map(({ id }) => id as string).sort()
    }
    const messages = await makeLate('messages', 'due_at')
    const runs = await makeLate('workflow_runs', 'wake_at')
    const deliveries = await makeLate('deliveries', 'due_at')
    const campaigns = await makeLate('campaigns', 'due_at')
    expect([messages.length, runs.length, campaigns.length]).toEqual([2, 2, 2])
    expect(deliveries.length).toBeGreaterThanOrEqual(3)
    await sql`update graphile_worker._private_jobs set run_at = now() - interval '3 hours'
      where task_id = (select id from graphile_worker._private_tasks where identifier = 'send_mail')`
    const mails = String((await sql`select from graphile_worker.jobs where task_identifier = 'send_mail'`).length)
    expect(Number(mails)).toBeGreaterThan(0)
    // An endpoint.failing can wait too.
    const waiting = (await sql`select from outbound_events where fanned_out_at is null`).length
    const [old] = await sql<[{ id: string }]>`
      insert into outbound_events (workspace_id, id, type, data, created_at)
      values (${workspaceId}, uuidv7(interval '-3 hours'), 'message.status', '{}', now() - interval '3 hours') returning id`

    // The first would send the skipped deliveries again. The second has no event that is too old.
    const webhook = shop.webhooks[0]!
    const since = new Date(Date.now() - 3 * 3_600_000).toISOString()
    const recovery = await ask(202, 'POST', `/v1/webhooks/${webhook}/recoveries`, { since })
    expect(recovery).toMatchObject({ status: 'running', done: 0 })
    const [young] = await sql`
      insert into webhook_recoveries (workspace_id, webhook_id, since, until, total, cursor_id, last_id, page_size)
      select workspace_id, uuidv7(), now() - interval '1 minute', until, total, cursor_id, last_id, page_size
      from webhook_recoveries returning id`

    const preview = await command(url, 'restore', 'release', '--preview')
    const rowsOf = (text: string) => text.split('\n').map(line => line.trim().split(/ {2,}/))
    expect(rowsOf(preview.out).slice(1)).toEqual([
      ['DUE', 'COUNT', 'UNDER 15 MIN', '15 MIN TO 2 H', '2 H TO 1 DAY', 'OVER 1 DAY', 'OLDEST'],
      ['deliveries', String(deliveries.length), String(deliveries.length - 1), '0', '1', '0', '3 h'],
      ['outbound events', String(waiting + 1), String(waiting), '0', '1', '0', '3 h'],
      ['messages', '2', '1', '0', '1', '0', '3 h'],
      ['runs', '2', '1', '0', '1', '0', '3 h'],
      ['campaigns', '2', '1', '0', '1', '0', '3 h'],
      ['mails', mails, '0', '0', mails, '0', '3 h'],
      ['recoveries', '2', '1', '0', '1', '0', '3 h'],
      [''],
    ])
    const listed = await command(url, 'restore', 'release', '--preview', '--json')
    const { held, due } = JSON.parse(listed.out)
    expect(held).toBe(true)
    expect(due[2]).toEqual({
      kind: 'messages',
      count: 2,
      byAge: [1, 0, 1, 0],
      oldestSeconds: expect.closeTo(10_800, -2),
    })
    expect(await readiness(service)).toEqual(isHeld)

    const before = { requests: receiver.requests.length, mails: mail.tries }
    const { out, error } = await command(url, 'restore', 'release', '--skip-older-than', '2h')
    expect(error).toBe('')
    expect(rowsOf(out)).toEqual([
      [expect.stringMatching(/^Work that was due before .* is skipped:$/)],
      ['SKIPPED', 'COUNT'],
      ['campaigns', '1'],
      ['runs', '1'],
      ['messages', '1'],
      ['recoveries', '1'],
      ['deliveries', '2'],
      ['mails', mails],
      ['Sending is released. Every process starts to send within a few seconds.'],
      [''],
    ])
    await service.waitForLine('sending is released')

    const why = (what: string) =>
      `skipped_after_restore: The ${what} was due for too long when sending was released after a restore.`
    const delivery = (id: string) => ask(200, 'GET', `/v1/webhooks/${webhook}/deliveries/${id}`)
    const failed = { status: 'failed', error: why('delivery'), nextAttemptAt: null }
    expect(await delivery(deliveries[0]!)).toMatchObject(failed)
    const ofOld = await ask(200, 'GET', `/v1/webhooks/${webhook}/deliveries?status=failed`)
    expect(ofOld.data.map(({ eventId }: { eventId: string }) => eventId)).toContain(old.id)
    const skipped = { status: 'skipped', detail: why('message') }
    expect(await ask(200, 'GET', `/v1/messages/${messages[0]}`)).toMatchObject(skipped)
    const endDetail = 'The run was due for too long when sending was released after a restore.'
    const stopped = { status: 'stopped', endReason: 'stopped', endDetail }
    expect(await ask(200, 'GET', `/v1/runs/${runs[0]}`)).toMatchObject(stopped)
    expect((await ask(200, 'GET', `/v1/campaigns/${campaigns[0]}`)).status).toBe('cancelled')
    const cancelled = { status: 'cancelled', done: 0, finishedAt: expect.any(String) }
    expect(await ask(200, 'GET', `/v1/webhooks/${webhook}/recoveries/${recovery.id}`)).toMatchObject(cancelled)
    const running = await sql`select id from webhook_recoveries where status = 'running'`
    expect([...running]).toEqual([young!])
    const { data: audit } = await ask(200, 'GET', '/v1/audit')
    const actor = { type: 'operator' }
    const skips = { campaigns: 1, runs: 1, messages: 1, recoveries: 1, deliveries: 2 }
    const reason = 'skipped_after_restore'
    expect(audit.slice(0, 3)).toMatchObject([
      { actor, action: 'releaseRestored', detail: { ...skips, skippedDueBefore: expect.any(String) } },
      { actor, action: 'cancelRecovery', target: { id: recovery.id }, detail: { webhookId: webhook, reason } },
      { actor, action: 'cancelCampaign', detail: { name: 'Old', reason } },
    ])
    const [skippedMail] = await sql`select last_error from graphile_worker.jobs where task_identifier = 'send_mail'`
    expect(skippedMail!.last_error).toBe(reason)

    // Everything else is sent.
    const status = async (path: string) => (await ask(200, 'GET', path)).status
    const others = {
      [`/v1/webhooks/${webhook}/deliveries/${deliveries[1]}`]: 'delivered',
      [`/v1/messages/${messages[1]}`]: 'delivered',
      [`/v1/runs/${runs[1]}`]: 'waiting',
      [`/v1/campaigns/${campaigns[1]}`]: 'completed',
    }
    for (const [path, expected] of Object.entries(others))
      await eventually(`${path} is ${expected}`, async () => (await status(path)) === expected)
    const sent = receiver.requests.slice(before.requests).map(({ headers }) => headers['x-service-delivery'])
    expect(sent).toContain(deliveries[1]!)
    expect(sent).not.toContain(deliveries[0]!)
    expect(receiver.requests.map(({ headers }) => headers['x-service-event-id'])).not.toContain(old.id)
    expect(mail.tries).toBe(before.mails)

    // A skipped delivery can be sent by hand.
    await ask(202, 'POST', `/v1/webhooks/${webhook}/deliveries/${deliveries[0]}/retry`)
    await eventually('it is delivered', async () => (await delivery(deliveries[0]!)).status === 'delivered')
  })

  test.each([
    ['', 'The action is missing.'],
    ['dance', 'There is no "restore dance".'],
    [
      'release --skip-older-than 2',
      '--skip-older-than must be a whole number with s, m, h or d, for example 2h, not "2".',
    ],
    ['release --preview --skip-older-than 2h', '--preview lists everything; use it without --skip-older-than.'],
  ])('"restore %s" is refused with the usage', async (line, reason) => {
    const usage = `Usage: ${restoreUsages[0]}`
    const error = `${reason}\n${usage}`
    expect(await command('', 'restore', ...line.split(' ').filter(Boolean))).toEqual({ status: 2, out: '', error })
  })
})
