/** Sets up the shop of the history as its owner: channels, a template, workflows and endpoints. */
import type { Api } from '../api.ts'
import { createWorkflow, enable, type Owner, publish } from '../owner.ts'

export interface HistoryShop {
  owner: Api
  shop: Api
  /** Messages on it are delivered, and to some numbers they fail. */
  textChannel: string
  /** Messages on it are also read. */
  chatChannel: string
  offer: string
  /** Endpoint with the bad afternoon. */
  stock: string
}

const items = (text: string) => ({ name: 'item', sample: text })

/** `urls` are those of the two endpoints. */
export const setUpHistory = async (
  api: Api,
  { email, password }: Owner,
  urls: { crm: string; stock: string },
): Promise<HistoryShop> => {
  const { token } = await api.call<{ token: string }>('POST', '/v1/auth/sign-in', { body: { email, password } })
  const owner = api.withHeaders({ Authorization: `Bearer ${token}` })
  const create = async (path: string, body: object) => (await owner.call<{ id: string }>('POST', path, { body })).id
  const { key } = await owner.call<{ key: string }>('POST', '/v1/api-keys', { body: { name: 'web shop' } })
  const textChannel = await create('/v1/channels', { kind: 'sandbox', name: 'Text line (history)' })
  const chatChannel = await create('/v1/channels', {
    kind: 'sandbox',
    name: 'Chat line (history)',
    sandbox: { delivery: 'read' },
  })
  const offer = await create('/v1/templates', {
    name: 'Autumn offer',
    category: 'marketing',
    body: 'Hi {{name}}, our new {{item}} is here. Reply STOP to opt out.',
    variables: [{ name: 'name', sample: 'Ana Moreno' }, items('wool throw')],
  })
  for (const [name, definition] of [
    ['Parcel on its way', shipped(textChannel)],
    ['Payment received', paid(chatChannel)],
  ] as const) {
    const workflow = await createWorkflow(owner, name, definition)
    await publish(owner, workflow)
    await enable(owner, workflow)
  }
  const endpoint = (name: string, url: string, events: string[]) =>
    create('/v1/webhooks', { name, url, events, description: 'a receiver of the demo' })
  await endpoint('CRM', urls.crm, ['message.received', 'sale.created', 'customer.opted_out', 'campaign.completed'])
  const stock = await endpoint('Stock system', urls.stock, ['message.status', 'sale.created'])
  return { owner, shop: api.withHeaders({ 'X-API-Key': key }), textChannel, chatChannel, offer, stock }
}

const shipped = (channelId: string) => ({
  trigger: { eventType: 'parcel.sent' },
  start: 'write',
  steps: {
    write: {
      type: 'send_message',
      channelId,
      text: 'Hi {{customer.name|there}}, your parcel {{data.parcelId}} is on its way.',
      next: null,
    },
  },
})

const paid = (channelId: string) => ({
  trigger: { eventType: 'payment.received', where: { path: 'data.amount', op: 'gte', value: 30 } },
  start: 'write',
  steps: {
    write: {
      type: 'send_message',
      channelId,
      text: 'Thank you, {{customer.name|there}}. We received {{data.amount}} EUR.',
      next: null,
    },
  },
})
