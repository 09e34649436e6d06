import { expect, test } from 'bun:test'
import { sandbox } from '../../../../src/messaging/channels/providers/sandbox/index.ts'

const handover = {
  credentials: null,
  apiUrl: '',
  statusUrl: null,
  sandboxDelivery: 'delivered' as const,
  timeoutMs: 1000,
  signal: new AbortController().signal,
}
const send = (handle: string) => sandbox.send({ id: 'one', handle, text: 'Hello', template: null }, handover)

test('delivers immediately, and gives the same message the same id', async () => {
  const accepted = {
    kind: 'accepted',
    providerMessageId: 'sandbox-one',
    statuses: [{ status: 'delivered', detail: null }],
  }
  expect(await send('+4915112345678')).toEqual(accepted as never)
  expect(await send('+4915112345678')).toEqual(accepted as never)
  expect(sandbox.capabilities.isIdempotent).toBe(true)
})

test('fails every message to a number that ends in 0000', async () => {
  expect(await send('+4915112340000')).toMatchObject({ kind: 'accepted', statuses: [{ status: 'failed' }] })
})
