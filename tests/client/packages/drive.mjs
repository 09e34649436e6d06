/**
 * Runs the main job with the installed package: `node drive.mjs <base URL> <token> <receiver URL> <stand-in URL>`.
 * Prints the secret of its endpoint, reads the delivery as a line of JSON, and prints what it saw.
 */
import { createInterface } from 'node:readline/promises'
import { ApiError, createClient, iterate, orThrow, pull, webhooks } from 'customer-engagement-client'

const [baseUrl, token, receiverUrl, standInUrl] = process.argv.slice(2)
const owner = createClient({ baseUrl, token })

const before = (await pull(owner).next()).value.cursor
const { key } = orThrow(await owner.POST('/v1/api-keys', { body: { name: 'package' } }))
const { secret } = orThrow(await owner.POST('/v1/webhooks', { body: { url: receiverUrl, events: ['message.status'] } }))
orThrow(await owner.POST('/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } }))
const definition = {
  trigger: { eventType: 'order.created' },
  start: 'thanks',
  steps: { thanks: { type: 'send_message', text: 'Thank you, {{customer.name|you}}!', next: null } },
}
const { id } = orThrow(await owner.POST('/v1/workflows', { body: { name: 'Thanks', definition } }))
orThrow(await owner.POST('/v1/workflows/{id}/publish', { params: { path: { id } } }))
orThrow(await owner.PATCH('/v1/workflows/{id}', { params: { path: { id } }, body: { enabled: true } }))

const shop = createClient({ baseUrl, apiKey: key })
const order = { type: 'order.created', phone: '+4915112345678', data: { total: 12.5 }, idempotencyKey: 'package-1' }
const [first, second] = [
  orThrow(await shop.POST('/v1/events', { body: order })),
  orThrow(await shop.POST('/v1/events', { body: order })),
]
for (const phone of ['+4915112345679', '+4915112345670']) orThrow(await shop.POST('/v1/customers', { body: { phone } }))
const phones = []
for await (const customer of iterate(shop, '/v1/customers', { query: { limit: 1 } })) phones.push(customer.phone)

const codeOf = async action => {
  try {
    return await action()
  } catch (error) {
    return error instanceof ApiError ? `${error.status} ${error.code}` : error.code
  }
}
const refused = await codeOf(async () => orThrow(await shop.GET('/v1/workflows')))

console.log(secret)
const lines = createInterface({ input: process.stdin })
const delivery = JSON.parse((await lines[Symbol.asyncIterator]().next()).value)
lines.close()
const event = webhooks.unwrap(delivery.headers, delivery.body, secret)
const changed = await codeOf(() => webhooks.unwrap(delivery.headers, `${delivery.body} `, secret))

let pulled
for await (const { data } of pull(owner, { after: before, types: ['message.status'], waitSeconds: 10 })) {
  pulled = data.find(one => one.id === event.id)
  if (pulled) break
}

/** Statuses of calls to a server that fails as the test says. */
const standIn = createClient({ baseUrl: standInUrl, apiKey: 'ces_stand-in' })
const statuses = []
for (const call of [
  () => standIn.POST('/v1/events', { body: { type: 'order.created', phone: order.phone } }),
  () => standIn.POST('/v1/customers', { body: { phone: order.phone } }),
  () => standIn.GET('/v1/customers'),
  () => standIn.POST('/v1/events', { body: order }),
  () => standIn.GET('/v1/customers'),
])
  statuses.push((await call()).response.status)

console.log(
  JSON.stringify({
    recorded: [first.recorded, second.recorded, first.event.id === second.event.id, first.matchedWorkflows],
    phones,
    refused,
    event: [event.type, event.data.status, event.data.eventId === first.event.id],
    changed,
    pulled: pulled.id === event.id,
    statuses,
  }),
)
