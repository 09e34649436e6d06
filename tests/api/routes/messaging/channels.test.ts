import { describe, expect, test } from 'bun:test'
import { ended, play } from '../../../support/workflows.ts'
import { eventually, startWorld, useWorld } from '../../../support/world.ts'

const world = useWorld()

const connect = (more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox', ...more } })

describe('a sandbox channel', () => {
  test('is connected, read, listed, changed and disconnected, with a complete record', async () => {
    const channel = await connect({ name: 'Try-out' })
    const [id, createdAt, updatedAt] = Array(3).fill(expect.any(String))
    expect(channel).toEqual({
      ...{ id, kind: 'sandbox', name: 'Try-out', number: null, status: 'connected', statusDetail: null },
      ...{ inboundUrl: null, sandbox: { delivery: 'delivered' }, createdAt, updatedAt },
    })
    const path = `/v1/channels/${channel.id}`
    expect(await world.expect(200, 'GET', path)).toEqual(channel)
    expect((await world.expect(200, 'GET', '/v1/channels')).data[0]).toEqual(channel)
    const changes = { name: 'Other', sandbox: { delivery: 'manual' } }
    const changed = await world.expect(200, 'PATCH', path, { body: changes })
    expect(changed).toEqual({ ...channel, ...changes, updatedAt })
    expect(await world.expect(200, 'POST', `${path}/test`)).toEqual({ ok: true, detail: expect.any(String) })
    await world.expect(204, 'DELETE', path)
    const gone = await world.expect(200, 'GET', path)
    expect(gone).toEqual({ ...changed, status: 'disconnected', updatedAt })
    await world.expect(204, 'DELETE', path)
    expect(await world.expect(200, 'GET', path)).toEqual(gone)
    await world.expect(422, 'PATCH', path, { body: { name: 'Back' } })
    await world.expect(422, 'POST', `${path}/test`)
  })

  test.each<[field: string, change: object]>([
    ['kind', { kind: 'pigeon' }],
    ['name', { name: ' ' }],
    ['credentials', { credentials: {} }],
    ['sandbox.delivery', { sandbox: {} }],
    ['sandbox.delivery', { sandbox: { delivery: 'never' } }],
    ['sandbox.more', { sandbox: { delivery: 'read', more: 1 } }],
  ])('is rejected under %s for an invalid value', async (field, change) => {
    const body = { kind: 'sandbox', name: 'Sandbox', ...change }
    expect(await world.answer('POST', '/v1/channels', { body })).toBe(`400 invalid_request ${field}`)
  })

  test('is not changed by an empty or invalid body', async () => {
    const { id } = await connect()
    for (const [field, body] of [
      ['body', {}],
      ['name', { name: '' }],
      ['credentials', { credentials: { a: 1 } }],
      ['sandbox', { sandbox: 'manual' }],
    ] as const)
      expect(await world.answer('PATCH', `/v1/channels/${id}`, { body })).toBe(`400 invalid_request ${field}`)
  })
})

describe('a disconnected channel', () => {
  test('is not used by runs: they use the next channel, and send nothing without one', async () => {
    await using own = await startWorld()
    const { workflow, event, run, phone, publish } = play(() => own)
    const [one, two] = [await own.sandbox(), await own.sandbox()]
    const say = { type: 'send_message', text: 'Thank you', next: null }
    const definition = { trigger: { eventType: 'order.created' }, start: 'say', steps: { say } }
    const id = await workflow(definition)
    const messages = async () => (await own.expect(200, 'GET', '/v1/messages')).data
    for (const channelId of [one, two]) {
      await own.expect(204, 'DELETE', `/v1/channels/${channelId}`)
      const { outcomes } = await event('order.created', phone())
      await run(outcomes[0].runId, ended)
      // Only the second channel was connected, and only at the first event.
      expect((await messages()).map((message: { channelId: string }) => message.channelId)).toEqual([two])
    }
    const steps = { say: { ...say, channelId: two } }
    await expect(publish(id, { ...definition, steps })).rejects.toThrow('400 instead of 200')
  })

  test('skips its queued messages, which stay readable, and does not count as a connected number', async () => {
    const { database, workspaceId } = world
    const { sql } = database
    const used = async (): Promise<number> =>
      (await world.expect(200, 'GET', '/v1/entitlements')).allowances.connectedNumbers.used
    const before = await used()
    const channel = await connect()
    expect(await used()).toBe(before + 1)
    const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: '+4915112345655' } })
    // More messages than are skipped before the response. They are not due yet, so they are not sent.
    await sql`
      with conversation as (
        insert into conversations (workspace_id, channel_id, customer_id, handle)
        values (${workspaceId}, ${channel.id}, ${customerId}, '+4915112345655') returning id
      )
      insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, text, status, due_at)
      select ${workspaceId}, ${channel.id}, id, ${customerId}, 'outbound', 'later', 'queued', now() + interval '1 hour'
      from conversation, generate_series(1, 1200)`
    await world.expect(204, 'DELETE', `/v1/channels/${channel.id}`)
    expect(await used()).toBe(before)
    await eventually('all are skipped', async () => {
      const [row] = await sql<{ traced: number }[]>`
        select count(*)::integer as traced from message_statuses s join messages m on m.id = s.message_id
        where m.channel_id = ${channel.id} and m.status = 'skipped' and s.status = 'skipped'`
      return row!.traced === 1200
    })
    const { data } = await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)
    expect(data[0]).toMatchObject({ status: 'skipped', detail: expect.stringMatching(/^channel_disconnected/) })
  })
})
