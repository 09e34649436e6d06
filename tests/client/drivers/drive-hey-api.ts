/**
 * Drives the client that hey-api generated into `client/`. Prints the same line as the other drivers.
 *
 *   node drive-hey-api.js <base URL> <API key> <session token> <webhook ID> <folder of bodies>
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createClient, createConfig } from './client/client'
import { createCustomer, listDeliveries, readTimeline, recordEvent } from './client/sdk.gen'
import type { WebhookEvent } from './client/types.gen'

const [baseUrl, key, token, webhook, bodies] = process.argv.slice(2) as [string, string, string, string, string]
const shop = createClient(createConfig({ baseUrl, headers: { 'X-API-Key': key } }))
const owner = createClient(createConfig({ baseUrl, auth: token }))
const throwOnError = true

const nameOf = (type: string): string =>
  type.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
/** Uses a field that only one type has, so that the compiler checks the union. */
const describe = (event: WebhookEvent): string => {
  if (event.type === 'ping' && event.data.webhookId !== webhook) throw new Error('The ping is of another endpoint.')
  return `${nameOf(event.type)}Event`
}

const drive = async (): Promise<string> => {
  const { data: customer } = await createCustomer({
    ...{ client: shop, throwOnError },
    body: { externalId: 'hey-api', name: 'Ana' },
  })
  const { data: recorded } = await recordEvent({
    ...{ client: shop, throwOnError },
    body: { type: 'order.created', customerId: customer.id, data: { total: 12.5 }, idempotencyKey: 'hey-api-1' },
  })
  const path = { id: webhook }
  const first = (await listDeliveries({ client: owner, throwOnError, path, query: { limit: 1 } })).data
  const cursor = first.nextCursor ?? ''
  const second = (await listDeliveries({ client: owner, throwOnError, path, query: { limit: 1, cursor } })).data
  const timeline = (await readTimeline({ client: shop, throwOnError, path: { id: customer.id } })).data
  const events = readdirSync(bodies)
    .sort()
    .map(name => describe(JSON.parse(readFileSync(`${bodies}/${name}`, 'utf8')) as WebhookEvent))

  const apart = first.data[0]?.id === second.data[0]?.id ? 'the same' : 'apart'
  return (
    `customer ${customer.name}, recorded ${recorded.recorded}, deliveries ${first.data.length} and ${second.data.length} ` +
    `${apart}, timeline ${timeline.data.map(({ kind }) => `Timeline${nameOf(kind)}`).join(' ')}, bodies ${events.join(' ')}`
  )
}

drive().then(console.log, error => {
  console.error(error)
  process.exitCode = 1
})
