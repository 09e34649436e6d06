/** Tests the main job: from an event to the signed webhook about the message that its workflow sent. */
import { expect, test } from 'bun:test'
import { startReceiver } from './support/receiver.ts'
import { use } from './support/use.ts'
import { eventually, useWorld } from './support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))

test('an event starts a workflow, which writes to the customer, and a signed webhook reports it to the endpoint', async () => {
  const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: receiver.url, events: ['message.status'] },
  })
  await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })
  const definition = {
    trigger: { eventType: 'order.created' },
    start: 'wait',
    steps: {
      wait: { type: 'delay', for: '300ms', next: 'big' },
      big: { type: 'condition', if: { path: 'data.total', op: 'gte', value: 100 }, then: 'vip', else: null },
      vip: { type: 'send_message', text: 'Dear {{customer.name}}, {{data.total}} it is', next: null },
    },
  }
  const workflow = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Thanks', definition } })
  await world.expect(200, 'POST', `/v1/workflows/${workflow.id}/publish`)
  await world.expect(200, 'PATCH', `/v1/workflows/${workflow.id}`, { body: { enabled: true } })

  const recorded = await world.expect(201, 'POST', '/v1/events', {
    as: 'key',
    body: { type: 'order.created', phone: '+4915112345678', name: 'Ana', data: { total: 129.9 } },
  })
  expect(recorded.matchedWorkflows).toBe(1)

  const [request] = await receiver.waitFor(1)
  const body = JSON.parse(request!.body)
  expect(body).toMatchObject({
    type: 'message.status',
    workspaceId: world.workspaceId,
    data: { status: 'delivered', detail: null },
  })
  const messages = await world.expect(200, 'GET', '/v1/messages')
  expect(messages.data).toMatchObject([{ text: 'Dear Ana, 129.9 it is', status: 'delivered' }])
  const delivered = await eventually('the delivery is recorded', async () => {
    const { data } = await world.expect(200, 'GET', `/v1/webhooks/${webhook.id}/deliveries`)
    return data[0]?.status === 'delivered' && data[0]
  })
  expect(delivered).toMatchObject({ eventId: body.id, attempts: 1, statusCode: 200, error: null })
})
