/** Tests of channels, and of the kinds of channels with the forms, limits and capabilities that the service enforces. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { KindDetails } from '../../../../src/messaging/channels/kinds.ts'
import { type ChannelKind, channelKinds, providers } from '../../../../src/messaging/channels/providers/index.ts'
import { ended, play } from '../../../support/workflows.ts'
import { eventually, startWorld, useWorld } from '../../../support/world.ts'

const world = useWorld({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })

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
  test('counts towards the 1,000 channels of a workspace, also with concurrent calls', async () => {
    await using own = await startWorld()
    await own.database.sql`
      insert into channels (workspace_id, kind, name, status)
      select ${own.workspaceId}, 'sandbox', 'Old', 'disconnected' from generate_series(1, 998)`
    const add = () => own.call('POST', '/v1/channels', { body: { kind: 'sandbox', name: 'New' } })
    const replies = await Promise.all(Array.from({ length: 4 }, add))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
    expect((await add()).body.error).toEqual({
      code: 'unprocessable',
      message:
        'A workspace has at most 1,000 channels, including disconnected ones. Change a connected channel instead, or ask the operator for help.',
    })
  })

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

let kinds: KindDetails[]
beforeAll(async () => {
  kinds = (await world.expect(200, 'GET', '/v1/channel-kinds')).data
})

const detailsOf = (kind: ChannelKind): KindDetails => kinds.find(one => one.kind === kind)!

/** Returns each way to fill in the form: with every alternative, or once if there are none. */
const filledIn = (fields: KindDetails['credentials']): Record<string, string>[] => {
  const chosen = fields.filter(({ alternatives }) => alternatives.length > 0)
  return (chosen.length === 0 ? [undefined] : chosen).map(choice =>
    Object.fromEntries(
      fields
        .filter(({ alternatives }) => choice === undefined || !alternatives.includes(choice.name))
        .map(({ name, example }) => [name, example!]),
    ),
  )
}

const connectWith = (kind: ChannelKind, credentials: Record<string, string>) =>
  world.call('POST', '/v1/channels', { body: { kind, name: 'Shop', credentials } })

test('lists every kind in the order of the published document, with the capabilities that its provider declares', () => {
  expect(kinds.map(({ kind }) => kind)).toEqual(channelKinds)
  for (const { kind, name, setup, capabilities } of kinds) {
    const provider = providers[kind]
    expect(provider.capabilities).toMatchObject(capabilities)
    expect({ name, setup }).toEqual({ name: provider.name, setup: provider.callbacks?.setup ?? null })
    expect(Object.keys(capabilities)).toEqual(['maxCharacters', 'freeFormWindowHours', 'templates', 'media'])
  }
})

test('describes alternatives, secrets and limits of credentials', () => {
  expect(detailsOf('sandbox').credentials).toEqual([])
  const fields = detailsOf('twilio_sms').credentials
  expect(fields.map(({ name, required, alternatives }) => [name, required, alternatives])).toEqual([
    ['accountSid', true, []],
    ['authToken', true, []],
    ['from', false, ['messagingServiceSid']],
    ['messagingServiceSid', false, ['from']],
  ])
  expect(fields[1]).toEqual({
    name: 'authToken',
    label: 'Auth token',
    description: expect.any(String),
    secret: true,
    required: true,
    alternatives: [],
    pattern: '^[!-~]*$',
    minLength: 16,
    maxLength: 1000,
    example: expect.any(String),
  } as unknown as KindDetails['credentials'][number])
  // Secrets that authenticate callbacks have at least 16 characters.
  const lengths = detailsOf('whatsapp_cloud').credentials.map(({ name, minLength }) => [name, minLength])
  expect(Object.fromEntries(lengths)).toMatchObject({ appSecret: 16, verifyToken: 16 })
})

describe.each(channelKinds.filter(kind => providers[kind].credentials.type !== 'null'))('the form of %s', kind => {
  test('connects a channel with the example of each field', async () => {
    for (const credentials of filledIn(detailsOf(kind).credentials)) {
      const reply = await connectWith(kind, credentials)
      expect([reply.status, reply.body.kind]).toEqual([201, kind])
    }
  })

  test('states the limits that the service enforces', async () => {
    const { credentials: fields } = detailsOf(kind)
    for (const { name, pattern, minLength, maxLength, example } of fields) {
      const filled = filledIn(fields).find(credentials => name in credentials)!
      const invalid = [
        `${example}\n`,
        ...(minLength === null ? [] : [example!.slice(0, minLength - 1)]),
        ...(maxLength === null ? [] : [example!.padEnd(maxLength + 1, '0')]),
      ]
      expect(pattern).not.toBeNull()
      expect(invalid.length).toBeGreaterThan(1)
      expect(RegExp(pattern!).test(invalid[0]!)).toBe(false)
      for (const value of invalid) expect((await connectWith(kind, { ...filled, [name]: value })).status).toBe(400)
    }
  })
})
