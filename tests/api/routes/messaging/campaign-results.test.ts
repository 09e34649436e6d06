/** Tests of the results of a campaign, also compared with counts of random rows. */

import { beforeAll, describe, expect, test } from 'bun:test'
import { countEffects, countSentStatuses } from '../../../../src/messaging/campaigns/results-sql.ts'
import { findCampaignState, skipPending } from '../../../../src/messaging/campaigns/run-sql.ts'
import { makeCustomers, makeTemplate } from '../../../support/campaigns.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const world = useWorld()
const dayMs = 86_400_000
let channelId: string
let templateId: string
beforeAll(async () => {
  channelId = await world.sandbox()
  templateId = await makeTemplate(world.database.sql, world.workspaceId)
})

const results = (id: string, within?: string) =>
  world.expect(200, 'GET', `/v1/campaigns/${id}/results${within ? `?within=${within}` : ''}`)
const customersWith = async (id: string, outcome: string, within = 'P7D'): Promise<string[]> => {
  const pages = await world.pages(`/v1/campaigns/${id}/recipients?limit=7&outcome=${outcome}&within=${within}`)
  return pages.flat().map(({ customerId }) => customerId)
}

type Nine = [string, string, string, string, string, string, string, string, string]

test('a campaign counts deliveries, failures, replies, opt-outs and sales that are not voided', async () => {
  const { sql } = world.database
  const customers = await makeCustomers(sql, world.workspaceId, 9)
  const [silent, replying, stopping, both, buying, late, erased, failing, optedOut] = customers as Nine
  await sql`update customers set phone = '+4915100000000' where id = ${failing}`
  await sql`update customers set opted_out_at = now() where id = ${optedOut}`
  const content = { name: 'Spring', channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body: content })
  const preview = await world.expect(200, 'POST', `/v1/campaigns/${id}/preview`)
  expect(preview).toMatchObject({ audience: 9, skipped: { opted_out: 1 }, withoutOptIn: 8 })
  expect(await results(id)).toMatchObject({ sent: 0, sales: { count: 0, customers: 0, amounts: [] } })
  await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
  await eventually('the campaign is complete', async () => {
    const { status } = await world.expect(200, 'GET', `/v1/campaigns/${id}`)
    return status === 'completed'
  })

  const phones = new Map<string, string>()
  for (const row of await sql<{ id: string; phone: string }[]>`select id, phone from customers where phone is not null`)
    phones.set(row.id, row.phone)
  const write = (customerId: string, text: string) =>
    world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, {
      body: { from: phones.get(customerId), text },
    })
  const sell = async (customerId: string, amount: string) => {
    const { data } = await world.expect(200, 'GET', `/v1/conversations?customerId=${customerId}`)
    const path = `/v1/conversations/${data[0].id}/sale`
    return world.expect(201, 'POST', path, {
      raw: `{"amount": ${amount}, "currency": "EUR"}`,
      headers: { 'Content-Type': 'application/json' },
    })
  }
  await write(replying, 'Tell me more')
  await write(replying, 'Hello?')
  await write(stopping, 'STOP')
  await write(stopping, 'Stop')
  await write(stopping, 'why did you write')
  await write(both, 'no thanks')
  await write(both, 'STOP')
  for (const customerId of [buying, late, erased]) await write(customerId, 'I take it')
  await sell(buying, '129.90')
  await sell(buying, '10')
  const voided = await sell(replying, '5')
  await world.expect(200, 'POST', `/v1/sales/${voided.id}/void`, { body: { reason: 'typo' } })
  await sell(late, '1')
  await sell(erased, '0.12')
  await world.expect(204, 'DELETE', `/v1/customers/${erased}`)
  // The message is older, so what its customer did came late.
  await sql`update messages set sent_at = sent_at - interval '8 days' where customer_id = ${late} and direction = 'outbound'`

  const expected = {
    sent: 8,
    delivered: 7,
    read: 0,
    failed: [{ reason: expect.stringContaining('0000'), count: 1 }],
    replied: 4,
    optedOut: 2,
    sales: { count: 3, customers: 2, amounts: [{ currency: 'EUR', amount: 140.02 }] },
  }
  expect(await results(id)).toEqual(expected)
  const { data: buckets } = await world.expect(200, 'GET', `/v1/campaigns/${id}/stats`)
  const total = (outcome: string) =>
    buckets.reduce((sum: number, bucket: Record<string, number>) => sum + bucket[outcome]!, 0)
  expect([total('sent'), total('skipped'), total('unknown')]).toEqual([8, 1, 0])
  expect(await results(id, 'P9D')).toEqual({
    ...expected,
    replied: 5,
    sales: { count: 4, customers: 3, amounts: [{ currency: 'EUR', amount: 141.02 }] },
  })
  const newestFirst = (ids: string[]) => ids.toSorted().reverse()
  expect(await customersWith(id, 'replied')).toEqual(newestFirst([replying, both, buying, erased]))
  expect(await customersWith(id, 'opted_out')).toEqual(newestFirst([stopping, both]))
  expect(await customersWith(id, 'sale')).toEqual(newestFirst([buying, erased]))
  expect(await customersWith(id, 'sale', 'P9D')).toEqual(newestFirst([buying, late, erased]))
  expect(await customersWith(id, 'failed')).toEqual([failing])
  expect(await customersWith(id, 'delivered')).toHaveLength(7)
  expect(await customersWith(id, 'read')).toEqual([])
  const { data } = await world.expect(200, 'GET', `/v1/campaigns/${id}/recipients?limit=100`)
  expect(data.find((one: { customerId: string }) => one.customerId === silent)).toMatchObject({
    outcome: 'sent',
    messageStatus: 'delivered',
  })
  expect(data.find((one: { customerId: string }) => one.customerId === optedOut)).toMatchObject({
    outcome: 'skipped',
    messageStatus: null,
  })
})

test.each(['P0D', 'a week', '91d', ''])('rejects within=%p', async within => {
  const path = `/v1/campaigns/${Bun.randomUUIDv7()}`
  for (const list of ['results', 'recipients'])
    expect(await world.expect(400, 'GET', `${path}/${list}?within=${within}`)).toMatchObject({
      error: { details: { within: expect.stringContaining('P7D') } },
    })
})

test.each(['results', 'stats'])('a campaign that does not exist has no %s', path =>
  world.expect(404, 'GET', `/v1/campaigns/${Bun.randomUUIDv7()}/${path}`),
)

interface Bucket {
  at: string
  sent: number
  skipped: number
  unknown: number
}

describe('outcomes over time', () => {
  const stats = (id: string): Promise<{ bucketSeconds: number; data: Bucket[] }> =>
    world.expect(200, 'GET', `/v1/campaigns/${id}/stats`)
  const startedAt = Date.parse('2026-03-01T09:30:00.250Z')

  /** Inserts a campaign that took `ms`, with outcomes at the given seconds after the start. */
  const insert = async (ms: number | null, outcomes: [second: number, counts: Partial<Bucket>][] = []) => {
    const { sql } = world.database
    const id = await insertCampaign(channelId)
    const from = new Date(startedAt)
    const until = ms === null ? null : new Date(startedAt + ms)
    await sql`update campaigns set started_at = ${ms === null ? null : from}, finished_at = ${until} where id = ${id}`
    for (const [second, counts] of outcomes)
      await sql`
        insert into campaign_outcomes ${sql({ workspace_id: world.workspaceId, campaign_id: id, second, ...counts })}`
    return id
  }

  test('are counted in every bucket from the start to the end', async () => {
    const id = await insert(3500, [
      [0, { sent: 1, skipped: 2 }],
      [1, { sent: 2 }],
      [3, { sent: 1, unknown: 1 }],
    ])
    expect(await stats(id)).toEqual({
      bucketSeconds: 1,
      data: [
        { at: '2026-03-01T09:30:00.250Z', sent: 1, skipped: 2, unknown: 0 },
        { at: '2026-03-01T09:30:01.250Z', sent: 2, skipped: 0, unknown: 0 },
        { at: '2026-03-01T09:30:02.250Z', sent: 0, skipped: 0, unknown: 0 },
        { at: '2026-03-01T09:30:03.250Z', sent: 1, skipped: 0, unknown: 1 },
      ],
    })
  })

  test('are empty before the start', async () => {
    expect(await stats(await insert(null))).toMatchObject({ data: [] })
  })

  test.each([
    ['-00:00:10', null, 0],
    ['100 days', '00:00:59.5', 59],
    ['100 days', '00:01:01', 60],
    ['100 days', '00:01:04.5', 60],
    ['100 days', '00:16:45', 990],
    ['70 days', null, 70 * 86_400],
  ])('are counted %p after the start, or at its end after %p, from second %p on', async (age, took, second) => {
    const { sql } = world.database
    const id = await insertCampaign(channelId)
    await sql`
      update campaigns set status = 'cancelled', started_at = now() - ${age}::interval,
        finished_at = now() - ${age}::interval + ${took}::interval where id = ${id}`
    for (let n = 0; n < 2; n++) {
      await sql`insert into campaign_recipients (workspace_id, campaign_id, customer_id)
        values (${world.workspaceId}, ${id}, ${Bun.randomUUIDv7()})`
      await skipPending(sql, (await findCampaignState(sql, world.workspaceId, id))!, 10)
    }
    const rows = await sql`select second, sent, skipped, unknown from campaign_outcomes where campaign_id = ${id}`
    expect([...rows]).toEqual([{ second, sent: 0, skipped: 2, unknown: 0 }])
  })

  test.each([
    [0, 1, 1],
    [59_999, 1, 60],
    [60_000, 5, 13],
    [3 * 3_600_000, 300, 37],
    [10 * dayMs, 6 * 3600, 41],
    [60 * dayMs - 1, 86_400, 60],
    [60 * dayMs, 2 * 86_400, 31],
    [4000 * dayMs, 67 * 86_400, 60],
  ])('of %p ms have buckets of %p seconds', async (ms, seconds, count) => {
    const { bucketSeconds, data } = await stats(await insert(ms, [[Math.floor(ms / 1000), { sent: 1 }]]))
    expect({ bucketSeconds, count: data.length }).toEqual({ bucketSeconds: seconds, count })
    expect(data.at(-1)).toMatchObject({ sent: 1 })
  })
})

/** Inserts an ended campaign and returns its id. */
const insertCampaign = async (channel: string): Promise<string> => {
  const [row] = await world.database.sql<{ id: string }[]>`
    insert into campaigns (workspace_id, name, channel_id, template_id, audience, status)
    values (${world.workspaceId}, 'Old', ${channel}, ${templateId}, '{"all": true}', 'completed') returning id`
  return row!.id
}

describe('random recipients', () => {
  const start = Date.now() - 60 * dayMs
  /** Returns a repeatable sequence of numbers from 0 to 1. */
  const numbers = (seed: number) => () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const next = numbers(21)
  const some = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!
  const times = (most: number, sentAt: number) =>
    Array.from({ length: Math.floor(next() * (most + 1)) }, () => Math.round(sentAt + (next() - 0.3) * 20 * dayMs))
  const people = Array.from({ length: 400 }, (_, n) => {
    const sentAt = Math.round(start + next() * 20 * dayMs)
    // The first and the last millisecond that counts, and those next to them.
    const limits = [sentAt - 1, sentAt, sentAt + 7 * dayMs - 1, sentAt + 7 * dayMs]
    const limitOf = (kind: number) => (n < 24 && n % 3 === kind ? [limits[Math.floor(n / 3) % 4]!] : undefined)
    return {
      customerId: Bun.randomUUIDv7(),
      messageId: Bun.randomUUIDv7('hex', sentAt - 5000),
      conversationId: Bun.randomUUIDv7(),
      outcome: n < 24 ? 'sent' : some(['sent', 'sent', 'sent', 'skipped', 'unknown', 'queued', 'pending']),
      status: some(['sent', 'delivered', 'read', 'failed']),
      detail: some([null, 'busy', 'gone', 'wrong']),
      sentAt,
      inbound: limitOf(0) ?? times(2, sentAt),
      optOuts: limitOf(1) ?? times(1, sentAt).filter(() => next() < 0.3),
      sales: (limitOf(2) ?? times(2, sentAt)).map(at => ({
        at,
        currency: some(['EUR', 'USD']),
        cents: some([1, 250, 999]),
        voided: n >= 24 && next() < 0.3,
      })),
    }
  })
  let id: string
  beforeAll(async () => {
    const { sql } = world.database
    const { workspaceId } = world
    id = await insertCampaign(channelId)
    const at = (ms: number) => new Date(ms).toISOString()
    const rows = <T>(list: readonly T[]) => JSON.stringify(list)
    await sql`insert into campaign_recipients (workspace_id, campaign_id, customer_id, outcome, message_id)
      select ${workspaceId}, ${id}, p."customerId", p.outcome, case when p.outcome <> 'pending' then p."messageId" end
      from json_to_recordset(${rows(people)}::text::json) as p("customerId" uuid, "messageId" uuid, outcome text)`
    const messages = people.flatMap(({ conversationId, customerId, ...p }) => [
      ...(p.outcome === 'pending'
        ? []
        : [
            {
              ...{ id: p.messageId, conversationId, customerId, direction: 'outbound', sentBy: 'campaign' },
              ...{ status: p.status, detail: p.detail, at: at(p.sentAt) },
            },
          ]),
      ...p.inbound.map(ms => ({
        id: Bun.randomUUIDv7('hex', ms - 20),
        conversationId,
        customerId,
        direction: 'inbound',
        status: 'received',
        at: at(ms),
      })),
    ])
    await sql`insert into messages (workspace_id, id, channel_id, conversation_id, customer_id, direction, status, detail, sent_at, created_at, sent_by, sent_by_id)
      select ${workspaceId}, m.id, ${channelId}, m."conversationId", m."customerId", m.direction, m.status, m.detail, m.at, m.at,
        m."sentBy", case when m."sentBy" is not null then ${id}::uuid end
      from json_to_recordset(${rows(messages)}::text::json) as m(id uuid, "conversationId" uuid, "customerId" uuid,
        direction text, status text, detail text, at timestamptz, "sentBy" text)`
    await sql`update campaigns set sent = ${people.filter(({ outcome }) => outcome === 'sent').length} where id = ${id}`
    const optOuts = people.flatMap(({ customerId, optOuts }) => optOuts.map(ms => ({ customerId, at: at(ms) })))
    await sql`insert into consents (workspace_id, customer_id, kind, source, at)
      select ${workspaceId}, c."customerId", 'opt_out', 'customer', c.at
      from json_to_recordset(${rows(optOuts)}::text::json) as c("customerId" uuid, at timestamptz)`
    const sales = people.flatMap(({ customerId, conversationId, sales }) =>
      sales.map(({ at: ms, cents, ...sale }) => ({
        ...sale,
        id: Bun.randomUUIDv7('hex', ms),
        customerId,
        conversationId,
        amount: cents / 100,
        at: at(ms),
      })),
    )
    await sql`insert into sales (workspace_id, id, conversation_id, customer_id, amount, currency, marked_by, marked_by_id, voided_at, created_at)
      select ${workspaceId}, s.id, s."conversationId", s."customerId", s.amount, s.currency, 'user', ${workspaceId},
        case when s.voided then s.at end, s.at
      from json_to_recordset(${rows(sales)}::text::json) as s(id uuid, "conversationId" uuid, "customerId" uuid, amount numeric,
        currency text, voided boolean, at timestamptz)`
  })

  test.each([
    ['PT1H', 3_600_000],
    ['P7D', 7 * dayMs],
    ['30d', 30 * dayMs],
  ])('are counted within %s as one by one', async (within, ms) => {
    const effects = people
      .filter(({ outcome }) => outcome === 'sent')
      .map(p => {
        const isWithin = (at: number) => at >= p.sentAt && at < p.sentAt + ms
        const optOut = Math.min(...p.optOuts.filter(isWithin))
        return {
          ...p,
          optedOut: optOut < Infinity,
          replied: p.inbound.some(at => isWithin(at) && at < optOut),
          bought: p.sales.filter(({ at, voided }) => isWithin(at) && !voided),
        }
      })
    const bought = effects.flatMap(one => one.bought)
    const failed = effects.filter(({ status }) => status === 'failed').map(({ detail }) => detail ?? 'unknown')
    const found = await results(id, within)
    expect({
      ...found,
      failed: found.failed.toSorted((a: { reason: string }, b: { reason: string }) => (a.reason < b.reason ? -1 : 1)),
    }).toEqual({
      sent: effects.length,
      delivered: effects.filter(({ status }) => status === 'delivered' || status === 'read').length,
      read: effects.filter(({ status }) => status === 'read').length,
      failed: [...new Set(failed)]
        .sort()
        .map(reason => ({ reason, count: failed.filter(one => one === reason).length })),
      replied: effects.filter(({ replied }) => replied).length,
      optedOut: effects.filter(({ optedOut }) => optedOut).length,
      sales: {
        count: bought.length,
        customers: effects.filter(one => one.bought.length > 0).length,
        amounts: [...new Set(bought.map(({ currency }) => currency))].sort().map(currency => ({
          currency,
          amount: bought.filter(one => one.currency === currency).reduce((sum, { cents }) => sum + cents, 0) / 100,
        })),
      },
    })
    // A large campaign is not counted recipient by recipient.
    const { sql } = world.database
    const of = { workspaceId: world.workspaceId, campaignId: id, withinMs: ms }
    const { firstSentAt, lastSentAt, ...statuses } = await countSentStatuses(sql, of)
    const range = { ...of, channelId, from: firstSentAt!, until: new Date(+lastSentAt! + ms + 1) }
    const { buyers, sales, ...counts } = await countEffects(sql, of, range)
    const byReason = (list: { reason: string | null; count: number }[]) =>
      list.map(({ reason, count }) => [reason ?? 'unknown', count]).sort()
    const amountOf = (code: string) => Number(sales.find(({ currency }) => currency === code)?.amount)
    expect({ ...statuses, ...counts, failed: byReason(statuses.failed) }).toEqual({
      ...{ sent: found.sent, delivered: found.delivered, read: found.read, failed: byReason(found.failed) },
      ...{ replied: found.replied, optedOut: found.optedOut },
    })
    expect({ customers: buyers, count: sales.reduce((sum, one) => sum + one.count, 0) }).toEqual({
      ...{ customers: found.sales.customers, count: found.sales.count },
    })
    for (const { currency, amount } of found.sales.amounts) expect(amountOf(currency)).toBe(amount)
    const idsOf = (isWanted: (one: (typeof effects)[number]) => boolean) =>
      effects
        .filter(isWanted)
        .map(({ customerId }) => customerId)
        .sort()
        .reverse()
    expect(await customersWith(id, 'replied', within)).toEqual(idsOf(({ replied }) => replied))
    expect(await customersWith(id, 'opted_out', within)).toEqual(idsOf(({ optedOut }) => optedOut))
    expect(await customersWith(id, 'sale', within)).toEqual(idsOf(one => one.bought.length > 0))
  })
})

test('counts all recipients of a large campaign, and reads a rare result in steps', async () => {
  const { sql } = world.database
  const { workspaceId } = world
  const count = 20_001
  // Twilio does not report reads.
  const [twilio] = await sql<{ id: string }[]>`
    insert into channels (workspace_id, kind, name, number) values (${workspaceId}, 'twilio_sms', 'SMS', '+15550001') returning id`
  const id = await insertCampaign(twilio!.id)
  await sql`
    with sent as (
      insert into messages (workspace_id, id, channel_id, conversation_id, customer_id, direction, status, detail, sent_at, sent_by, sent_by_id)
      select ${workspaceId}, uuidv7(), ${twilio!.id}, uuidv7(), uuidv7(), 'outbound', case when n <= 30 then 'failed' else 'delivered' end,
        'reason ' || n, now(), 'campaign', ${id}
      from generate_series(1, ${count}::integer) n returning id, customer_id
    )
    insert into campaign_recipients (workspace_id, campaign_id, customer_id, outcome, message_id)
    select ${workspaceId}, ${id}, customer_id, 'sent', id from sent`
  await sql`update campaigns set sent = ${count} where id = ${id}`
  const [customer] = await sql<{ id: string; conversationId: string }[]>`
    select customer_id as id, conversation_id as "conversationId" from messages where sent_by_id = ${id} limit 1`
  await sql`
    insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, status)
    values (${workspaceId}, ${twilio!.id}, ${customer!.conversationId}, ${customer!.id}, 'inbound', 'received')`
  const found = await results(id)
  expect(found).toMatchObject({ sent: count, delivered: count - 30, read: null, replied: 1, optedOut: 0 })
  expect(found.sales).toEqual({ count: 0, customers: 0, amounts: [] })
  expect(found.failed).toHaveLength(21)
  expect(found.failed.at(-1)).toEqual({ reason: 'other', count: 10 })
  const pages = await world.pages(`/v1/campaigns/${id}/recipients?outcome=failed&limit=100`)
  expect(pages.map(({ length }) => length)).toEqual([29, 1])

  // More sales than recipients. Without statistics, the planner would read all sales for each recipient.
  await sql`
    insert into sales (workspace_id, id, conversation_id, customer_id, amount, currency, marked_by, marked_by_id, created_at)
    select ${workspaceId}, uuidv7(), ${customer!.conversationId}, ${customer!.id}, 2, 'EUR', 'user', ${workspaceId}, now()
    from generate_series(1, ${count}::integer)`
  await sql`analyze sales`
  expect(await results(id)).toEqual({
    ...found,
    sales: { count, customers: 1, amounts: [{ currency: 'EUR', amount: 2 * count }] },
  })
})
