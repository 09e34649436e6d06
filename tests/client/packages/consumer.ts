/** Compiled against the installed package with the strictest settings. The marked lines must be errors. */
import {
  type Client,
  createClient,
  iterate,
  orThrow,
  pull,
  type WebhookEvent,
  webhooks,
} from 'customer-engagement-client'

const client: Client = createClient({ baseUrl: 'http://127.0.0.1:3000', token: 'cest_1' })

export const describeEvent = (headers: Headers, body: string): string => {
  const event: WebhookEvent = webhooks.unwrap(headers, body, ['whsec_1', 'whsec_2'])
  switch (event.type) {
    case 'message.status':
      return event.data.status
    case 'message.received':
      return event.data.text ?? event.data.type
    case 'ping':
      // @ts-expect-error A ping has no status.
      return event.data.status
    default:
      return event.id
  }
}

export const readAll = async (): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of iterate(client, '/v1/customers', { query: { limit: 100 } })) names.push(name ?? '')
  for await (const { kind } of iterate(client, '/v1/customers/{id}/timeline', { path: { id: '1' } })) names.push(kind)
  // @ts-expect-error The path has an ID.
  for await (const _ of iterate(client, '/v1/customers/{id}/timeline')) break
  // @ts-expect-error One workflow is not a list.
  for await (const _ of iterate(client, '/v1/workflows/{id}')) break
  for await (const { data, cursor } of pull(client)) for (const { id } of data) names.push(id, cursor)
  return names
}

export const record = async (): Promise<string> => {
  // @ts-expect-error An event has a type.
  await client.POST('/v1/events', { body: { phone: '+4915112345678' } })
  const { event } = orThrow(await client.POST('/v1/events', { body: { type: 'a', phone: '+4915112345678' } }))
  return event.id
}
