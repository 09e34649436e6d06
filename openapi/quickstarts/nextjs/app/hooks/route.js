import { Webhook, WebhookVerificationError } from 'standardwebhooks'

// An event can arrive more than once. With several processes or functions, use a table with a unique column instead.
const seen = new Set()
const remember = id => {
  seen.add(id)
  if (seen.size > 10_000) seen.delete(seen.values().next().value)
}

export async function POST(request) {
  // Read at the first request: the build has no secret.
  const webhook = new Webhook(process.env.WEBHOOK_SECRET)
  let event
  try {
    // The signature covers the raw body, so read it as text and not as JSON.
    event = webhook.verify(await request.text(), Object.fromEntries(request.headers))
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return new Response(error.message, { status: 401 })
  }
  if (!seen.has(event.id)) {
    // Store the event before you answer 2xx. Every other answer makes the service send it again.
    console.log(event.type, event.id)
    remember(event.id)
  }
  return new Response(null, { status: 204 })
}
