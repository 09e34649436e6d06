import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually, startWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })
})
afterAll(() => world.stop())

const sending = (eventType: string, text = 'hello', more: Record<string, unknown> = {}) => ({
  trigger: { eventType, ...more },
  start: 'say',
  steps: { say: { type: 'send_message', text, next: null } },
})

const switchedOn = async (definition: unknown): Promise<string> => {
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'w', definition } })
  await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
  return id
}

let phones = 0
const newPhone = () => `+4915${String(610_000_001 + 10 * phones++)}`
const record = (type: string, more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: newPhone(), ...more } })

const messagesTo = async (customerId: string): Promise<Record<string, string>[]> =>
  (await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)).data

const endedRun = (workflowId: string) =>
  eventually('the run ends', async () => {
    const { data } = await world.expect(200, 'GET', `/v1/workflows/${workflowId}/runs`)
    return data[0]?.endedAt && data[0]
  })

const reasonOf = async (eventId: string) =>
  (await world.database.sql`select reason from events where id = ${eventId}`)[0]!.reason

describe('a workflow', () => {
  test('is a draft, switched off, until it is published and switched on; only then events match it', async () => {
    const { id, ...draft } = await world.expect(201, 'POST', '/v1/workflows', {
      body: { name: 'Steps', definition: sending('step.one') },
    })
    expect(draft).toMatchObject({ enabled: false, publishedVersion: null, triggerType: 'step.one' })
    const seen: [number, string][] = []
    const look = async () => {
      const { matchedWorkflows, event } = await record('step.one')
      seen.push([matchedWorkflows, await reasonOf(event.id)])
    }
    await look()
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
    await look()
    expect(await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)).toMatchObject({
      publishedVersion: 1,
      enabled: true,
    })
    await look()
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false } })
    await look()
    expect(seen).toEqual([
      [0, 'switched_off'],
      [0, 'never_published'],
      [1, null as never],
      [0, 'switched_off'],
    ])
    const other = await record('Step.One')
    expect([other.matchedWorkflows, await reasonOf(other.event.id)]).toEqual([0, 'no_listener'])
  })

  test('that is ready but filters this event out is matched and does not run', async () => {
    await switchedOn(sending('order.big', 'big', { where: { path: 'data.total', op: 'gte', value: 100 } }))
    const small = await record('order.big', { data: { total: 99.5 } })
    expect([small.matchedWorkflows, await reasonOf(small.event.id)]).toEqual([1, 'not_run_for_customer'])
    const big = await record('order.big', { data: { total: '100' } })
    expect(await reasonOf(big.event.id)).toBeNull()
  })

  test('published anew leaves runs under way on the version they began with', async () => {
    const waiting = (text: string) => ({
      trigger: { eventType: 'version' },
      start: 'wait',
      steps: { wait: { type: 'delay', for: '400ms', next: 'say' }, say: { type: 'send_message', text, next: null } },
    })
    const id = await switchedOn(waiting('first'))
    const before = await record('version')
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition: waiting('second') } })
    expect(await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)).toMatchObject({ publishedVersion: 2 })
    const after = await record('version')
    for (const [{ event }, text] of [
      [before, 'first'],
      [after, 'second'],
    ] as const) {
      const [message] = await eventually('the message', async () => {
        const messages = await messagesTo(event.customerId)
        return messages.length > 0 && messages
      })
      expect(message!.text).toBe(text)
    }
  })

  test('is changed and read only within its workspace', async () => {
    const { id } = await world.expect(201, 'POST', '/v1/workflows', {
      body: { name: 'Mine', definition: sending('x') },
    })
    const as = await world.otherOwner()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { enabled: true }],
      ['POST', '/publish', undefined],
      ['GET', '/runs', undefined],
    ] as const) {
      await world.expect(404, method, `/v1/workflows/${id}${path}`, { as, body })
    }
    expect((await world.expect(200, 'GET', '/v1/workflows', { as })).data).toEqual([])
  })

  const step = (step: unknown) => ({ trigger: { eventType: 'x' }, start: 'a', steps: { a: step } })
  test.each([
    ['no steps', { trigger: { eventType: 'x' }, start: 'a', steps: {} }, 'definition.steps'],
    [
      'a start that is no step',
      { trigger: { eventType: 'x' }, start: 'b', steps: { a: { type: 'delay', for: '1s', next: null } } },
      'definition.start',
    ],
    ['a next that is no step', step({ type: 'delay', for: '1s', next: 'nowhere' }), 'definition.steps.a.next'],
    [
      'a branch that is no step',
      step({ type: 'condition', if: { path: 'data.x', op: 'exists' }, then: 'nowhere', else: null }),
      'definition.steps.a.then',
    ],
    ['a duration that is none', step({ type: 'delay', for: 'soon', next: null }), 'definition.steps.a.for'],
    ['a delay over 90 days', step({ type: 'delay', for: 'P91D', next: null }), 'definition.steps.a.for'],
    ['an unknown step', step({ type: 'teleport', next: null }), 'definition.steps.a'],
    [
      'an unknown operator',
      step({ type: 'condition', if: { path: 'data.x', op: 'like', value: 1 }, then: null, else: null }),
      'definition.steps.a',
    ],
    [
      'a placeholder of nothing',
      step({ type: 'send_message', text: 'Hi {{user.name}}', next: null }),
      'definition.steps.a.text',
    ],
    ['an empty text', step({ type: 'send_message', text: '', next: null }), 'definition.steps.a'],
    [
      'an empty trigger',
      { trigger: { eventType: '' }, start: 'a', steps: { a: { type: 'delay', for: '1s', next: null } } },
      'definition.trigger.eventType',
    ],
    [
      'a circle that never waits',
      { trigger: { eventType: 'x' }, start: 'a', steps: { a: { type: 'send_message', text: 'again', next: 'a' } } },
      'definition.steps.a',
    ],
    [
      'a step that nothing leads to',
      {
        trigger: { eventType: 'x' },
        start: 'a',
        steps: { a: { type: 'delay', for: '1s', next: null }, b: { type: 'delay', for: '1s', next: null } },
      },
      'definition.steps.b',
    ],
  ])('with %s is refused and names the place', async (_, definition, place) => {
    const reply = await world.call('POST', '/v1/workflows', { body: { name: 'Broken', definition } })
    expect(reply.status).toBe(400)
    expect(
      Object.keys(reply.body.error.details).some(path => path.startsWith(place)),
      JSON.stringify(reply.body),
    ).toBe(true)
  })
})

describe('a run', () => {
  test('waits, decides and writes, and leaves a trace of it', async () => {
    const id = await switchedOn({
      trigger: { eventType: 'order.created' },
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: '100ms', next: 'vip?' },
        'vip?': {
          type: 'condition',
          if: {
            any: [
              { path: 'data.total', op: 'gte', value: 200 },
              { path: 'customer.name', op: 'eq', value: 'Vip' },
            ],
          },
          then: 'vip',
          else: 'thanks',
        },
        vip: { type: 'send_message', text: 'Dear {{ customer.name }}', next: null },
        thanks: {
          type: 'send_message',
          text: 'Hi {{customer.name|you}}, {{data.total}} {{data.missing}}{{data.items.0.sku}}',
          next: null,
        },
      },
    })
    const { event } = await record('order.created', { data: { total: 12.5, items: [{ sku: 'A-1' }] } })
    const run = await endedRun(id)
    expect(run).toMatchObject({
      status: 'done',
      endReason: 'completed',
      version: 1,
      eventId: event.id,
      customerId: event.customerId,
      stepId: null,
    })
    expect(run.steps.map(({ stepId, outcome }: Record<string, string>) => `${stepId} ${outcome}`)).toEqual([
      'wait waiting',
      'vip? else',
      'thanks queued',
    ])
    expect(await messagesTo(event.customerId)).toMatchObject([{ text: 'Hi you, 12.5 A-1' }])
  })

  test('counts its first delay from the moment the event was recorded', async () => {
    const id = await switchedOn({
      trigger: { eventType: 'measured' },
      start: 'wait',
      steps: { wait: { type: 'delay', for: 'PT1.5S', next: null } },
    })
    const { event } = await record('measured')
    const run = await eventually('the run waits', async () =>
      (await world.expect(200, 'GET', `/v1/workflows/${id}/runs`)).data.find(
        (run: Record<string, unknown>) => run.steps && run.stepId === 'wait',
      ),
    )
    expect(Date.parse(run.wakeAt) - Date.parse(event.createdAt)).toBe(1500)
  })

  test('does not write to a customer who opted out while it waited', async () => {
    const id = await switchedOn({
      trigger: { eventType: 'late' },
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: '200ms', next: 'say' },
        say: { type: 'send_message', text: 'too late', next: null },
      },
    })
    const { event } = await record('late')
    await world.expect(200, 'POST', `/v1/customers/${event.customerId}/opt-out`, {
      as: 'key',
      body: { reason: 'STOP' },
    })
    await endedRun(id)
    const message = await eventually('the message is settled', async () => {
      const [message] = await messagesTo(event.customerId)
      return message?.status !== 'queued' && message
    })
    expect(message).toMatchObject({ status: 'skipped', detail: 'The customer has opted out.', providerMessageId: null })
  })

  test('tells of a message that the provider failed', async () => {
    await switchedOn(sending('doomed'))
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'doomed', phone: '+491511230000' },
    })
    const message = await eventually('the message fails', async () => {
      const [message] = await messagesTo(event.customerId)
      return message?.status === 'failed' && message
    })
    expect(message.detail).toContain('0000')
  })

  test('skips the message, and says why, where the customer has no phone or the channel is not there', async () => {
    const { customerId } = (await record('plain')).event
    await world.database.sql`update customers set phone = null, external_id = 'no-phone' where id = ${customerId}`
    const id = await switchedOn(sending('unreachable'))
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'unreachable', externalId: 'no-phone' } })
    expect((await endedRun(id)).steps).toMatchObject([{ outcome: 'skipped', detail: { reason: 'no_phone' } }])

    const elsewhere = sending('elsewhere')
    const other = await switchedOn({
      ...elsewhere,
      steps: { say: { ...elsewhere.steps.say, channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99' } },
    })
    await record('elsewhere')
    expect((await endedRun(other)).steps).toMatchObject([{ outcome: 'skipped', detail: { reason: 'no_channel' } }])
  })

  test('survives a restart of the service in the middle of its delay', async () => {
    await switchedOn({
      trigger: { eventType: 'patient' },
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: '700ms', next: 'say' },
        say: { type: 'send_message', text: 'still here', next: null },
      },
    })
    const { event } = await record('patient')
    await world.restart()
    const message = await eventually('the message', async () => (await messagesTo(event.customerId))[0])
    expect(message.text).toBe('still here')
  })
})
