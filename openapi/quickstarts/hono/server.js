import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

const { WEBHOOK_SECRET, PORT = '4000' } = process.env
const webhook = new Webhook(WEBHOOK_SECRET)

// An event can arrive more than once. With several processes, use a table with a unique column instead.
const seen = new Set()
const remember = id => {
  seen.add(id)
  if (seen.size > 10_000) seen.delete(seen.values().next().value)
}

const app = new Hono()

app.post('/hooks', bodyLimit({ maxSize: 1024 * 1024 }), async context => {
  let event
  try {
    // The signature covers the raw body, so read it as text and not as JSON.
    event = webhook.verify(await context.req.text(), context.req.header())
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return context.text(error.message, 401)
  }
  if (!seen.has(event.id)) {
    // Store the event before you answer 2xx. Every other answer makes the service send it again.
    console.log(event.type, event.id)
    remember(event.id)
  }
  return context.body(null, 204)
})

serve({ fetch: app.fetch, port: Number(PORT) }, ({ port }) => console.log(`http://localhost:${port}/hooks`))
