import express from 'express'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

const { WEBHOOK_SECRET, PORT = '4000' } = process.env
const webhook = new Webhook(WEBHOOK_SECRET)

// An event can arrive more than once. With several processes, use a table with a unique column instead.
const seen = new Set()
const remember = id => {
  seen.add(id)
  if (seen.size > 10_000) seen.delete(seen.values().next().value)
}

const app = express()

// The signature covers the raw body, so no other parser must read it.
app.post('/hooks', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  let event
  try {
    event = webhook.verify(request.body, request.headers)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return response.status(401).send(error.message)
  }
  if (!seen.has(event.id)) {
    // Store the event before you answer 2xx. Every other answer makes the service send it again.
    console.log(event.type, event.id)
    remember(event.id)
  }
  response.status(204).end()
})

app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}/hooks`))
