import { beforeEach, describe, expect, test } from 'bun:test'
import { prune } from '../../../../src/app/tasks/prune.ts'
import { groupRejectedRequests } from '../../../../src/events/rejected-requests/group.ts'
import { type RejectedRequest, RejectedRequestLog } from '../../../../src/events/rejected-requests/index.ts'
import { upsertGroups } from '../../../../src/events/rejected-requests/sql.ts'
import { type Asking, useWorld } from '../../../support/world.ts'

const world = useWorld()
beforeEach(async () => {
  await world.expect(200, 'GET', '/v1/activity/not-accepted')
  await world.database.sql`delete from rejected_requests`
})

const send = (asking: Asking) => world.call('POST', '/v1/events', { as: 'key', ...asking })
const listed = async () => (await world.expect(200, 'GET', '/v1/activity/not-accepted')).data
const json = { 'Content-Type': 'application/json' }
const unknownCustomer = { type: 'order.created', externalId: 'nobody' }

/** Sends an event under a plan with these features and allowances. Returns the status. */
const sendWithPlan = async (id: string, features: object, allowances: object) => {
  const { database, workspaceId } = world
  const plan = (planId: string) => database.sql`update workspaces set plan_id = ${planId} where id = ${workspaceId}`
  await database.sql`insert into plans (id, name, features, allowances)
    select ${id}, ${id}, features || ${JSON.stringify(features)}::text::jsonb, allowances || ${JSON.stringify(allowances)}::text::jsonb
    from plans where id = 'unlimited'`
  await plan(id)
  const { status } = await send({ body: { type: 'a', phone: '+4915112345678' } })
  await plan('unlimited')
  return status
}

describe('a rejected event', () => {
  test('is deleted when its fields name a customer who is erased', async () => {
    const person = { phone: '+4915198765432', externalId: 'C-Geheim-7', name: 'Unverwechselbar' }
    const { id } = await world.expect(201, 'POST', '/v1/customers', { body: person })
    const bodies = [
      { type: 'a', '4915198765432': 'called' },
      { type: 'a', phone: person.phone, optIn: { 'ada unverwechselbar': true, evidence: 'yes' } },
      { type: 'a', 'C-Geheim-7': 1 },
      { type: 'a', 'C-Other-8': 1 },
    ]
    bodies.push({ type: 'a', phone: 'unknown', data: { nested: [{ unverwechselbar: 1 }] } } as never)
    for (const body of bodies) expect((await send({ body })).status).toBe(400)
    expect(await listed()).toHaveLength(5)
    await world.expect(204, 'DELETE', `/v1/customers/${id}`)
    expect(await listed()).toMatchObject([{ details: { 'C-Other-8': expect.any(String) } }])
  })

  test('is found by sender, API key, error code and message', async () => {
    const { id, key } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'Second shop' } })
    await send({ body: unknownCustomer, headers: { 'User-Agent': 'WooCommerce/9.1 Hookshot' } })
    await send({ body: { type: 'a', phone: 'none' } })
    await world.call('POST', '/v1/events', { as: { 'X-API-Key': key }, body: { type: 'a', phone: 'none' } })
    await world.call('POST', '/v1/events', { as: 'owner', body: { type: 'a', phone: 'none' } })
    const [byPerson, second, first, woocommerce] = await listed()
    expect(byPerson.apiKeyId).toBeNull()
    expect(second.apiKeyId).toBe(id)
    const find = async (query: string) =>
      (await world.expect(200, 'GET', `/v1/activity/not-accepted?${query}`)).data.map((row: { id: string }) => row.id)
    expect(await find('sender=woocommerce')).toEqual([woocommerce.id])
    expect(await find('sender=whatsapp')).toEqual([])
    expect(await find(`apiKeyId=${id}`)).toEqual([second.id])
    expect(await find(`message=${encodeURIComponent(first.message)}`)).toEqual([byPerson.id, second.id, first.id])
    expect(await find(`code=${woocommerce.code}&sender=custom`)).not.toContain(woocommerce.id)
    expect(await find('code=conflict')).toEqual([])
    for (const query of ['message=', 'apiKeyId=no', 'code=no', 'sender=%00'])
      await world.expect(400, 'GET', `/v1/activity/not-accepted?${query}`)
  })

  test('is listed with exactly the message and details that the sender received', async () => {
    const reply = await send({ body: unknownCustomer, headers: { 'User-Agent': 'WooCommerce/9.1 Hookshot' } })
    expect(reply.status).toBe(400)
    const { code, message, details } = reply.body.error
    expect(await listed()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        problemId: expect.stringMatching(/^[0-9a-f]{64}$/),
        firstAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        lastAt: expect.any(String),
        ...{
          count: 1,
          sender: 'woocommerce',
          apiKeyId: expect.any(String),
          method: 'POST',
          path: '/v1/events',
          status: 400,
        },
        ...{ code, message, details, severity: 'error', eventId: null, requestId: reply.body.request_id },
        ...{ sample: { type: 'order.created', externalId: 'string(6)' }, suggestions: {} },
      },
    ])
  })

  test('has the structure of the newest event without values, and the names that were probably meant', async () => {
    const wrong = (data: unknown) => ({ type: 'Order.Created', phone: '+4915112345678', external_id: 'C-1', data })
    await send({ body: wrong({ city: 'Berlin' }) })
    await send({ body: wrong({ total: 12, items: [{ sku: 'Secret-1' }] }) })
    const sample = { type: 'Order.Created', phone: 'string(14)', external_id: 'string(3)' }
    const suggestions = { external_id: 'externalId' }
    const [entry, ...others] = await listed()
    expect(others).toEqual([])
    const data = { total: 'number', items: [{ sku: 'string(8)' }] }
    expect(entry).toMatchObject({ count: 2, sample: { ...sample, data }, suggestions })
    expect(await world.expect(200, 'GET', `/v1/activity/not-accepted/${entry.id}`)).toEqual(entry)
    await world.expect(200, 'POST', '/v1/events/batch', {
      as: 'key',
      body: { events: [wrong({}), 'no object', { type: 'b', externalId: 'unknown' }] },
    })
    const samples = (await listed()).map((one: { path: string; sample: unknown }) => [one.path, one.sample])
    const batch = '/v1/events/batch'
    const ofBatch = samples.filter(([path]: [string]) => path === batch)
    expect(ofBatch).toContainEqual([batch, { ...sample, data: {} }])
    expect(ofBatch).toContainEqual([batch, null])
    expect(ofBatch).toContainEqual([batch, { type: 'b', externalId: 'string(7)' }])
    const [stored] = await world.database.sql`select string_agg(r::text, '') as text from rejected_requests r`
    expect(stored!.text).not.toMatch(/Berlin|Secret-1|4915112345678/)
  })

  test('is listed for every kind of 400 and for 415', async () => {
    const replies = [
      await send({ body: { type: 7 } }),
      await send({ raw: '{', headers: json }),
      await send({ raw: '', headers: json }),
      await send({ raw: new Uint8Array([0x22, 0xff, 0x22]), headers: json }),
      await send({ raw: '[]', headers: json }),
      await send({ raw: `{"data":${'['.repeat(100)}${']'.repeat(100)}}`, headers: json }),
      await send({ raw: '{"type":"a\\u0000","phone":"+4915112345678"}', headers: json }),
      await send({ raw: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
      await send({ body: unknownCustomer, as: 'owner' }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 415, 400])
    const told = replies.map(({ body }) => `${body.error.code} ${body.error.message}`).reverse()
    expect((await listed()).map((one: { code: string; message: string }) => `${one.code} ${one.message}`)).toEqual(told)
  })

  test('is listed when the plan lacks the API (403) or the monthly events are used up (409)', async () => {
    expect(await sendWithPlan('no-api', { api: false }, {})).toBe(403)
    expect(await sendWithPlan('full', {}, { monthlyEvents: 0 })).toBe(409)
    expect((await listed()).map((one: { status: number; code: string }) => [one.status, one.code])).toEqual([
      [409, 'plan_limit_reached'],
      [403, 'feature_not_available'],
    ])
  })

  test('is read by its id while it is listed, for 30 days, and then deleted by the scheduled task', async () => {
    await send({ body: unknownCustomer })
    await send({ body: { type: 7 } })
    const all = await listed()
    const pathOf = ({ id }: { id: string }) => `/v1/activity/not-accepted/${id}`
    for (const one of all) expect(await world.expect(200, 'GET', pathOf(one))).toEqual(one)
    const { sql } = world.database
    await sql`update rejected_requests set first_at = first_at - interval '30 days' where message like 'externalId%'`
    const [kept] = await listed()
    expect(all.filter(({ id }: { id: string }) => id !== kept.id)).toHaveLength(1)
    for (const one of all) expect((await world.call('GET', pathOf(one))).status).toBe(one.id === kept.id ? 200 : 404)
    const stored = () => sql<{ id: string }[]>`select id from rejected_requests`
    expect(await stored()).toHaveLength(2)
    await prune(sql)
    expect([...(await stored())]).toEqual([{ id: kept.id }])
  })

  test('is stored without its body, except the details', async () => {
    await send({ body: { type: 'a', phone: 'the-secret-number', data: { card: 'the-secret-card' } } })
    expect(await listed()).toHaveLength(1)
    const rows = await world.database.sql`select * from rejected_requests`
    expect(JSON.stringify(rows)).not.toContain('the-secret')
    expect(JSON.stringify(rows)).not.toContain(world.key.value)
  })
})

test('the list stays empty for an unknown caller, another operation or a recorded event', async () => {
  for (const as of ['nobody', { 'X-API-Key': 'ces_nonsense' }] as const) await send({ as, body: unknownCustomer })
  await world.call('POST', '/v1/customers', { as: 'key', body: { phone: 'no' } })
  await world.call('PUT', '/v1/events', { as: 'key', body: {} })
  expect((await send({ body: { type: 'a', phone: '+4915112345678' } })).status).toBe(201)
  expect(await listed()).toEqual([])
})

describe('a repeated problem', () => {
  test('within ten minutes of its first occurrence is one entry with a count and the newest request', async () => {
    const first = await send({ body: unknownCustomer })
    const second = await send({ body: unknownCustomer })
    const [{ id, ...entry }] = await listed()
    expect(entry).toMatchObject({ count: 2, requestId: second.body.request_id })
    expect(first.body.request_id).not.toBe(second.body.request_id)
    expect(Date.parse(entry.lastAt)).toBeGreaterThanOrEqual(Date.parse(entry.firstAt))
    const letPass = (time: string) =>
      world.database.sql`update rejected_requests set first_at = first_at - ${time}::interval`
    await letPass('9 minutes 50 seconds')
    await send({ body: unknownCustomer })
    expect(await listed()).toMatchObject([{ id, count: 3 }])
    await letPass('10 seconds')
    for (let time = 0; time < 2; time++) await send({ body: unknownCustomer })
    expect(await listed()).toMatchObject([{ count: 2 }, { id, count: 3 }])
  })

  test('from another sender, or with another message, is another entry', async () => {
    await send({ body: unknownCustomer })
    await send({ body: unknownCustomer, headers: { 'User-Agent': 'Shopify-Captain-Hook' } })
    await send({ body: { ...unknownCustomer, nmae: 'Ana' } })
    expect((await listed()).map(({ count }: { count: number }) => count)).toEqual([1, 1, 1])
  })
})

describe('the list', () => {
  const refusal = (n: number, at = new Date()): RejectedRequest => ({
    workspaceId: world.workspaceId,
    sender: 'custom',
    apiKeyId: null,
    method: 'POST',
    path: '/v1/events',
    status: 400,
    error: { code: 'invalid_request', message: `problem ${n}`, details: { body: `problem ${n}` } },
    requestId: crypto.randomUUID(),
    at,
  })

  const fail = (error: unknown) => expect(error).toBeUndefined()

  test('keeps the newest 500 of a workspace, also between two runs of the scheduled task', async () => {
    const log = new RejectedRequestLog(world.database.sql, fail)
    for (let n = 0; n < 505; n++) {
      log.record(refusal(n))
      if (n % 100 === 0) await log.idle()
    }
    await log.idle()
    const rows = await world.database.sql<{ message: string }[]>`select message from rejected_requests order by id`
    expect(rows).toHaveLength(500)
    const kept = new Set(rows.map(({ message }) => message))
    for (let n = 0; n < 505; n++) expect(kept.has(`problem ${n}`), `problem ${n}`).toBe(n >= 5)

    const seen = (await world.pages('/v1/activity/not-accepted?limit=100')).flat().map(({ id }) => id)
    expect(seen).toHaveLength(500)
    expect(seen).toEqual(seen.toSorted().reverse())
  })

  test('shortens field names of hostile bodies', async () => {
    const reply = await send({ raw: `{"${'x'.repeat(500_000)}":1,"\\u0000":2}`, headers: json })
    expect(reply.status).toBe(400)
    const long = await send({ body: { type: 'a', ['y'.repeat(500_000)]: 1 } })
    expect(Object.keys(long.body.error.details)).toContain(`${'y'.repeat(200)}…`)
    const [row] = await world.database.sql`select max(length(row_to_json(r)::text)) as longest from rejected_requests r`
    expect(await listed()).toHaveLength(2)
    expect(Number(row!.longest)).toBeLessThan(40_000)
  })

  test('counts equal problems of two processes in one entry, and once if they are written twice', async () => {
    const { sql } = world.database
    const logs = [1, 2].map(() => new RejectedRequestLog(sql, fail))
    for (let n = 0; n < 500; n++) logs[n % 2]!.record(refusal(1))
    await Promise.all(logs.map(log => log.idle()))
    expect(await listed()).toMatchObject([{ count: 500 }])
    // A batch is written twice if the connection broke at its end.
    const problems = groupRejectedRequests([refusal(2), refusal(2)])
    expect(await upsertGroups(sql, problems)).toEqual([world.workspaceId])
    expect(await upsertGroups(sql, problems)).toEqual([])
    expect(await listed()).toMatchObject([{ count: 2 }, { count: 500 }])
  })
})

test('events rejected just before a stop are not lost', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => send({ body: { ...unknownCustomer, externalId: `nobody ${i}` } })),
  )
  await world.restart()
  expect(await listed()).toMatchObject([{ count: 40 }])
})
