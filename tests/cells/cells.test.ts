/** Tests with two databases: the directory with a workspace, and a further cell with another workspace. */
import { expect, test } from 'bun:test'
import { startReceiver } from '../support/receiver.ts'
import { readStream } from '../support/stream.ts'
import { use } from '../support/use.ts'
import { bearer, eventually, makeOwned, newPhone, startWorld, type World } from '../support/world.ts'

/** A world whose workspace is in the cell `b`. `main` calls as the owner of a workspace in the cell `main`. */
const cells = use(async () => {
  const receiver = await startReceiver()
  const world = await startWorld({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }, { cellUrl: async url => url })
  const email = 'main@shop.example'
  const mainId = await makeOwned(world.directory, 'Main shop', email)
  const { token } = await world.expect(200, 'POST', '/v1/auth/sign-in', {
    as: 'nobody',
    body: { email, password: world.owner.password },
  })
  const stop = async () => {
    await world.stop()
    await receiver.stop()
  }
  return { world, receiver, mainId, main: bearer(token), stop }
})

const here = async (world: World, table: 'customers' | 'events' | 'messages') => {
  const [inCell] = await world.database.sql`select count(*)::integer as count from ${world.database.sql(table)}`
  const [inMain] = await world.directory`select count(*)::integer as count from ${world.directory(table)}`
  return { cell: inCell!.count, main: inMain!.count }
}

test('each workspace has its rows in its own database, and a key finds its cell', async () => {
  const { world, main } = cells
  const issued = await world.expect(201, 'POST', '/v1/api-keys', { as: main, body: { name: 'main' } })
  const event = () => ({ type: 'order.placed', phone: newPhone(), idempotencyKey: crypto.randomUUID() })
  await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event() })
  await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event() })
  await world.expect(201, 'POST', '/v1/events', { as: { 'X-API-Key': issued.key }, body: event() })
  expect(await here(world, 'events')).toEqual({ cell: 2, main: 1 })
  const unknown = { 'X-API-Key': `ces_${'x'.repeat(43)}` }
  expect(await world.answer('POST', '/v1/events', { as: unknown, body: event() })).toBe('401 unauthorized')
})

test('a workflow of a further cell writes to the customer, and its webhooks are delivered', async () => {
  const { world, receiver } = cells
  await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: receiver.url, events: ['message.status'] },
  })
  await world.sandbox()
  await world.workflow({
    trigger: { eventType: 'cart.abandoned' },
    start: 'greet',
    steps: { greet: { type: 'send_message', text: 'Hello', next: null } },
  })
  await world.expect(201, 'POST', '/v1/events', {
    as: 'key',
    body: { type: 'cart.abandoned', phone: newPhone() },
  })
  await receiver.waitFor(1)
  expect(await here(world, 'messages')).toEqual({ cell: 1, main: 0 })
})

test('a person with workspaces in two cells sees both, and each call goes to the named one', async () => {
  const { world, main, mainId } = cells
  const { id } = await world.expect(201, 'POST', '/v1/members', {
    as: main,
    body: { email: world.owner.email, role: 'owner' },
  })
  const [invitation] = await world.directory<{ id: string }[]>`select id from members where user_id is null`
  expect(invitation!.id).toBe(id)
  await world.expect(204, 'DELETE', `/v1/members/${id}`, { as: main })
  const { invitation: link } = await world.expect(201, 'POST', '/v1/members', {
    as: main,
    body: { email: world.owner.email, role: 'agent' },
  })
  const accepted = await world.expect(200, 'POST', '/v1/auth/accept-invitation', {
    as: bearer(world.owner.token),
    body: { token: link.token },
  })
  expect(accepted.workspace.id).toBe(mainId)
  const { data } = await world.expect(200, 'GET', '/v1/auth/workspaces')
  expect(data.map((one: { name: string; role: string }) => [one.name, one.role])).toEqual([
    ['Shop', 'owner'],
    ['Main shop', 'agent'],
  ])
  const nameIn = async (workspaceId: string) =>
    (await world.expect(200, 'GET', '/v1/workspace', { headers: { 'X-Workspace-Id': workspaceId } })).name
  expect(await nameIn(world.workspaceId)).toBe('Shop')
  expect(await nameIn(mainId)).toBe('Main shop')
  expect((await world.expect(200, 'GET', '/v1/workspace')).name).toBe('Shop')
  expect((await world.expect(200, 'GET', '/v1/members')).data).toHaveLength(1)
})

test('entries about people reach the audit log of their workspace in another cell', async () => {
  const { world } = cells
  const { id } = await world.expect(201, 'POST', '/v1/members', { body: { email: 'new@shop.example', role: 'agent' } })
  const actions = async () =>
    (await world.expect(200, 'GET', '/v1/audit?limit=50')).data.map(
      (entry: { action: string; target: { id: string } }) => entry,
    )
  await eventually('the entry of the invitation arrives', async () =>
    (await actions()).some((entry: { action: string; target: { id: string } }) =>
      entry.action === 'inviteMember' && entry.target.id === id ? entry : null,
    ),
  )
  await eventually('the entry of the sign-in arrives', async () =>
    (await actions()).some(({ action }: { action: string }) => action === 'signIn'),
  )
  expect(await world.directory`select from audit_entries where workspace_id = ${world.workspaceId}`).toHaveLength(0)
})

test('a seat is counted with the plan of the other database', async () => {
  const { world } = cells
  await world.database.sql`update workspaces set plan_id = 'free' where id = ${world.workspaceId}`
  const invite = () =>
    world.answer('POST', '/v1/members', { body: { email: `${crypto.randomUUID()}@shop.example`, role: 'agent' } })
  const [used] = await world.directory`
    select count(*)::integer as count from members where workspace_id = ${world.workspaceId} and kind = 'person'`
  expect(used!.count).toBe(2)
  expect(await invite()).toBe('409 plan_limit_reached')
  expect((await world.expect(200, 'GET', '/v1/entitlements')).allowances.teamSeats).toEqual({ limit: 2, used: 2 })
  await world.database.sql`update workspaces set plan_id = 'unlimited' where id = ${world.workspaceId}`
})

test('the conversations of a removed member are unassigned', async () => {
  const { world } = cells
  const channelId = await world.sandbox()
  const person = await world.person()
  const customer = await world.expect(201, 'POST', '/v1/customers', { as: 'key', body: { phone: newPhone() } })
  const conversation = await world.expect(201, 'POST', '/v1/conversations', {
    body: { channelId, customerId: customer.id },
  })
  const path = `/v1/conversations/${conversation.id}`
  await world.expect(200, 'PATCH', path, { body: { assigneeId: person.id } })
  await world.expect(204, 'DELETE', `/v1/members/${person.memberId}`)
  await eventually(
    'the conversation is unassigned',
    async () => (await world.expect(200, 'GET', path)).assigneeId === null,
  )
  expect(await world.answer('PATCH', path, { body: { assigneeId: person.id } })).toBe('400 invalid_request assigneeId')
})

test('a stream shows the changes of its own cell', async () => {
  const { world } = cells
  const stream = await readStream(world.url, bearer(world.owner.token))
  await world.expect(201, 'POST', '/v1/events', {
    as: 'key',
    body: { type: 'order.placed', phone: newPhone() },
  })
  await stream.hears('event')
  stream.close()
})

test('a callback finds the cell of its channel', async () => {
  const { world } = cells
  const id = crypto.randomUUID()
  const post = (channelId: string) =>
    world.answer('POST', `/v1/inbound/whatsapp/${channelId}`, { as: 'nobody', raw: '{}' })
  expect(await post(crypto.randomUUID())).toBe('404 not_found')
  await world.database.sql`
    insert into channels (workspace_id, id, kind, name, status) values (${world.workspaceId}, ${id}, 'whatsapp_cloud', 'WhatsApp', 'connected')`
  expect(await post(id)).toBe('401 unauthorized')
})

test('a call without a workspace goes to the one joined first, in each cell', async () => {
  const { world, mainId } = cells
  const person = await world.person('owner')
  await world.directory`
    insert into members (workspace_id, user_id, role, joined_at) values (${mainId}, ${person.id}, 'owner', now() - interval '1 day')`
  expect((await world.expect(200, 'GET', '/v1/workspace', { as: person.as })).name).toBe('Main shop')
  await world.directory`
    update members set joined_at = now() - interval '2 days' where user_id = ${person.id} and workspace_id = ${world.workspaceId}`
  expect((await world.expect(200, 'GET', '/v1/workspace', { as: person.as })).name).toBe('Shop')
  await world.directory`delete from members where user_id = ${person.id}`
})

test('metrics and readiness name the cells', async () => {
  const { world } = cells
  const text = await (await fetch(`${world.url}/metrics`)).text()
  for (const cell of ['main', 'b'])
    expect(text).toMatch(new RegExp(`engagement_queue_depth\\{queue="deliveries",cell="${cell}"\\} `))
  expect(text).toMatch(/^process_resident_memory_bytes\{cell="main"\} /m)
  expect(text).not.toMatch(/^process_\w+\{cell="b"\} /m)
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(new Set(names).size).toBe(names.length)
  const ready = await (await fetch(`${world.url}/readyz?verbose`)).json()
  expect(ready).toEqual({
    status: 'ready',
    cells: [
      { cell: 'main', status: 'ready' },
      { cell: 'b', status: 'ready' },
    ],
  })
  expect(await (await fetch(`${world.url}/readyz`)).json()).toEqual({ status: 'ready' })
})
