import { describe, expect, test } from 'bun:test'
import type { Sql } from '../../../../src/platform/postgres/client.ts'
import { eraseOutboundEventsOf, outboundEventTypes } from '../../../../src/webhooks/outbound-events/index.ts'
import { tell } from '../../../support/outbox.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, startWorld, useWorld } from '../../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
const path = '/v1/outbound-events/pull'

type Headers = Record<string, string>
const textOf = async (query: string, as: Headers): Promise<string> =>
  (await fetch(`${world.url}${path}?${query}`, { headers: as })).text()
const workspaceOf = async (as: Headers): Promise<string> =>
  (await world.expect(200, 'GET', '/v1/auth/session', { as })).workspace.id

describe('pulled events', () => {
  test('are byte for byte the bodies that an endpoint received, also after an erasure', async () => {
    const as = await world.otherOwner()
    const workspaceId = await workspaceOf(as)
    const { sql } = world.database
    const events = outboundEventTypes.filter(type => type !== 'ping')
    const { id: webhookId } = await world.expect(201, 'POST', '/v1/webhooks', {
      as,
      body: { url: receiver.url, events },
    })
    const customerId = crypto.randomUUID()
    const amount = sql`numeric '90071992547409.923'`
    for (const type of events)
      await tell(sql, workspaceId, type, { customerId, data: type === 'sale.created' ? { amount } : {} })
    await world.expect(202, 'POST', `/v1/webhooks/${webhookId}/test`, { as })
    const received = () => receiver.requests.map(({ body }) => String(body)).filter(body => body.includes(workspaceId))
    await eventually('every type is delivered', () => received().length === outboundEventTypes.length)
    const pulled = await eventually('every type is pulled', async () => {
      const text = await textOf('after=beginning', as)
      return JSON.parse(text).data.length === outboundEventTypes.length && text
    })
    for (const body of received()) expect(pulled).toContain(body)
    expect(pulled).toContain('90071992547409.923')
    const { cursor, data } = JSON.parse(pulled)
    expect(data.map(({ type }: { type: string }) => type).sort()).toEqual(outboundEventTypes.toSorted())

    await eraseOutboundEventsOf(sql, { workspaceId, customerId, phone: null } as never)
    const erased = JSON.parse(await textOf('after=beginning&types=message.received', as))
    expect(erased.data[0].data).toMatchObject({ from: null, text: null })
    expect(JSON.parse(await textOf(`after=${cursor}`, as))).toMatchObject({ data: [], hasMore: false })
  })

  test('are for agents, and neither for keys nor with wrong parameters', async () => {
    const agent = await world.person()
    const { cursor } = await world.expect(200, 'GET', path, { as: agent.as })
    expect(await world.answer('GET', path, { as: 'key' })).toBe('403 forbidden')
    expect(await world.answer('GET', `${path}?after=${cursor}`, { as: await world.otherOwner() })).toBe(
      '400 invalid_request after',
    )
    for (const [query, field] of [
      ['types=nothing', 'types'],
      ['types=', 'types'],
      ['wait=31', 'wait'],
      ['limit=101', 'limit'],
      ['limit=0', 'limit'],
    ])
      expect(await world.answer('GET', `${path}?${query}`)).toBe(`400 invalid_request ${field}`)
  })

  test('that are too old are 422 with a cursor that works', async () => {
    const as = await world.otherOwner()
    const workspaceId = await workspaceOf(as)
    const { sql } = world.database
    const { cursor } = await world.expect(200, 'GET', path, { as })
    await tell(sql, workspaceId, 'sale.created')
    await sql`insert into outbound_event_trims (workspace_id, xid, id)
      select workspace_id, xid, id from outbound_events where workspace_id = ${workspaceId}`
    const { error } = await world.expect(422, 'GET', `${path}?after=${cursor}`, { as })
    expect(error.code).toBe('unprocessable')
    await world.expect(200, 'GET', `${path}?after=${error.details.after}`, { as })
  })
})

describe('a waiting call', () => {
  /** Resolves when the process polls for waiting calls. */
  const untilPolled = ({ sql }: { sql: Sql }) =>
    eventually('a call waits', async () => {
      const [row] = await sql`
        select from pg_stat_activity where datname = current_database() and query like '%named.workspace_id%newest%'`
      return row !== undefined
    })

  test('gets an event that another process commits, and holds no connection meanwhile', async () => {
    const as = await world.otherOwner()
    const workspaceId = await workspaceOf(as)
    const { cursor } = await world.expect(200, 'GET', path, { as })
    let rejected = 0
    const waiting = Array.from({ length: 21 }, async () => {
      const answer = await world.call('GET', `${path}?after=${cursor}&wait=30`, { as })
      if (answer.status === 429) rejected++
      return answer
    })
    await eventually('the call over the limit of a person is rejected', () => rejected === 1)
    await world.expect(200, 'GET', '/v1/outbound-events', { as })
    await tell(world.database.sql, workspaceId, 'sale.created')
    const committedAt = performance.now()
    const answers = (await Promise.all(waiting)).filter(({ status }) => status === 200)
    expect(answers.map(({ body }) => body.data.map(({ type }: { type: string }) => type))).toEqual(
      Array(20).fill(['sale.created']),
    )
    expect(performance.now() - committedAt).toBeLessThan(5000)
  })

  test('is 401 and gets no event if its session ended meanwhile', async () => {
    const person = await world.person()
    const workspaceId = world.workspaceId
    const waiting = world.call('GET', `${path}?wait=30`, { as: person.as })
    await Bun.sleep(1100)
    await world.database.sql`delete from sessions where user_id = ${person.id}`
    await tell(world.database.sql, workspaceId, 'sale.created')
    const { status, body } = await waiting
    expect([status, body.data, body.error.code]).toEqual([401, undefined, 'unauthorized'])
  })

  test('is answered immediately when the process stops', async () => {
    await using stopping = await startWorld()
    const waiting = stopping.expect(200, 'GET', `${path}?wait=30`)
    await untilPolled(stopping.database)
    const startedAt = performance.now()
    await stopping.service.stop()
    expect((await waiting).data).toEqual([])
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  test('ends before the server closes a silent connection', async () => {
    await using brief = await startWorld({ HTTP_KEEP_ALIVE: '10s' })
    const { data } = await brief.expect(200, 'GET', `${path}?wait=30`)
    expect(data).toEqual([])
  }, 30_000)

  test('does not wait for HEAD', async () => {
    const startedAt = performance.now()
    const { status } = await fetch(`${world.url}${path}?wait=30`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${world.owner.token}` },
    })
    expect(status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})
