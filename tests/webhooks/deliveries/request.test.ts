/** Tests of the headers of a delivery, as sent and as shown later. */
import { expect, test } from 'bun:test'
import { Keyring } from '../../../src/platform/encryption.ts'
import {
  deliveryHeaders,
  readStoredSignatures,
  toStoredSignatures,
  withOwnHeaders,
  withoutOwnHeaders,
} from '../../../src/webhooks/deliveries/request.ts'
import { decryptHeaders, encryptHeaders } from '../../../src/webhooks/endpoints/headers.ts'

const event = { id: 'the-event', type: 'ping' as const }
const info = { number: 2, planned: 8, manual: false }
const signatures = { t: 1_772_357_402, service: 't=1772357402,v1=ab,v1=cd', standard: 'v1,YWI= v1,Y2Q=' }
const standardHeaders = {
  'webhook-id': 'the-event',
  'webhook-timestamp': '1772357402',
  'webhook-signature': 'v1,YWI= v1,Y2Q=',
}

test('the headers of both schemes are shown from the stored signatures as they were sent', () => {
  const sent = deliveryHeaders(event, 'the-delivery', info, signatures)
  expect(sent).toMatchObject({ 'X-Service-Signature': signatures.service, ...standardHeaders })
  const stored = readStoredSignatures(toStoredSignatures(signatures))
  expect(deliveryHeaders(event, 'the-delivery', info, stored)).toEqual(sent)
})

test("an owner's headers from before Standard Webhooks cannot replace its headers, sent or shown", () => {
  const keyring = new Keyring([Buffer.alloc(32, 1)])
  const endpoint = { workspaceId: 'w', webhookId: 'e' }
  const stored = { 'Webhook-Id': 'theirs', webhook_signature: 'v1,theirs', 'USER-agent': 'theirs', 'X-Own': 'a' }
  const { encrypted, names } = encryptHeaders(keyring, stored, endpoint)
  const own = decryptHeaders(keyring, encrypted!.toString('base64'), endpoint)!
  const headers = deliveryHeaders(event, 'the-delivery', info, signatures)
  const { 'User-Agent': _, ...rest } = headers
  expect(withOwnHeaders(headers, own)).toEqual({ ...rest, 'USER-agent': 'theirs', 'X-Own': 'a' })
  expect(withoutOwnHeaders(headers, names)).toEqual(rest)
})
