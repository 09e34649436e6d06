/** Tests of `workspace move`: the workspace moves to another database while callers, workers and receivers go on. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeOperatorEntry } from '../../src/accounts/audit/index.ts'
import { connect, type Database, isServerFailure, type Sql } from '../../src/platform/postgres/client.ts'
import { cancelMove, deleteAbandonedChanges } from '../../src/privacy/workspaces/index.ts'
import { withTransferLock } from '../../src/privacy/workspaces/lock.ts'
import { copyChanges, readParts, syncPart } from '../../src/privacy/workspaces/move-copy.ts'
import {
  awaitWriters,
  insertMove,
  limitTimes,
  moveApplication,
  watchTable,
} from '../../src/privacy/workspaces/move-sql.ts'
import { checkIdentity } from '../../src/queue/hold/index.ts'
import { booksOf, makeCustomers, makeTemplate } from '../support/campaigns.ts'
import { runCommand } from '../support/command.ts'
import { newWorkspace, openTransaction, useDatabase } from '../support/database.ts'
import { freePort } from '../support/http-server.ts'
import { startProcess } from '../support/process.ts'
import { respond } from '../support/receiver.ts'
import { type CallbackReply, hex, slow } from '../support/stand-in.ts'
import { startTwilio } from '../support/twilio.ts'
import { use } from '../support/use.ts'
import { startWhatsApp } from '../support/whatsapp.ts'
import { bearer, eventually, newPhone } from '../support/world.ts'
import {
  command,
  expectCleared,
  lockCopy,
  lockHolders,
  maxTableWaitMs,
  moveHere,
  prepare,
  startCommand,
  startedProxy,
  startMove,
  statesOf,
  tablesWithRows,
  triggersOf,
  useMoveWorld,
} from './move-world.ts'

setDefaultTimeout(200_000)

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
      error: `The workspace ${world.workspaceId} is being moved. Complete that with "workspace move", or end it with "workspace move --cancel".`,
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

const [directory, further] = [useDatabase(), useDatabase()]

test('a workspace is not deleted during its move, and what a move left of a deleted one is deleted', async () => {
  const settings = { DATABASE_URL: directory.url, CELLS: `b=${further.url}` }
  const id = await newWorkspace(directory.sql)
  await newWorkspace(further.sql, id)
  await watchTable(further.sql, 'customers', id, ['id'])
  await insertMove(further.sql, id, 'main')
  await further.sql`insert into customers (workspace_id, phone) values (${id}, ${newPhone()})`
  const remove = () => runCommand(['workspace', 'delete', id, '--yes'], settings)
  for (const closedFor of ['copy', 'move']) {
    await further.sql`update workspaces set closed_for = ${closedFor} where id = ${id}`
    expect(await remove()).toMatchObject({
      status: 1,
      error: `The workspace ${id} is being moved. Complete that with "workspace move", or end it with "workspace move --cancel".`,
    })
  }
  await further.sql`update workspaces set closed_for = 'copy' where id = ${id}`
  const away = { ...settings, CELLS: `${settings.CELLS},c=postgres://nobody:x@127.0.0.1:1/none` }
  const refused = await runCommand(['workspace', 'delete', id, '--yes'], away)
  expect([refused.status, refused.error]).toEqual([
    1,
    expect.stringContaining('The database of the cell "c" cannot be reached: '),
  ])
  expect(refused.error).toEndWith(` It can have a copy of the workspace ${id}, so nothing was deleted.`)
  // As if it had been deleted while CELLS did not have the cell.
  await directory.sql`delete from workspaces where id = ${id}`
  expect(await runCommand(['workspace', 'move', '--workspace', id, '--cell', 'main'], settings)).toMatchObject({
    status: 1,
    error: `No cell that responds has the workspace ${id}, except for a copy in "b". If the workspace was deleted, delete its copy with "workspace delete".`,
  })
  expect(await remove()).toMatchObject({
    status: 0,
    out: `Deleted what a move has left of the workspace ${id} (Shop).\n`,
  })
  expect(await tablesWithRows(further.sql, id)).toEqual([])
  expect(await further.sql`select from workspaces`).toHaveLength(0)
  expect(await triggersOf(further.sql)).toHaveLength(0)
  expect(await remove()).toMatchObject({ status: 1 })
})

test('a workspace is not moved out of or into a held cell, or between cells with different pauses', async () => {
  const settings = { DATABASE_URL: directory.url, CELLS: `b=${further.url}` }
  const id = await newWorkspace(further.sql)
  const move = () => runCommand(['workspace', 'move', '--workspace', id, '--cell', 'main'], settings)
  for (const [name, { sql }] of [['main', directory] as const, ['b', further] as const]) {
    await checkIdentity(sql, { readable: { systemIdentifier: true, timeline: true }, lastHeartbeatMs: null })
    // As if the database was restored: also before a process has noticed it.
    for (const restored of [{ database_oid: 1 }, { held_since: new Date(), hold_reason: 'requested' }]) {
      const [stored] = await sql`select database_oid, held_since, hold_reason from service_identity`
      await sql`update service_identity set ${sql(restored)}`
      expect(await move()).toMatchObject({
        status: 1,
        error: `Sending is held in the cell "${name}" after a restore. Run "restore release" before the move.`,
      })
      await sql`update service_identity set ${sql(stored!)}`
    }
    await sql`insert into service_pauses (kind) values ('runs')`
    expect(await move()).toMatchObject({
      status: 1,
      error: 'The cells "b" and "main" have different pauses. Pause or resume the same work in both before the move.',
    })
    await sql`delete from service_pauses`
  }
  expect(await directory.sql`select from workspaces where id = ${id}`).toHaveLength(0)
  expect((await move()).status).toBe(0)
  await newWorkspace(further.sql, id)
  await directory.sql`update service_identity set held_since = now(), hold_reason = 'requested'`
  expect(await runCommand(['restore', 'release'], settings)).toMatchObject({
    status: 1,
    error: `The cells "main" and "b" both have the workspace ${id}. Sending is still held. See "Restore a cell after a move" in docs/scaling.md.`,
  })
  await further.sql`delete from workspaces where id = ${id}`
  // A cell that does not respond can have the same workspace.
  const away = { ...settings, CELLS: `${settings.CELLS},c=postgres://nobody:x@127.0.0.1:1/none` }
  const unreachable = 'The database of the cell "c" cannot be reached: '
  const { status, error } = await runCommand(['restore', 'release'], away)
  expect([status, error]).toEqual([1, expect.stringContaining(unreachable)])
  expect(error).toEndWith(' It can have workspaces of the cell "main", so sending is still held there.')
  expect(await directory.sql`select from service_identity where held_since is not null`).toHaveLength(1)
  expect((await runCommand(['restore', 'release'], settings)).status).toBe(0)
})

test('changed rows are copied in pages of a few megabytes', async () => {
  const id = await newWorkspace(further.sql)
  await newWorkspace(directory.sql, id)
  await watchTable(further.sql, 'customers', id, ['id'])
  const attributes = { text: 'x'.repeat(500_000) }
  for (let n = 0; n < 40; n++)
    await further.sql`insert into customers ${further.sql({ workspace_id: id, phone: newPhone(), attributes })}`
  const pages: number[] = []
  const count = await copyChanges(further.sql, directory.sql, {
    workspaceId: id,
    parts: await readParts(further.sql, id),
    require: () => Promise.resolve(),
    mustCheck: true,
    onCopied: async ids => void pages.push(ids.length),
  })
  expect(count).toBe(40)
  expect(Math.max(...pages)).toBeLessThanOrEqual(9)
  expect(pages.length).toBeLessThan(15)
  const rowsIn = (sql: Database) =>
    sql`select phone, length(attributes::text) as length from customers where workspace_id = ${id} order by phone`
  expect(await rowsIn(directory.sql)).toEqual(await rowsIn(further.sql))
})

test('a unique value can go from one row to another, whose change is in another page', async () => {
  const [source, target] = [further.sql, directory.sql]
  const id = await newWorkspace(source)
  await newWorkspace(target, id)
  await watchTable(source, 'customers', id, ['id'])
  const parts = await readParts(source, id)
  const require = () => Promise.resolve()
  const add = (values: object) => source`insert into customers ${source({ workspace_id: id, phone: null, ...values })}`
  const setPhone = (externalId: string, phone: string) =>
    source`update customers set phone = ${phone} where workspace_id = ${id} and external_id = ${externalId}`
  const rowsIn = (sql: Database) =>
    sql`select external_id, phone, length(attributes::text) as length from customers where workspace_id = ${id} order by id`
  const [phone, freed] = [newPhone(), newPhone()]
  await add({ external_id: 'later' })
  await add({ external_id: 'holder', phone })
  await copyChanges(source, target, { workspaceId: id, parts, require })
  await source`delete from workspace_move_changes`
  await source`update customers set name = 'Ada' where workspace_id = ${id} and external_id = 'later'`
  for (let n = 0; n < 20; n++) await add({ external_id: `large ${n}`, attributes: { text: 'x'.repeat(500_000) } })
  await setPhone('holder', freed)
  await setPhone('later', phone)
  await copyChanges(source, target, { workspaceId: id, parts, require, mustCheck: true })
  expect(await rowsIn(target)).toEqual(await rowsIn(source))
  // Changes of an interrupted move are removed, so the comparison can find it too. Here its pages have one row.
  await setPhone('holder', newPhone())
  await setPhone('later', freed)
  const customers = parts.copied.find(({ table }) => table.name === 'customers')!
  const inSnapshot = (work: (tx: Sql) => Promise<unknown>) =>
    source.begin('isolation level repeatable read read only', work)
  const compared = await inSnapshot(tx => syncPart(tx, target, customers, { rows: 1, pace: require, require }))
  expect(compared).toEqual({ rows: 22, differed: true })
  expect(await rowsIn(target)).toEqual(await rowsIn(source))
})

test('all entries of the audit log are copied to a database that has others from an earlier stay', async () => {
  const [source, target] = [further.sql, directory.sql]
  const id = await newWorkspace(source)
  await newWorkspace(target, id)
  const write = (sql: Database, cell: string) =>
    writeOperatorEntry(sql, id, {
      action: 'moveWorkspace',
      target: { type: 'workspace', id },
      detail: { from: cell, to: cell },
    })
  const cellsIn = async (sql: Database) =>
    (await sql`select detail->>'from' as cell from audit_entries where workspace_id = ${id} order by id`).map(
      row => row.cell,
    )
  await write(source, 'first')
  for (let n = 0; n < 3; n++) await write(target, 'earlier')
  await write(source, 'last')
  const audit = (await readParts(source, id)).copied.find(({ table }) => table.name === 'audit_entries')!
  const require = () => Promise.resolve()
  const copied = await syncPart(source, target, audit, { rows: 1, pace: require, require })
  expect(copied).toEqual({ rows: 2, differed: true })
  expect((await cellsIn(target)).toSorted()).toEqual(['earlier', 'earlier', 'earlier', 'first', 'last'])
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
