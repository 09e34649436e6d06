/**
 * Drives the client that openapi-generator made with typescript-fetch into `client/`. Prints the same line as the other
 * drivers.
 *
 *   node drive-typescript-fetch.js <base URL> <API key> <session token> <webhook ID> <folder of bodies>
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Configuration, CustomersApi, EventsApi, type WebhookEvent, WebhookEventFromJSON, WebhooksApi } from './client'

const [basePath, key, token, id, bodies] = process.argv.slice(2) as [string, string, string, string, string]
const shop = new Configuration({ basePath, apiKey: key })
const owner = new Configuration({ basePath, accessToken: token })

const nameOf = (type: string): string =>
  type.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())

/** Uses a field that only one type has, so that the compiler checks the union. */
const describe = (event: WebhookEvent): string => {
  if (event.type === 'ping' && event.data.webhookId !== id) throw new Error('The ping is of another endpoint.')
  if (!(event.createdAt instanceof Date)) throw new Error('The time is no date.')
  return `${nameOf(event.type)}Event`
}

const drive = async (): Promise<string> => {
  const createCustomer = { externalId: 'typescript-fetch', name: 'Ana' }
  const customer = await new CustomersApi(shop).createCustomer({ createCustomer })
  const recordEvent = {
    type: 'order.created',
    customerId: customer.id,
    data: { total: 12.5 },
    idempotencyKey: 'fetch-1',
  }
  const recorded = await new EventsApi(shop).recordEvent({ recordEvent })
  const webhooks = new WebhooksApi(owner)
  const first = await webhooks.listDeliveries({ id, limit: 1 })
  const second = await webhooks.listDeliveries({ id, limit: 1, cursor: first.nextCursor ?? '' })
  const timeline = await new CustomersApi(shop).readTimeline({ id: customer.id })
  const kinds = timeline.data.map(({ kind }) => `Timeline${nameOf(kind)}`)
  const events = readdirSync(bodies)
    .sort()
    .map(name => describe(WebhookEventFromJSON(JSON.parse(readFileSync(`${bodies}/${name}`, 'utf8')))))
  const apart = first.data[0]?.id === second.data[0]?.id ? 'the same' : 'apart'
  return (
    `customer ${customer.name}, recorded ${recorded.recorded}, deliveries ${first.data.length} and ` +
    `${second.data.length} ${apart}, timeline ${kinds.join(' ')}, bodies ${events.join(' ')}`
  )
}

drive().then(console.log, error => {
  console.error(error)
  process.exitCode = 1
})
