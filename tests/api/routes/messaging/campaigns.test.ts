import { beforeAll, describe, expect, test } from 'bun:test'
import { leaseDefaults, readWorkCounts, type StoredCounts } from '../../../../src/platform/postgres/lease.ts'
import { booksOf, makeCustomers, makeTemplate } from '../../../support/campaigns.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, unknownId, useWorld, type World } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
let channelId: string
let templateId: string
let customers: string[]

beforeAll(async () => {
  const { sql } = world.database
  channelId = await world.sandbox()
  templateId = await makeTemplate(sql, world.workspaceId)
  customers = await makeCustomers(sql, world.workspaceId, 20)
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['campaign.completed'] } })
})

const body = (more: Record<string, unknown> = {}) => ({
  name: 'Spring',
  channelId,
  templateId,
  variables: { name: '{{customer.name|there}}' },
  audience: { customerIds: customers.slice(0, 3) },
  ...more,
})

const create = (more: Record<string, unknown> = {}) => world.expect(201, 'POST', '/v1/campaigns', { body: body(more) })
const read = (id: string) => world.expect(200, 'GET', `/v1/campaigns/${id}`)
const start = (id: string, at?: string) =>
  world.expect(202, 'POST', `/v1/campaigns/${id}/start`, at === undefined ? {} : { body: { at } })
const over = (id: string) =>
  eventually('the campaign has ended', async () => {
    const campaign = await read(id)
    return ['completed', 'cancelled'].includes(campaign.status) && campaign
  })
const idOf = ({ customerId }: { customerId: string }) => ({ customerId })
const recipients = async (id: string, query = '') =>
  (await world.expect(200, 'GET', `/v1/campaigns/${id}/recipients?limit=100${query}`)).data
/** Calls `work`, and waits until heartbeats have counted that many more settled recipients. */
const countsSettled = async ({ database: { sql } }: World, count: number, work: () => Promise<unknown>) => {
  const read = () => readWorkCounts(sql)
  const sum = (all: StoredCounts[]) => all.reduce((sum, { settledRecipients }) => sum + settledRecipients, 0)
  const last = Math.max(...(await read()).map(({ at }) => at))
  // The counts of a heartbeat are read before it is sent, so the next one can lack earlier campaigns.
  const before = await eventually('two heartbeats have come', async () => {
    const all = await read()
    return all.every(({ at }) => at > last + 1.5 * leaseDefaults.renewMs) && { settled: sum(all) }
  })
  await work()
  await eventually(`${count} more are counted`, async () => sum(await read()) === before.settled + count)
}
const inAnHour = () => new Date(Date.now() + 3.6e6).toISOString()

test('a campaign is a draft without recipients until it is started, and can be changed and deleted', async () => {
  const campaign = await create()
  expect(campaign).toEqual({
    id: expect.any(String),
    ...body(),
    status: 'draft',
    progress: { audience: 0, sent: 0, skipped: 0, unknown: 0, skippedBy: {} },
    scheduledAt: null,
    startedAt: null,
    finishedAt: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(await read(campaign.id)).toEqual(campaign)
  const { data } = await world.expect(200, 'GET', '/v1/campaigns')
  expect(data[0]).toEqual(campaign)
  expect(await recipients(campaign.id)).toEqual([])
  const path = `/v1/campaigns/${campaign.id}`
  const isListed = async (query: string) =>
    (await world.expect(200, 'GET', `/v1/campaigns?${query}`)).data.some(({ id }: { id: string }) => id === campaign.id)
  const { createdAt } = campaign
  for (const query of [
    'q=PRIN',
    'q=%20spring',
    'q=spr%C3%ADng',
    'status=draft',
    'q=',
    `since=${createdAt}&until=${createdAt}`,
    'sort=oldest',
  ])
    expect(await isListed(query), query).toBe(true)
  for (const query of ['q=summer', 'q=%25', 'status=running', 'until=2020-01-01T00:00:00Z'])
    expect(await isListed(query), query).toBe(false)
  await world.expect(400, 'GET', '/v1/campaigns?status=ended')
  const changes = { name: 'Summer', audience: { all: true } }
  const changed = await world.expect(200, 'PATCH', path, { body: changes })
  expect(changed).toEqual({ ...campaign, ...changes, updatedAt: expect.any(String) })
  await world.expect(400, 'PATCH', path, { body: { variables: { other: 'x' } } })
  await world.expect(204, 'DELETE', path)
  await world.expect(404, 'GET', path)
})

test('a started campaign writes to each recipient and emits an event when it completes', async () => {
  const { id } = await create()
  expect(await start(id)).toMatchObject({ status: 'running', startedAt: expect.any(String) })
  const progress = { audience: 3, sent: 3, skipped: 0, unknown: 0, skippedBy: {} }
  expect(await over(id)).toMatchObject({ status: 'completed', progress, finishedAt: expect.any(String) })
  const found = await recipients(id)
  const [one] = found
  for (const outcome of ['', '&outcome=sent', '&outcome=delivered'])
    expect(await recipients(id, `${outcome}&customerId=${one.customerId}`)).toMatchObject([
      { customerId: one.customerId },
    ])
  expect(await recipients(id, `&customerId=${unknownId}`)).toEqual([])
  await world.database.sql`
    update campaign_recipients r set at = ${new Date('2026-03-01T00:00:00Z')}::timestamptz + n * interval '1 minute'
    from unnest(${found.map(({ customerId }: { customerId: string }) => customerId)}::uuid[]) with ordinality as c(id, n)
    where r.campaign_id = ${id} and r.customer_id = c.id`
  for (const [query, expected] of [
    ['since=2026-03-01T00:02:00Z', [1, 2]],
    ['until=2026-03-01T00:02:00Z', [0, 1]],
    ['since=2026-03-01T00:01:00.001Z&until=2026-03-01T00:02:59Z&outcome=sent', [1]],
    ['since=2026-03-01T00:03:00Z&outcome=delivered', [2]],
    ['since=2026-03-01T00:02:00Z&outcome=skipped', []],
  ] as const)
    expect(await recipients(id, `&${query}`), query).toEqual(expected.map(n => expect.objectContaining(idOf(found[n]))))
  const backwards = 'since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z'
  expect(await world.answer('GET', `/v1/campaigns/${id}/recipients?${backwards}`)).toBe('400 invalid_request since')
  expect(found.map(({ customerId }: { customerId: string }) => customerId).sort()).toEqual(
    customers.slice(0, 3).toSorted(),
  )
  const [customerId, messageId, at] = Array(3).fill(expect.any(String))
  expect(found[0]).toEqual({ customerId, outcome: 'sent', reason: null, messageId, messageStatus: 'delivered', at })
  const { data } = await world.expect(200, 'GET', `/v1/messages?customerId=${customers[0]}`)
  expect(data[0]).toMatchObject({ text: 'Hello Customer 1', status: 'delivered' })
  const told = await eventually('it was notified', () =>
    receiver.requests.find(({ body }) => JSON.parse(body).data.campaignId === id),
  )
  expect(JSON.parse(told.body).data).toEqual({ campaignId: id, name: 'Spring', sent: 3, skipped: 0, unknown: 0 })
})

test('the audience is all customers, those that match a condition, or nobody', async () => {
  const where = {
    all: [
      { path: 'customer.attributes.number', op: 'gt', value: 15 },
      { path: 'customer.phone', op: 'exists' },
    ],
  }
  const nobody = { where: { path: 'customer.name', op: 'eq', value: 'Nobody' } }
  const campaigns = [await create({ audience: { where } }), await create({ audience: { all: true } })]
  campaigns.push(await create({ audience: nobody }))
  for (const { id } of campaigns) await start(id)
  for (const [place, audience] of [5, 20, 0].entries())
    expect((await over(campaigns[place].id)).progress).toMatchObject({ audience, sent: audience })
})

describe('skipped customers', () => {
  const own = useWorld()
  let channel: string
  const campaignOf = async (template: string, audience: unknown = { all: true }) => {
    const { id } = await own.expect(201, 'POST', '/v1/campaigns', {
      body: { name: 'Spring', channelId: channel, templateId: template, variables: { name: 'you' }, audience },
    })
    return id as string
  }
  const completed = (id: string) =>
    eventually('it has ended', async () => {
      const campaign = await own.expect(200, 'GET', `/v1/campaigns/${id}`)
      return campaign.status === 'completed' && campaign.progress
    })
  const outcome = async (id: string) => {
    await own.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    return completed(id)
  }
  beforeAll(async () => {
    channel = await own.sandbox()
    const make = async (customer: object, then?: string, body?: object) => {
      const { id } = await own.expect(201, 'POST', '/v1/customers', { body: customer })
      if (then) await own.expect(200, 'POST', `/v1/customers/${id}/${then}`, { body })
    }
    await make({ phone: '+4915112340001' }, 'opt-out', { reason: 'asked' })
    await make({ externalId: 'no-phone' })
    await make({ phone: '+4915112340002' }, 'opt-in', { evidence: 'form' })
    await make({ phone: '+4915112340003' })
    // The sandbox accepts this message and then fails it, so it counts as sent.
    await make({ phone: '+4915112340000' }, 'opt-in', { evidence: 'form' })
  })

  test('are those without opt-in for a marketing template, as in its preview, which sends nothing', async () => {
    const template = await makeTemplate(own.database.sql, own.workspaceId, { category: 'marketing' })
    const id = await campaignOf(template)
    const skippedBy = { opted_out: 1, no_opt_in: 2 }
    expect(await own.expect(200, 'POST', `/v1/campaigns/${id}/preview`)).toEqual({
      audience: 5,
      skipped: skippedBy,
      withoutOptIn: 0,
      samples: Array(2).fill({ customerId: expect.any(String), text: 'Hello you' }),
    })
    expect(await own.database.sql`select 1 from messages`).toHaveLength(0)
    expect(await outcome(id)).toEqual({ audience: 5, sent: 2, skipped: 3, unknown: 0, skippedBy })
  })

  test('are those without an address for any other template, and are listed by outcome', async () => {
    const id = await campaignOf(await makeTemplate(own.database.sql, own.workspaceId))
    const skippedBy = { opted_out: 1, no_address: 1 }
    await countsSettled(own, 5, async () => {
      expect(await outcome(id)).toEqual({ audience: 5, sent: 3, skipped: 2, unknown: 0, skippedBy })
    })
    const path = `/v1/campaigns/${id}/recipients?outcome=skipped`
    const { data } = await own.expect(200, 'GET', path)
    expect(data.map(({ reason }: { reason: string }) => reason).sort()).toEqual(['no_address', 'opted_out'])
    expect((await own.pages(`${path}&limit=1`)).flat()).toEqual(data)
  })

  test('are all customers once the plan has no campaigns, or the channel is disconnected', async () => {
    const { sql } = own.database
    const template = await makeTemplate(sql, own.workspaceId)
    const [unplanned, unconnected] = [await campaignOf(template), await campaignOf(template)]
    for (const id of [unplanned, unconnected])
      await own.expect(202, 'POST', `/v1/campaigns/${id}/start`, { body: { at: inAnHour() } })
    await sql`update workspaces set plan_id = 'free'`
    await sql`update campaigns set due_at = now() where id = ${unplanned}`
    expect((await completed(unplanned)).skippedBy).toEqual({ plan: 5 })
    await sql`update workspaces set plan_id = 'unlimited'`
    await sql`update channels set status = 'disconnected'`
    await sql`update campaigns set due_at = now() where id = ${unconnected}`
    expect((await completed(unconnected)).skippedBy).toEqual({ channel_disconnected: 5 })
    const late = { name: 'Late', channelId: channel, templateId: template, variables: { name: 'x' } }
    const { error } = await own.expect(422, 'POST', '/v1/campaigns', { body: { ...late, audience: { all: true } } })
    expect(error.message).toContain('disconnected')
  })
})

test('an unsaved campaign has the preview of a saved one, with samples for missing values', async () => {
  const { name: _, ...content } = body({ audience: { customerIds: customers.slice(0, 5) } })
  const { id } = await create({ audience: content.audience })
  const preview = (more: object = {}, status = 200) =>
    world.expect(status, 'POST', '/v1/campaigns/preview', { body: { ...content, ...more } })
  expect(await preview()).toEqual(await world.expect(200, 'POST', `/v1/campaigns/${id}/preview`))
  const { samples } = await preview({ variables: {} })
  expect(samples[0].text).toBe('Hello Ada')
  const { error } = await preview({ templateId: unknownId, audience: { all: true } }, 400)
  expect(Object.keys(error.details)).toEqual(['templateId'])
  await preview({ audience: { customerIds: [unknownId] } }, 400)
  await preview({ name: 'Spring' }, 400)
})

test('an invalid campaign is rejected, and the error names the position', async () => {
  const where = { all: [{ path: 'data.total', op: 'gt', value: 1 }] }
  for (const [change, details] of [
    [{ audience: {} }, { audience: expect.stringContaining('{all: true}') }],
    [{ audience: { all: false } }, expect.any(Object)],
    [{ audience: { all: true, customerIds: customers } }, expect.any(Object)],
    [{ audience: { customerIds: [customers[0], unknownId] } }, { 'audience.customerIds.1': expect.any(String) }],
    [{ audience: { customerIds: [] } }, { 'audience.customerIds': expect.stringContaining('1 to 10,000') }],
    [{ audience: { where } }, { 'audience.where.all.0.path': expect.stringContaining('not a known path') }],
    [{ variables: {} }, { 'variables.name': expect.any(String) }],
    [{ variables: { name: 'x', other: 'y' } }, { 'variables.other': expect.any(String) }],
    [{ variables: { name: '{{data.total}}' } }, { 'variables.name': expect.stringContaining('not a known path') }],
    [
      { channelId: unknownId, templateId: unknownId },
      { channelId: expect.any(String), templateId: expect.any(String) },
    ],
  ] as [object, object][]) {
    const { error } = await world.expect(400, 'POST', '/v1/campaigns', { body: { ...body(), ...change } })
    expect(error.details, JSON.stringify(change).slice(0, 60)).toEqual(details)
  }
})

test('an operation that does not fit the status is 422 and names the status', async () => {
  const { id } = await create()
  const refused = async (status: string, ...actions: string[]) => {
    for (const action of actions) {
      const { error } = await world.expect(422, 'POST', `/v1/campaigns/${id}/${action}`)
      expect(error.message).toContain(`is ${status}`)
    }
  }
  await refused('draft', 'pause', 'resume', 'cancel')
  await start(id)
  await over(id)
  await refused('completed', 'start', 'pause', 'resume', 'cancel')
  await world.expect(422, 'DELETE', `/v1/campaigns/${id}`)
  await world.expect(422, 'PATCH', `/v1/campaigns/${id}`, { body: { name: 'x' } })
})

test('a past time starts a campaign immediately, and an invalid time is rejected', async () => {
  const { id } = await create()
  for (const at of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']) {
    const { error } = await world.expect(400, 'POST', `/v1/campaigns/${id}/start`, { body: { at } })
    expect(error.details).toEqual({ at: 'Must be a time such as 2026-03-01T09:30:02Z.' })
  }
  const body = { at: '0001-01-01T00:00:00Z' }
  const started = await world.expect(202, 'POST', `/v1/campaigns/${id}/start`, { body })
  expect(started).toMatchObject({ status: 'running', scheduledAt: null })
})

test('a draft that does not match its template cannot be started: 422 names the field', async () => {
  const { sql } = world.database
  const [gone, changed] = [await makeTemplate(sql, world.workspaceId), await makeTemplate(sql, world.workspaceId)]
  const [without, lacking] = [await create({ templateId: gone }), await create({ templateId: changed })]
  await world.expect(204, 'DELETE', `/v1/templates/${gone}`)
  const variables = ['name', 'city'].map(name => ({ name, sample: 'x' }))
  const body = { body: 'Hello {{name}} of {{city}}', variables }
  await world.expect(200, 'PATCH', `/v1/templates/${changed}`, { body })
  for (const [campaign, details] of [
    [without, { templateId: 'No such template in this workspace.' }],
    [lacking, { 'variables.city': 'Is required by the template.' }],
  ]) {
    const { error } = await world.expect(422, 'POST', `/v1/campaigns/${campaign.id}/start`)
    expect([error.code, error.details]).toEqual(['unprocessable', details])
  }
  await world.expect(200, 'PATCH', `/v1/campaigns/${lacking.id}`, { body: { variables: { name: 'you', city: 'Ulm' } } })
  await start(lacking.id)
  expect(await over(lacking.id)).toMatchObject({ status: 'completed' })
})

test('a scheduled campaign keeps its template, and can be changed or cancelled', async () => {
  const own = await makeTemplate(world.database.sql, world.workspaceId)
  const { id } = await create({ templateId: own })
  const scheduled = { status: 'scheduled', startedAt: null, scheduledAt: expect.any(String) }
  expect(await start(id, inAnHour())).toMatchObject(scheduled)
  await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body: { name: 'Summer' } })
  const { error } = await world.expect(409, 'DELETE', `/v1/templates/${own}`)
  expect(error).toMatchObject({ message: expect.stringContaining('the campaign "Summer"'), details: { campaigns: id } })
  expect(await world.expect(202, 'POST', `/v1/campaigns/${id}/cancel`)).toMatchObject({ status: 'cancelled' })
  await world.expect(204, 'DELETE', `/v1/templates/${own}`)
})

test('a scheduled campaign starts on time, also after a restart, and sends no incomplete template', async () => {
  const { sql } = world.database
  const changed = await makeTemplate(sql, world.workspaceId)
  const [{ id }, incomplete] = [await create(), await create({ templateId: changed })]
  const at = new Date(Date.now() + 1500).toISOString()
  for (const one of [id, incomplete.id]) await start(one, at)
  // Changes the row directly, because the API rejects this change while the campaign is scheduled.
  const variables = JSON.stringify(['name', 'city'].map(name => ({ name, sample: 'x' })))
  await sql`
    update templates set body = 'Hello {{name}} of {{city}}', variables = ${variables}::text::jsonb where id = ${changed}`
  await world.restart()
  const { startedAt, scheduledAt, ...ended } = await over(id)
  expect(ended).toMatchObject({ status: 'completed', progress: { sent: 3 } })
  expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(Date.parse(scheduledAt))
  expect(await over(incomplete.id)).toMatchObject({ progress: { sent: 0, skippedBy: { template_missing: 3 } } })
})

test('a paused campaign queues nothing, a resumed one continues, and a cancelled one skips the rest', async () => {
  for (const action of ['resume', 'cancel']) {
    const { id } = await create({ audience: { all: true } })
    await start(id, inAnHour())
    // Pauses the campaign before it writes to its first recipient.
    await world.database.sql`
      update campaigns set status = 'paused', started_at = now(), due_at = now(), version = version + 1 where id = ${id}`
    await eventually('its audience is fixed', async () => (await read(id)).progress.audience === 20)
    expect(await recipients(id, '&outcome=pending')).toHaveLength(20)
    await countsSettled(world, 20, () => world.expect(202, 'POST', `/v1/campaigns/${id}/${action}`))
    const ended = await eventually('all have an outcome', async () => {
      const { status, progress } = await read(id)
      return progress.sent + progress.skipped === 20 && status !== 'running' && { status, progress }
    })
    expect(ended).toMatchObject(
      action === 'resume'
        ? { status: 'completed', progress: { sent: 20 } }
        : { status: 'cancelled', progress: { skippedBy: { cancelled: 20 } } },
    )
  }
})

test('a workspace has at most 500 unfinished campaigns, and 10,000 of which a new one replaces the oldest', async () => {
  const { sql } = world.database
  const as = await world.otherOwner()
  const { workspace } = await world.expect(200, 'GET', '/v1/auth/session', { as })
  const channel = await world.expect(201, 'POST', '/v1/channels', { as, body: { kind: 'sandbox', name: 'S' } })
  const template = await makeTemplate(sql, workspace.id)
  const content = body({ channelId: channel.id, templateId: template, audience: { all: true } })
  const post = () => world.call('POST', '/v1/campaigns', { as, body: content })
  const fill = (status: string, count: number) => sql`
    insert into campaigns (workspace_id, name, channel_id, template_id, audience, status)
    select ${workspace.id}, 'c', ${channelId}, ${templateId}, '{"all": true}', ${status} from generate_series(1, ${count}::integer)`
  const idsOf = async () =>
    (await sql<{ id: string }[]>`select id from campaigns where workspace_id = ${workspace.id} order by id`).map(
      ({ id }) => id,
    )

  await fill('draft', 498)
  const replies = await Promise.all(Array.from({ length: 5 }, post))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422])
  expect(replies.find(({ status }) => status === 422)!.body.error.message).toBe(
    'A workspace has at most 500 campaigns that have not ended. Remove a draft, or wait until one ends.',
  )

  await sql`update campaigns set status = 'completed' where workspace_id = ${workspace.id}`
  await fill('completed', 9500)
  const [oldest, ...before] = await idsOf()
  await sql`
    insert into campaign_recipients (workspace_id, campaign_id, customer_id, outcome)
    select ${workspace.id}, ${oldest!}, gen_random_uuid(), 'sent' from generate_series(1, 5001)`
  const made = await post()
  expect(made.status).toBe(201)
  expect(await idsOf()).toEqual([...before, made.body.id])
  expect(await sql`select from campaign_recipients where campaign_id = ${oldest!}`).toHaveLength(0)
  // Deletes campaigns that were never sent, because the last test counts emitted events.
  await sql`delete from campaigns where workspace_id = ${workspace.id}`
})

test('the counts of all campaigns match their recipients and messages', async () => {
  for (const book of await booksOf(world.database.sql)) {
    const { recipients, sent, skipped, unknown } = book
    const isCompleted = book.status === 'completed'
    expect(book).toMatchObject({ counted: recipients, moved: true, twice: 0, told: Number(isCompleted) })
    expect(book).toMatchObject({ toldRight: book.told, withMessage: book.messages })
    if (isCompleted) expect(sent + skipped + unknown).toBe(recipients)
  }
})

describe('a test of a campaign', () => {
  test('sends its message to one customer without making a recipient of them', async () => {
    const campaign = await create({ audience: { customerIds: customers.slice(0, 2) } })
    const [customerId] = customers
    const path = `/v1/campaigns/${campaign.id}/test`
    const message = await world.expect(202, 'POST', path, { body: { customerId } })
    expect(message).toMatchObject({ customerId, channelId, templateId, direction: 'outbound', status: 'queued' })
    expect(message.sentBy.type).toBe('user')
    await eventually('it is delivered', async () => {
      const { status } = await world.expect(200, 'GET', `/v1/messages/${message.id}`)
      return status === 'delivered'
    })
    expect(await read(campaign.id)).toMatchObject({ status: 'draft', progress: { audience: 0, sent: 0 } })
    expect(await recipients(campaign.id)).toEqual([])
    await start(campaign.id)
    expect((await over(campaign.id)).progress).toMatchObject({ audience: 2, sent: 2 })
    const { data } = await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)
    const [second, first] = data
    expect(first.id).toBe(message.id)
    expect(second).toMatchObject({ text: message.text, sentBy: { type: 'campaign', id: campaign.id } })
    const { error } = await world.expect(422, 'POST', path, { body: { customerId } })
    expect(error.details).toEqual({ status: 'completed' })
  })

  test('is rejected for customers that the campaign skips, and for unknown ones', async () => {
    const { id: optedOut } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: '+4915112349001' } })
    await world.expect(200, 'POST', `/v1/customers/${optedOut}/opt-out`, { body: { reason: 'no' } })
    const { id: unreachable } = await world.expect(201, 'POST', '/v1/customers', { body: { externalId: 'no phone' } })
    const marketing = await makeTemplate(world.database.sql, world.workspaceId, { category: 'marketing' })
    const { id: notOptedIn } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: '+4915112349002' } })
    for (const [customerId, reason, more] of [
      [optedOut, 'opted_out', {}],
      [unreachable, 'no_address', {}],
      [notOptedIn, 'no_opt_in', { templateId: marketing }],
    ] as const) {
      const { id } = await create(more)
      const { error } = await world.expect(422, 'POST', `/v1/campaigns/${id}/test`, { body: { customerId } })
      expect(error.details).toEqual({ reason })
      expect((await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)).data).toEqual([])
    }
    const { id } = await create()
    const { error } = await world.expect(400, 'POST', `/v1/campaigns/${id}/test`, { body: { customerId: unknownId } })
    expect(Object.keys(error.details)).toEqual(['customerId'])
  })

  test('waits for a locked conversation', async () => {
    const { id } = await create()
    const path = `/v1/campaigns/${id}/test`
    const [, , customerId] = customers
    const { conversationId } = await world.expect(202, 'POST', path, { body: { customerId } })
    const { sql } = world.database
    await sql`update conversations set handle = 'another' where id = ${conversationId}`
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const lock = sql.begin(async tx => {
      await tx`select 1 from conversations where id = ${conversationId} for update`
      locked.resolve()
      await released.promise
    })
    await locked.promise
    const sent = world.expect(202, 'POST', path, { body: { customerId } })
    await eventually('it waits', async () => {
      const [waiting] = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting !== undefined
    })
    released.resolve()
    await lock
    await sent
  })
})
