/** Tests of the opt-out words of a workspace, of lifting an opt-out and of the ledger. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { newPhone, useWorld } from '../../../support/world.ts'

const world = useWorld()
let channelId: string
beforeAll(async () => {
  channelId = await world.sandbox()
})

const put = (words: unknown, status = 200) => world.expect(status, 'PUT', '/v1/opt-out-words', { body: { words } })

/** Receives a message of a customer. */
const says = (from: string, text: string): Promise<{ customerId: string }> =>
  world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body: { from, text } })

const customer = (id: string) => world.expect(200, 'GET', `/v1/customers/${id}`)
const consents = async (id: string) => (await world.expect(200, 'GET', `/v1/customers/${id}/consents`)).data
describe('the words of a workspace', () => {
  test('are set, read and compared with messages', async () => {
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({ words: [] })
    expect(await put(['Basta', ' kein Interesse '])).toEqual({ words: ['Basta', 'kein Interesse'] })
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({
      words: ['Basta', 'kein Interesse'],
    })
    const { customerId } = await says(newPhone(), '„KEIN  INTERESSE!“ 🙏')
    expect((await customer(customerId)).optedOutAt).not.toBeNull()
    await put(['Basta'])
    const other = await says(newPhone(), 'kein Interesse')
    expect((await customer(other.customerId)).optedOutAt).toBeNull()
    const hundred = Array.from({ length: 100 }, (_, n) => `word ${n}`)
    expect((await put(hundred)).words).toEqual(hundred)
    await put([])
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({ words: [] })
  })

  test.each([
    ['a repeated word', ['Basta', '“basta”!'], 'words.1'],
    ['a word without letters and digits', ['fine', '!!! 🙂'], 'words.1'],
    ['a word that is too long', ['x'.repeat(51)], 'words.0'],
    ['a word that is too long after NFKC', ['\ufdfa'.repeat(50)], 'words.0'],
    ['too many', Array.from({ length: 101 }, (_, n) => `word ${n}`), 'words'],
  ])('rejects %s', async (_what, words, place) => {
    const { error } = await put(words, 400)
    expect(Object.keys(error.details)).toEqual([place])
  })
})

describe('lifting an opt-out', () => {
  test('needs a reason, is recorded, and later messages opt out again', async () => {
    const phone = newPhone()
    const { customerId: id } = await says(phone, 'STOP')
    const path = `/v1/customers/${id}/opt-out/lift`
    const body = { reason: 'Called us' }
    await world.expect(400, 'POST', path, { body: { reason: ' ' } })
    expect(await world.expect(200, 'POST', path, { body })).toMatchObject({ id, phone, optedOutAt: null })
    expect((await customer(id)).optedOutAt).toBeNull()
    await world.expect(422, 'POST', path, { body })
    await says(phone, 'stop')
    expect((await customer(id)).optedOutAt).not.toBeNull()
    const told = await world.expect(200, 'GET', '/v1/outbound-events?type=customer.opted_out')
    const ofThem = told.data.filter(({ data }: { data: { handle: string } }) => data.handle === phone)
    expect(ofThem).toHaveLength(2)
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    const at = expect.any(String)
    const entry = { id: expect.any(String), eventId: null, at }
    expect(await consents(id)).toEqual([
      { ...entry, kind: 'opt_out', source: 'customer', words: 'stop', userId: null },
      { ...entry, kind: 'lift', source: 'dashboard', words: 'Called us', userId: user.id },
      { ...entry, kind: 'opt_out', source: 'customer', words: 'STOP', userId: null },
    ])
    const { data } = await world.expect(200, 'GET', `/v1/customers/${id}/timeline`)
    expect(data.filter(({ kind }: { kind: string }) => kind === 'lift')).toMatchObject([{ words: 'Called us' }])
  })

  test('is not done by an opt-in, a START or an event', async () => {
    const phone = newPhone()
    const { customerId: id } = await says(phone, 'STOP')
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-in`, { body: { evidence: 'form' } })
    await says(phone, 'START')
    const event = { type: 'order.created', phone, data: {}, optIn: { evidence: 'order' } }
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
    expect((await customer(id)).optedOutAt).not.toBeNull()
    const kinds = (await consents(id)).map(({ kind, source }: Record<string, string>) => `${kind} ${source}`)
    expect(kinds).toEqual(['opt_in api', 'opt_in customer', 'opt_in dashboard', 'opt_out customer'])
    const pages = await world.pages(`/v1/customers/${id}/consents?limit=2`, { as: 'key' })
    expect(pages.flat()).toEqual(await consents(id))
  })
})
