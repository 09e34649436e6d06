/** Pure parts of the client commands. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nearest } from '../../../../src/app/cli/client/nearest.ts'
import { rawItems } from '../../../../src/app/cli/client/raw-items.ts'
import { decodeSecret, isSigned, signedHeaders } from '../../../../src/app/cli/client/sign.ts'
import { newSigningSecret } from '../../../../src/core/secrets.ts'
import { deliveryBody } from '../../../../src/webhooks/outbound-events/body.ts'
import { signStandard, signWebhook } from '../../../../src/webhooks/signatures/sign.ts'

describe('the items of a page', () => {
  const event = fc.record({
    id: fc.uuid(),
    // The types of the service need no escapes.
    type: fc.constantFrom('message.status', 'sale.created', 'ping'),
    at: fc.date({ noInvalidDate: true }),
    data: fc.jsonValue(),
  })

  test('are cut out byte for byte, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(event), fc.string({ unit: 'binary' }), (events, cursor) => {
        const bodies = events.map(({ id, type, at, data }) =>
          deliveryBody('01981b7e-3c00-7a51-9a64-1f0f5c3d7b02', {
            id,
            type,
            createdAt: at,
            dataText: JSON.stringify({ data, amount: 0 }).replace(/0}$/, '90071992547409931.100}'),
          } as never),
        )
        expect(rawItems(`{"data":[${bodies.join(',')}],"cursor":${JSON.stringify(cursor)},"hasMore":false}`)).toEqual(
          bodies,
        )
      }),
    )
  })

  test('are found among other fields and spaces, with escaped quotes and nested names', () => {
    const page =
      '{ "more": {"data": [1]}, "cursor": "data\\\\", "data" : [ {"data":["]","\\"}"]} , 1.10, "a" ], "x":[2] }'
    expect(rawItems(page)).toEqual(['{"data":["]","\\"}"]}', '1.10', '"a"'])
    expect(rawItems('{"data":[],"cursor":"c"}')).toEqual([])
    expect(rawItems('{"data":["cut')).toEqual([])
  })
})

describe('signatures', () => {
  const event = { id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e08', type: 'ping', body: '{"a":"ü"}' }

  test('equal those of a delivery, and are accepted until a part changes', () => {
    const secret = newSigningSecret()
    const headers = signedHeaders(event, secret, 'delivery', 1000)
    expect(headers['X-Service-Signature']).toBe(signWebhook([secret], 1000, event.body))
    expect(headers['webhook-signature']).toBe(signStandard([decodeSecret(secret)!], event.id, 1000, event.body))
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    expect(isSigned(lower, event.body, secret, 1300)).toBe(true)
    expect(isSigned(lower, event.body, secret, 1301)).toBe(false)
    expect(isSigned(lower, `${event.body} `, secret, 1000)).toBe(false)
    expect(isSigned(lower, event.body, newSigningSecret(), 1000)).toBe(false)
    for (const name of ['x-service-signature', 'webhook-signature', 'webhook-id', 'webhook-timestamp'])
      expect(isSigned({ ...lower, [name]: undefined }, event.body, secret, 1000), name).toBe(false)
  })

  test('accept only secrets of endpoints', () => {
    expect(decodeSecret(`whsec_${'A'.repeat(43)}`)).toHaveLength(32)
    for (const secret of ['', 'whsec_', `whsec_${'A'.repeat(42)}`, `${'A'.repeat(43)}=`])
      expect(decodeSecret(secret)).toBeNull()
  })
})

test('a misspelled name gets the nearest one as a suggestion', () => {
  const names = ['message.received', 'message.status', 'ping']
  expect(nearest('mesage.recieved', names)).toBe('message.received')
  expect(nearest('pong', names)).toBe('ping')
  expect(nearest('order.created', names)).toBeNull()
})
