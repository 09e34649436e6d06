/** Setup by the owner before the first order. It uses only HTTP, like a dashboard. */
import { type Api, DemoError } from './api.ts'
import type { Output } from './output.ts'

export interface Owner {
  email: string
  password: string
}

export interface Workspace {
  /** Client of the signed-in owner. */
  owner: Api
  /** Password of the owner and of the invited team members. */
  password: string
  /** Client of a shop system, with the API key. */
  shop: Api
  /** API key, which the API never shows again. */
  key: string
  /** Access token for commands such as `listen`. */
  token: string
  workflowId: string
  /** Channel of the messages. */
  channelId: string
  webhookId: string
  /** Secret of the webhook, for the receiver. */
  secret: string
}

/** Event type that starts the workflow. */
export const eventType = 'order.created'

const vipFrom = 200
const wait = '1s'

/** Workflow that waits, checks the total, and sends one of two thank-you messages on the channel. */
const definitionFor = (channelId: string) => ({
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
      channelId,
      text: 'Dear {{customer.name|customer}}, thank you for your order {{data.orderId}} of {{data.total}} {{data.currency}}. We put a gift into the parcel to {{data.shipping.city|you}}.',
      next: null,
    },
    thanks: {
      type: 'send_message',
      channelId,
      text: 'Hi {{customer.name|there}}, thank you! Your order {{data.orderId}} of {{data.total}} {{data.currency}} is on its way to {{data.shipping.city|you}}.',
      next: null,
    },
  },
})

/** Event types about customers. The demo causes each of them. */
const subscribedEvents = [
  'message.received',
  'message.status',
  'sale.created',
  'customer.opted_out',
  'campaign.completed',
]

/** Signs in, issues a key, connects a channel, enables a workflow and subscribes the receiver. */
export const setUpWorkspace = async (
  api: Api,
  { email, password }: Owner,
  webhookUrl: string,
  output: Output,
): Promise<Workspace> => {
  const session = await api.call<{ token: string; workspace: { name: string } }>('POST', '/v1/auth/sign-in', {
    body: { email, password },
  })
  const owner = api.withHeaders({ Authorization: `Bearer ${session.token}` })
  output.step('Signed in', `as ${email}, owner of the workspace “${session.workspace.name}”`)

  const { key, prefix } = await owner.call<{ key: string; prefix: string }>('POST', '/v1/api-keys', {
    body: { name: 'shop systems' },
  })
  output.step('API key', `${prefix}… issued`)
  const { token } = await owner.call<{ token: string }>('POST', '/v1/auth/tokens', {
    body: { name: 'demo', access: 'write', expiresInDays: 30 },
  })

  const channel = await owner.call<{ id: string }>('POST', '/v1/channels', {
    body: { kind: 'sandbox', name: 'Sandbox' },
  })
  output.step('Channel', 'sandbox connected; it delivers immediately, and fails for numbers that end in 0000')

  const workflow = await createWorkflow(owner, 'Order thank-you', definitionFor(channel.id))
  await publish(owner, workflow)
  await enable(owner, workflow)
  output.step('Workflow', `“${workflow.name}” created, published and switched on`)
  output.detail(`on ${eventType}: wait ${wait}, then a VIP message from a total of ${vipFrom}, else a plain one`)

  const webhook = await owner.call<{ id: string; secret: string }>('POST', '/v1/webhooks', {
    body: { url: webhookUrl, description: 'the receiver of the demo', events: subscribedEvents },
  })
  output.step('Webhook', `the receiver is subscribed to ${subscribedEvents.join(', ')}`)
  return {
    owner,
    password,
    shop: api.withHeaders({ 'X-API-Key': key }),
    key,
    token,
    workflowId: workflow.id,
    channelId: channel.id,
    webhookId: webhook.id,
    secret: webhook.secret,
  }
}

export interface Workflow {
  id: string
  name: string
}

/** Creates a draft, which no event starts. */
export const createWorkflow = (owner: Api, name: string, definition: unknown): Promise<Workflow> =>
  owner.call('POST', '/v1/workflows', { body: { name, definition } })

export const publish = (owner: Api, { id }: Workflow): Promise<unknown> =>
  owner.call('POST', `/v1/workflows/${id}/publish`)

export const enable = async (owner: Api, { id, name }: Workflow): Promise<void> => {
  const { enabled } = await owner.call<{ enabled: boolean }>('PATCH', `/v1/workflows/${id}`, {
    body: { enabled: true },
  })
  if (!enabled) throw new DemoError(`The workflow “${name}” could not be enabled.`)
}
