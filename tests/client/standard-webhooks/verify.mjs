/** Verifies deliveries with the library of Standard Webhooks. Prints one verdict per line of the file. */
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'

const isGenuine = line => {
  const [secret, id, timestamp, signature, body] = line.split('\t')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  try {
    new Webhook(secret).verify(Buffer.from(body, 'base64'), headers)
    return true
  } catch {
    return false
  }
}

for (const line of readFileSync(process.argv[2], 'utf8').split('\n')) console.log(isGenuine(line))
