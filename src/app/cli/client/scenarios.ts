/** Causes of outbound events, as calls of the public API. */
import { randomInt } from 'node:crypto'
import { ClientError } from './errors.ts'
import { operationalScenarios } from './operational-scenarios.ts'
import {
  createCustomer,
  createDisabledEndpoint,
  type Identified,
  newPhone,
  phone,
  type Scenario,
  type Stage,
} from './stage.ts'

const received: Scenario['run'] = async stage => {
  const { id } = await writeAsCustomer(stage, String(stage.values.text))
  return { expected: { messageId: id } }
}

const status: Scenario['run'] = async stage => {
  const { conversationId } = await writeAsCustomer(stage, 'Is it on its way?')
  const path = `/v1/conversations/${conversationId}/messages`
  const message = await stage.call('POST', path, { text: stage.values.text })
  stage.say(`Sent the message ${message.id} to the customer.`)
  return { expected: { messageId: message.id } }
}

const sale: Scenario['run'] = async stage => {
  const { from, amount, currency, note } = stage.values
  const customer = await createCustomer(stage, from)
  const channel = await findSandbox(stage)
  const conversation = await stage.call('POST', '/v1/conversations', {
    channelId: channel.id,
    customerId: customer.id,
  })
  const { id } = await stage.call('POST', `/v1/conversations/${conversation.id}/sale`, { amount, currency, note })
  stage.say(`Recorded the sale ${id}.`)
  return { expected: { saleId: id } }
}

const optOut: Scenario['run'] = async stage => {
  const { reason } = stage.values
  const number = stage.values.from ?? newPhone()
  const customer = await createCustomer(stage, number)
  if (customer.optedOutAt) throw new ClientError('The customer has already opted out. Use another number in "from".')
  await stage.call('POST', `/v1/customers/${customer.id}/opt-out`, { reason })
  stage.say('Opted the customer out.')
  return { expected: { handle: number } }
}

const campaign: Scenario['run'] = async stage => {
  const { name, text } = stage.values
  const customer = await createCustomer(stage, newPhone())
  const channel = await findSandbox(stage)
  const template = await stage.call('POST', '/v1/templates', {
    name: `${name} ${randomInt(1_000_000)}`,
    category: 'utility',
    body: text,
    variables: [],
  })
  const removeTemplate = () => stage.call('DELETE', `/v1/templates/${template.id}`)
  try {
    const { id } = await stage.call('POST', '/v1/campaigns', {
      name,
      channelId: channel.id,
      templateId: template.id,
      variables: {},
      audience: { customerIds: [customer.id] },
    })
    await stage.call('POST', `/v1/campaigns/${id}/start`)
    stage.say(`Started the campaign ${id} for this customer.`)
    return { expected: { campaignId: id }, cleanUp: removeTemplate }
  } catch (error) {
    await removeTemplate()
    throw error
  }
}

const ping: Scenario['run'] = async stage => {
  const endpoint = await createDisabledEndpoint(stage)
  await stage.call('POST', `/v1/webhooks/${endpoint.id}/test`)
  return {
    expected: { webhookId: endpoint.id },
    cleanUp: () => stage.call('DELETE', `/v1/webhooks/${endpoint.id}`),
  }
}

/** Scenarios by type of event. */
export const scenarios: Record<string, Scenario> = {
  'message.received': { values: { from: phone, text: 'Is it on its way?' }, run: received },
  'message.status': { values: { from: phone, text: 'It arrives tomorrow.' }, run: status },
  'sale.created': { values: { from: phone, amount: 129.95, currency: 'EUR', note: null }, run: sale },
  'customer.opted_out': { values: { from: null, reason: 'Triggered by the command line.' }, run: optOut },
  'campaign.completed': { values: { name: 'Triggered campaign', text: 'Hello!' }, waitMs: 30_000, run: campaign },
  ...operationalScenarios,
  ping: { values: {}, run: ping },
}

/** Writes a message as the customer in the sandbox. */
const writeAsCustomer = async (stage: Stage, text: string): Promise<Identified & { conversationId: string }> => {
  const channel = await findSandbox(stage)
  const message = await stage.call<Identified & { conversationId: string }>(
    'POST',
    `/v1/channels/${channel.id}/sandbox/messages`,
    { from: stage.values.from, text },
  )
  stage.say(`Received the message ${message.id} from ${stage.values.from}.`)
  return message
}

interface Channel extends Identified {
  kind: string
  status: string
  sandbox: { delivery: string } | null
}

/** Returns the first connected sandbox that delivers messages, or connects one. */
const findSandbox = async (stage: Stage): Promise<Channel> => {
  const { data } = await stage.call<{ data: Channel[] }>('GET', '/v1/channels?limit=100')
  const usable = data.find(
    ({ status, sandbox }) => status === 'connected' && ['delivered', 'read'].includes(sandbox?.delivery ?? ''),
  )
  if (usable) return usable
  const channel = await stage.call<Channel>('POST', '/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
  stage.say(`Connected the sandbox channel ${channel.id}.`)
  return channel
}
