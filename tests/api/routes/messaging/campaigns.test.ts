import { beforeAll, describe, expect, test } from 'bun:test'
import { booksOf, makeCustomers, makeTemplate } from '../../../support/campaigns.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, unknownId, useWorld } from '../../../support/world.ts'

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

const templateVariables = [{ name: 'name', sample: 'Ada' }]

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
const recipients = async (id: string, query = '') =>
  (await world.expect(200, 'GET', `/v1/campaigns/${id}/recipients?limit=100${query}`)).data

test('a campaign is a draft without recipients until it is started', async () => {
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
})

test('a started campaign writes to each recipient and emits an event when it completes', async () => {
  const { id } = await create()
  expect(await start(id)).toMatchObject({ status: 'running', startedAt: expect.any(String) })
  const campaign = await over(id)
  expect(campaign).toMatchObject({
    status: 'completed',
    progress: { audience: 3, sent: 3, skipped: 0, unknown: 0, skippedBy: {} },
    finishedAt: expect.any(String),
  })
  const found = await recipients(id)
  expect(found.map(({ customerId }: { customerId: string }) => customerId).sort()).toEqual(
    customers.slice(0, 3).toSorted(),
  )
  expect(found[0]).toEqual({
    customerId: expect.any(String),
    outcome: 'sent',
    reason: null,
    messageId: expect.any(String),
    at: expect.any(String),
  })
  const { data } = await world.expect(200, 'GET', `/v1/messages?customerId=${customers[0]}`)
  expect(data[0]).toMatchObject({ text: 'Hello Customer 1', status: 'delivered' })
  const told = await eventually('it was notified', () =>
    receiver.requests.find(({ body }) => JSON.parse(body).data.campaignId === id),
  )
  expect(JSON.parse(told.body).data).toEqual({ campaignId: id, name: 'Spring', sent: 3, skipped: 0, unknown: 0 })
})

test('the audience is all customers, or those that match a condition', async () => {
  const where = {
    all: [
      { path: 'customer.attributes.number', op: 'gt', value: 15 },
      { path: 'customer.phone', op: 'exists' },
    ],
  }
  const [some, all] = [await create({ audience: { where } }), await create({ audience: { all: true } })]
  await start(some.id)
  await start(all.id)
  expect((await over(some.id)).progress).toMatchObject({ audience: 5, sent: 5 })
  expect((await over(all.id)).progress).toMatchObject({ audience: 20, sent: 20 })
})

test('a campaign without recipients completes immediately', async () => {
  const { id } = await create({ audience: { where: { path: 'customer.name', op: 'eq', value: 'Nobody' } } })
  await start(id)
  expect(await over(id)).toMatchObject({ status: 'completed', progress: { audience: 0, sent: 0, skipped: 0 } })
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
  const outcome = async (id: string) => {
    await own.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    return eventually('it has ended', async () => {
      const campaign = await own.expect(200, 'GET', `/v1/campaigns/${id}`)
      return campaign.status === 'completed' && campaign.progress
    })
  }
  beforeAll(async () => {
    channel = await own.sandbox()
    const make = (customer: unknown) => own.expect(201, 'POST', '/v1/customers', { body: customer })
    const out = await make({ phone: '+4915112340001' })
    await own.expect(200, 'POST', `/v1/customers/${out.id}/opt-out`, { body: { reason: 'asked' } })
    await make({ externalId: 'no-phone' })
    const agreed = await make({ phone: '+4915112340002' })
    await own.expect(200, 'POST', `/v1/customers/${agreed.id}/opt-in`, { body: { evidence: 'form' } })
    await make({ phone: '+4915112340003' })
    // The sandbox accepts this message and then fails it, so it counts as sent.
    const failing = await make({ phone: '+4915112340000' })
    await own.expect(200, 'POST', `/v1/customers/${failing.id}/opt-in`, { body: { evidence: 'form' } })
  })
  test('are counted in a preview, which shows up to three samples and sends nothing', async () => {
    const template = await makeTemplate(own.database.sql, own.workspaceId, { category: 'marketing' })
    const id = await campaignOf(template)
    const preview = await own.expect(200, 'POST', `/v1/campaigns/${id}/preview`)
    expect(preview).toEqual({
      audience: 5,
      skipped: { opted_out: 1, no_opt_in: 2 },
      samples: [
        { customerId: expect.any(String), text: 'Hello you' },
        { customerId: expect.any(String), text: 'Hello you' },
      ],
    })
    expect(await own.database.sql`select 1 from messages`).toHaveLength(0)
  })

  test('are those without opt-in for a marketing template, and those without an address for any other', async () => {
    const marketing = await makeTemplate(own.database.sql, own.workspaceId, { category: 'marketing' })
    expect(await outcome(await campaignOf(marketing))).toEqual({
      audience: 5,
      sent: 2,
      skipped: 3,
      unknown: 0,
      skippedBy: { opted_out: 1, no_opt_in: 2 },
    })
    const utility = await makeTemplate(own.database.sql, own.workspaceId)
    expect(await outcome(await campaignOf(utility))).toEqual({
      audience: 5,
      sent: 3,
      skipped: 2,
      unknown: 0,
      skippedBy: { opted_out: 1, no_address: 1 },
    })
  })

  test('are listed by outcome', async () => {
    const { data } = await own.expect(200, 'GET', '/v1/campaigns?limit=1')
    const path = `/v1/campaigns/${data[0].id}/recipients?outcome=skipped`
    const { data: found } = await own.expect(200, 'GET', path)
    expect(found.map(({ reason }: { reason: string }) => reason).sort()).toEqual(['no_address', 'opted_out'])
    expect((await own.pages(`${path}&limit=1`)).flat()).toEqual(found)
  })

  test('are all customers once the plan has no campaigns, or the channel is disconnected', async () => {
    const { sql } = own.database
    const template = await makeTemplate(sql, own.workspaceId)
    const [unplanned, unconnected] = [await campaignOf(template), await campaignOf(template)]
    for (const id of [unplanned, unconnected])
      await own.expect(202, 'POST', `/v1/campaigns/${id}/start`, {
        body: { at: new Date(Date.now() + 3.6e6).toISOString() },
      })
    await sql`update workspaces set plan_id = 'free'`
    await sql`update campaigns set due_at = now() where id = ${unplanned}`
    const ended = (id: string) =>
      eventually('it has ended', async () => {
        const campaign = await own.expect(200, 'GET', `/v1/campaigns/${id}`)
        return campaign.status === 'completed' && campaign.progress
      })
    expect((await ended(unplanned)).skippedBy).toEqual({ plan: 5 })
    await own.expect(403, 'POST', `/v1/campaigns/${unconnected}/preview`)
    await sql`update workspaces set plan_id = 'unlimited'`
    await sql`update channels set status = 'disconnected'`
    await sql`update campaigns set due_at = now() where id = ${unconnected}`
    expect((await ended(unconnected)).skippedBy).toEqual({ channel_disconnected: 5 })
    const refused = await own.call('POST', '/v1/campaigns', {
      body: {
        name: 'Late',
        channelId: channel,
        templateId: template,
        variables: { name: 'x' },
        audience: { all: true },
      },
    })
    expect(refused.status).toBe(422)
    expect(refused.body.error.message).toContain('disconnected')
  })
})

describe('rejected campaigns', () => {
  const refused = async (status: number, more: Record<string, unknown>) => {
    const { error } = await world.expect(status, 'POST', '/v1/campaigns', { body: body(more) })
    return error.details ?? error.message
  }

  test('have an audience of an unknown form, with an unknown customer or with an invalid condition', async () => {
    expect(Object.keys(await refused(400, { audience: { all: true, customerIds: customers } }))).not.toEqual([])
    expect(await refused(400, { audience: {} })).toEqual({ audience: expect.stringContaining('{all: true}') })
    expect(await refused(400, { audience: { all: false } })).toBeObject()
    expect(await refused(400, { audience: { customerids: customers } })).toMatchObject({
      'audience.customerids': 'Is not a known field. Did you mean customerIds?',
    })
    expect(await refused(400, { audience: { customerIds: [customers[0], unknownId] } })).toEqual({
      'audience.customerIds.1': 'No such customer in this workspace.',
    })
    expect(await refused(400, { audience: { customerIds: [] } })).toEqual({
      'audience.customerIds': 'Must be a list of 1 to 10,000 ids of customers.',
    })
    expect(await refused(400, { audience: { where: { all: [{ path: 'data.total', op: 'gt', value: 1 }] } } })).toEqual({
      'audience.where.all.0.path': expect.stringContaining('data.total is not a known path'),
    })
  })

  test('have values that do not match the template, or read an unknown path', async () => {
    expect(await refused(400, { variables: {} })).toEqual({ 'variables.name': expect.any(String) })
    expect(await refused(400, { variables: { name: 'x', other: 'y' } })).toEqual({
      'variables.other': expect.any(String),
    })
    expect(await refused(400, { variables: { name: '{{data.total}}' } })).toEqual({
      'variables.name': expect.stringContaining('{{data.total}} is not a known path'),
    })
  })

  test('have an unknown channel or template', async () => {
    expect(await refused(400, { channelId: unknownId, templateId: unknownId })).toEqual({
      channelId: 'No such channel in this workspace.',
      templateId: 'No such template in this workspace.',
    })
  })

  test('are in a state that does not allow the action, which the error names', async () => {
    const { id } = await create()
    for (const action of ['pause', 'resume', 'cancel']) {
      const { error } = await world.expect(422, 'POST', `/v1/campaigns/${id}/${action}`)
      expect(error.message).toContain('is draft')
    }
    await start(id)
    await over(id)
    for (const [method, path] of [
      ['POST', '/start'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/cancel'],
      ['DELETE', ''],
      ['PATCH', ''],
    ] as const) {
      const asking = method === 'PATCH' ? { body: { name: 'x' } } : {}
      const { error } = await world.expect(422, method, `/v1/campaigns/${id}${path}`, asking)
      expect(error.message).toContain('is completed')
    }
  })
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
  const body = {
    body: 'Hello {{name}} of {{city}}',
    variables: [...templateVariables, { name: 'city', sample: 'Ulm' }],
  }
  await world.expect(200, 'PATCH', `/v1/templates/${changed}`, { body })
  const first = await world.expect(422, 'POST', `/v1/campaigns/${without.id}/start`)
  expect(first.error.code).toBe('unprocessable')
  expect(first.error.details).toEqual({ templateId: 'No such template in this workspace.' })
  const second = await world.expect(422, 'POST', `/v1/campaigns/${lacking.id}/start`)
  expect(second.error.details).toEqual({ 'variables.city': 'Is required by the template.' })
  await world.expect(200, 'PATCH', `/v1/campaigns/${lacking.id}`, { body: { variables: { name: 'you', city: 'Ulm' } } })
  await start(lacking.id)
  expect(await over(lacking.id)).toMatchObject({ status: 'completed' })
})

test('a template with a variable missing at the start time is sent to no customer', async () => {
  const { sql } = world.database
  const templateId = await makeTemplate(sql, world.workspaceId)
  const { id } = await create({ templateId })
  await start(id, new Date(Date.now() + 1500).toISOString())
  // Changes the row directly, because the API rejects this change while the campaign is scheduled.
  const variables = JSON.stringify(['name', 'city'].map(name => ({ name, sample: 'x' })))
  await sql`
    update templates set body = 'Hello {{name}} of {{city}}', variables = ${variables}::text::jsonb where id = ${templateId}`
  expect(await over(id)).toMatchObject({ progress: { sent: 0, skippedBy: { template_missing: 3 } } })
})

test('a draft can be changed and deleted', async () => {
  const { id } = await create()
  const changed = await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, {
    body: { name: 'Summer', audience: { all: true } },
  })
  expect(changed).toMatchObject({ name: 'Summer', audience: { all: true }, variables: body().variables })
  await world.expect(400, 'PATCH', `/v1/campaigns/${id}`, { body: { variables: { other: 'x' } } })
  await world.expect(204, 'DELETE', `/v1/campaigns/${id}`)
  await world.expect(404, 'GET', `/v1/campaigns/${id}`)
})

test('a scheduled campaign starts on time, also after a restart, and can be changed or cancelled before', async () => {
  const later = await create()
  expect(await start(later.id, new Date(Date.now() + 3.6e6).toISOString())).toMatchObject({
    status: 'scheduled',
    startedAt: null,
    scheduledAt: expect.any(String),
  })
  await world.expect(200, 'PATCH', `/v1/campaigns/${later.id}`, { body: { name: 'Summer' } })
  expect(await world.expect(202, 'POST', `/v1/campaigns/${later.id}/cancel`)).toMatchObject({ status: 'cancelled' })
  const { id } = await create()
  await start(id, new Date(Date.now() + 1500).toISOString())
  await world.restart()
  expect(await over(id)).toMatchObject({ status: 'completed', progress: { sent: 3 } })
  const { startedAt, scheduledAt } = await read(id)
  expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(Date.parse(scheduledAt))
})

test('a paused campaign queues nothing, a resumed one continues, and a cancelled one skips the rest', async () => {
  const { sql } = world.database
  const { id } = await create({ audience: { all: true } })
  await start(id, new Date(Date.now() + 3.6e6).toISOString())
  // Pauses the campaign before it writes to its first recipient.
  await sql`update campaigns set status = 'paused', started_at = now(), due_at = now(), version = version + 1 where id = ${id}`
  await eventually('its audience is fixed', async () => (await read(id)).progress.audience === 20)
  expect(await recipients(id, '&outcome=pending')).toHaveLength(20)
  expect(await world.expect(202, 'POST', `/v1/campaigns/${id}/resume`)).toMatchObject({ status: 'running' })
  expect((await over(id)).progress).toMatchObject({ sent: 20 })

  const other = await create({ audience: { all: true } })
  await start(other.id, new Date(Date.now() + 3.6e6).toISOString())
  await sql`update campaigns set status = 'paused', started_at = now(), due_at = now(), version = version + 1 where id = ${other.id}`
  await eventually('its audience is fixed', async () => (await read(other.id)).progress.audience === 20)
  await world.expect(202, 'POST', `/v1/campaigns/${other.id}/cancel`)
  await eventually('all are skipped', async () => (await read(other.id)).progress.skipped === 20)
  expect((await read(other.id)).progress.skippedBy).toEqual({ cancelled: 20 })
})

test('a template of a scheduled campaign cannot be deleted; one of a finished campaign can', async () => {
  const own = await makeTemplate(world.database.sql, world.workspaceId)
  const { id } = await create({ templateId: own })
  await start(id, new Date(Date.now() + 3.6e6).toISOString())
  const { error } = await world.expect(409, 'DELETE', `/v1/templates/${own}`)
  expect(error).toMatchObject({ message: expect.stringContaining('the campaign "Spring"'), details: { campaigns: id } })
  await world.expect(202, 'POST', `/v1/campaigns/${id}/cancel`)
  await world.expect(204, 'DELETE', `/v1/templates/${own}`)
})

describe('the limits of campaigns', () => {
  const fill = async (as: Record<string, string>, status: string, count: number) => {
    const { workspace } = await world.expect(200, 'GET', '/v1/auth/session', { as })
    await world.database.sql`
      insert into campaigns (workspace_id, name, channel_id, template_id, audience, status)
      select ${workspace.id}, 'c', ${channelId}, ${templateId}, '{"all": true}', ${status}
      from generate_series(1, ${count}::integer)`
  }

  const own = async () => {
    const as = await world.otherOwner()
    const { workspace } = await world.expect(200, 'GET', '/v1/auth/session', { as })
    const channel = await world.expect(201, 'POST', '/v1/channels', { as, body: { kind: 'sandbox', name: 'S' } })
    const template = await makeTemplate(world.database.sql, workspace.id)
    const content = body({ channelId: channel.id, templateId: template, audience: { all: true } })
    return { as, post: () => world.call('POST', '/v1/campaigns', { as, body: content }) }
  }

  test('allow a workspace 500 campaigns that have not ended', async () => {
    const { as, post } = await own()
    await fill(as, 'draft', 498)
    const replies = await Promise.all(Array.from({ length: 5 }, post))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422])
    const refused = replies.find(({ status }) => status === 422)!.body.error
    expect(refused.message).toBe(
      'A workspace has at most 500 campaigns that have not ended. Remove a draft, or wait until one ends.',
    )
  })

  test('allow a workspace 10,000 in total: a new one replaces the oldest ended one and its recipients', async () => {
    const { as, post } = await own()
    await fill(as, 'completed', 10_000)
    const { workspace } = await world.expect(200, 'GET', '/v1/auth/session', { as })
    const { sql } = world.database
    const idsOf = async () =>
      sql<{ id: string }[]>`select id from campaigns where workspace_id = ${workspace.id} order by id`
    const before = await idsOf()
    const campaignId = before[0]!.id
    await sql`
      insert into campaign_recipients (workspace_id, campaign_id, customer_id, outcome)
      select ${workspace.id}, ${campaignId}, gen_random_uuid(), 'sent' from generate_series(1, 5001)`
    const { status, body: made } = await post()
    expect(status).toBe(201)
    const after = await idsOf()
    expect(after.map(({ id }) => id)).toEqual([...before.slice(1).map(({ id }) => id), made.id])
    expect(await sql`select from campaign_recipients where campaign_id = ${campaignId}`).toHaveLength(0)
    // Deletes campaigns that were never sent, because the last test counts emitted events.
    await sql`delete from campaigns where workspace_id = ${workspace.id}`
  })
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
