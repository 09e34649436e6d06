/** What the owner does before the first order comes: over HTTP, as a dashboard would. */
import { type Api, DemoError } from './api.ts'
import type { Story } from './story.ts'

export interface Owner {
  email: string
  password: string
}

export interface Workspace {
  /** Calls as the signed-in owner. */
  owner: Api
  /** The API key, which no other answer shows again. */
  key: string
  workflowId: string
  /** The webhook's secret, for the receiver. */
  secret: string
}

/** The type of event that starts the workflow. */
export const eventType = 'order.created'

const vipFrom = 200
const wait = '1s'

/** Waits, looks at the total, and thanks in one of two ways. */
const definition = {
  trigger: { eventType },
  start: 'wait',
  steps: {
    wait: { type: 'delay', for: wait, next: 'is_it_large?' },
    'is_it_large?': {
      type: 'condition',
      if: { path: 'data.total', op: 'gte', value: vipFrom },
      then: 'vip',
      else: 'thanks',
    },
    vip: {
      type: 'send_message',
      text: 'Dear {{customer.name|customer}}, thank you for your order {{data.orderId}} of {{data.total}} {{data.currency}}. We put a gift into the parcel to {{data.shipping.city|you}}.',
      next: null,
    },
    thanks: {
      type: 'send_message',
      text: 'Hi {{customer.name|there}}, thank you! Your order {{data.orderId}} of {{data.total}} {{data.currency}} is on its way to {{data.shipping.city|you}}.',
      next: null,
    },
  },
}

/** Signs in, issues a key, connects a channel, sets a workflow going and subscribes the receiver. */
export const setUp = async (
  api: Api,
  { email, password }: Owner,
  webhookUrl: string,
  story: Story,
): Promise<Workspace> => {
  const session = await api.call<{ token: string; workspace: { name: string } }>('POST', '/v1/auth/sign-in', {
    body: { email, password },
  })
  const owner = api.as({ Authorization: `Bearer ${session.token}` })
  story.step('Signed in', `as ${email}, owner of the workspace “${session.workspace.name}”`)

  const { key, prefix } = await owner.call<{ key: string; prefix: string }>('POST', '/v1/api-keys', {
    body: { name: 'shop systems' },
  })
  story.step('API key', `${prefix}… issued`)

  await owner.call('POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })
  story.step('Channel', 'sandbox connected; it delivers at once, but fails numbers that end in 0000')

  const workflow = await owner.call<{ id: string; name: string }>('POST', '/v1/workflows', {
    body: { name: 'Thank for the order', definition },
  })
  await owner.call('POST', `/v1/workflows/${workflow.id}/publish`)
  const { enabled } = await owner.call<{ enabled: boolean }>('PATCH', `/v1/workflows/${workflow.id}`, {
    body: { enabled: true },
  })
  if (!enabled) throw new DemoError('The workflow could not be switched on.')
  story.step('Workflow', `“${workflow.name}” created, published and switched on`)
  story.detail(`on ${eventType}: wait ${wait}, then a VIP message from a total of ${vipFrom}, else a plain one`)

  const { secret } = await owner.call<{ secret: string }>('POST', '/v1/webhooks', {
    body: { url: webhookUrl, description: 'the receiver of the demo', events: ['message.status'] },
  })
  story.step('Webhook', 'the receiver is subscribed to message.status')
  return { owner, key, workflowId: workflow.id, secret }
}
