import { describe, expect, test } from 'bun:test'
import { eventually, useWorld } from '../../../support/world.ts'

const world = useWorld()

const connect = (more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox', ...more } })

describe('a sandbox channel', () => {
  test('is connected, read, listed, changed and disconnected, with a complete record', async () => {
    const channel = await connect({ name: 'Try-out' })
    expect(channel).toEqual({
      id: expect.any(String),
      kind: 'sandbox',
      name: 'Try-out',
      number: null,
      status: 'connected',
      statusDetail: null,
      inboundUrl: null,
      sandbox: { delivery: 'delivered' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const path = `/v1/channels/${channel.id}`
    expect(await world.expect(200, 'GET', path)).toEqual(channel)
    expect((await world.expect(200, 'GET', '/v1/channels')).data[0]).toEqual(channel)
    const changed = await world.expect(200, 'PATCH', path, {
      body: { name: 'Other', sandbox: { delivery: 'manual' } },
    })
    expect(changed).toEqual({
      ...channel,
      name: 'Other',
      sandbox: { delivery: 'manual' },
      updatedAt: expect.any(String),
    })
    expect(await world.expect(200, 'POST', `${path}/test`)).toEqual({ ok: true, detail: expect.any(String) })
    await world.expect(204, 'DELETE', path)
    const gone = await world.expect(200, 'GET', path)
    expect(gone).toEqual({ ...changed, status: 'disconnected', updatedAt: expect.any(String) })
    await world.expect(204, 'DELETE', path)
    expect(await world.expect(200, 'GET', path)).toEqual(gone)
    await world.expect(422, 'PATCH', path, { body: { name: 'Back' } })
    await world.expect(422, 'POST', `${path}/test`)
  })

  test.each([
    [{ kind: 'pigeon' }, 'kind'],
    [{ kind: undefined }, 'kind'],
    [{ name: ' ' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ credentials: {} }, 'credentials'],
    [{ sandbox: {} }, 'sandbox.delivery'],
    [{ sandbox: { delivery: 'never' } }, 'sandbox.delivery'],
    [{ sandbox: { delivery: 'read', more: 1 } }, 'sandbox.more'],
    [{ number: '+4915112345678' }, 'number'],
  ])('with %j is rejected and the field is named', async (change, field) => {
    const body = { kind: 'sandbox', name: 'Sandbox', ...change }
    expect(await world.answer('POST', '/v1/channels', { body })).toBe(`400 invalid_request ${field}`)
  })

  test.each([
    [{}, 'body'],
    [{ name: '' }, 'name'],
    [{ credentials: { a: 1 } }, 'credentials'],
    [{ sandbox: 'manual' }, 'sandbox'],
    [{ kind: 'sandbox' }, 'kind'],
  ])('changed by %j is rejected and the field is named', async (body, field) => {
    const { id } = await connect()
    expect(await world.answer('PATCH', `/v1/channels/${id}`, { body })).toBe(`400 invalid_request ${field}`)
  })
})

describe('a disconnected channel', () => {
  const used = async (as: Record<string, string>) =>
    (await world.expect(200, 'GET', '/v1/entitlements', { as })).allowances.connectedNumbers.used

  test('does not count as a connected number', async () => {
    const as = await world.otherOwner()
    const { id } = await world.expect(201, 'POST', '/v1/channels', { as, body: { kind: 'sandbox', name: 'One' } })
    expect(await used(as)).toBe(1)
    await world.expect(204, 'DELETE', `/v1/channels/${id}`, { as })
    expect(await used(as)).toBe(0)
  })

  test('is not used by runs: they use the next channel, and send nothing without one', async () => {
    const as = await world.otherOwner()
    const [one, two] = [
      await world.expect(201, 'POST', '/v1/channels', { as, body: { kind: 'sandbox', name: 'One' } }),
      await world.expect(201, 'POST', '/v1/channels', { as, body: { kind: 'sandbox', name: 'Two' } }),
    ]
    const definition = {
      trigger: { eventType: 'order.created' },
      start: 'say',
      steps: { say: { type: 'send_message', text: 'Thank you', next: null } },
    }
    const workflow = await world.expect(201, 'POST', '/v1/workflows', { as, body: { name: 'Thanks', definition } })
    const path = `/v1/workflows/${workflow.id}`
    await world.expect(200, 'POST', `${path}/publish`, { as })
    await world.expect(200, 'PATCH', path, { as, body: { enabled: true } })
    const order = (phone: string) =>
      world.expect(201, 'POST', '/v1/events', { as, body: { type: 'order.created', phone } })
    const messages = async () => (await world.expect(200, 'GET', '/v1/messages', { as })).data

    await world.expect(204, 'DELETE', `/v1/channels/${one.id}`, { as })
    await order('+4915112345601')
    const [sent] = await eventually('it is sent', async () => {
      const all = await messages()
      return all[0]?.status === 'delivered' ? all : null
    })
    expect(sent.channelId).toBe(two.id)
    await world.expect(204, 'DELETE', `/v1/channels/${two.id}`, { as })
    await order('+4915112345602')
    await eventually('the run has ended', async () => {
      const { data } = await world.expect(200, 'GET', `${path}/runs`, { as })
      return data.length === 2 && data.every(({ status }: { status: string }) => status === 'done')
    })
    expect(await messages()).toHaveLength(1)
    const refused = await world.call('PATCH', path, {
      as,
      body: { definition: { ...definition, steps: { say: { ...definition.steps.say, channelId: two.id } } } },
    })
    expect(refused.status).toBe(200)
    expect((await world.call('POST', `${path}/publish`, { as })).status).toBe(400)
  })

  test('skips its queued messages, which stay readable', async () => {
    const { sql } = world.database
    const channel = await connect()
    const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: '+4915112345655' } })
    const { workspaceId } = world
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
    await eventually('all are skipped', async () => {
      const [row] = await sql<{ left: number }[]>`
        select count(*)::integer as left from messages where channel_id = ${channel.id} and status = 'queued'`
      return row!.left === 0
    })
    const { data } = await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)
    expect(data[0]).toMatchObject({ status: 'skipped', detail: expect.stringMatching(/^channel_disconnected/) })
    const [row] = await sql<{ traced: number }[]>`
      select count(*)::integer as traced from message_statuses s join messages m on m.id = s.message_id
      where m.channel_id = ${channel.id} and s.status = 'skipped'`
    expect(row!.traced).toBe(1200)
  })
})
