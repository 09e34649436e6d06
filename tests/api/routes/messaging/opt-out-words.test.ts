/** Tests of the opt-out words of a workspace, of lifting an opt-out and of the ledger. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { receiveMessage, receivePreference } from '../../../../src/messaging/inbound/index.ts'
import { newPhone, useWorld } from '../../../support/world.ts'

const world = useWorld()
let channelId: string
beforeAll(async () => {
  channelId = await world.sandbox()
})

const put = (words: unknown, status = 200) => world.expect(status, 'PUT', '/v1/opt-out-words', { body: { words } })

const says = (handle: string, text: string) =>
  receiveMessage(world.database.sql, {
    workspaceId: world.workspaceId,
    channelId,
    channelKind: 'sandbox',
    providerMessageId: randomUUID(),
    handle,
    otherHandle: null,
    name: null,
    type: 'text',
    text,
    sentAt: new Date(),
  })

const customer = (id: string) => world.expect(200, 'GET', `/v1/customers/${id}`)
const consents = async (id: string) => (await world.expect(200, 'GET', `/v1/customers/${id}/consents`)).data
const told = (id: string) => world.database.sql`
  select data from outbound_events where data_subject_id = ${id} and type = 'customer.opted_out'`

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
    await put([])
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({ words: [] })
  })

  test.each([
    ['a repeated word', ['Basta', '“basta”!'], 'words.1'],
    ['a word without letters and digits', ['fine', '!!! 🙂'], 'words.1'],
    ['white space', ['  '], 'words.0'],
    ['a word that is too long', ['x'.repeat(51)], 'words.0'],
    ['a word that is too long after NFKC', ['\ufdfa'.repeat(50)], 'words.0'],
    ['a word that is not a text', [7], 'words.0'],
    ['too many', Array.from({ length: 101 }, (_, n) => `word ${n}`), 'words'],
    ['no list', 'STOP', 'words'],
  ])('rejects %s', async (_what, words, place) => {
    const { error } = await put(words, 400)
    expect(Object.keys(error.details)).toEqual([place])
  })

  test('can be a hundred', async () => {
    const words = Array.from({ length: 100 }, (_, n) => `word ${n}`)
    expect((await put(words)).words).toEqual(words)
    await put([])
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
    expect(await told(id)).toHaveLength(2)
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
  })
})

describe('the ledger', () => {
  test('can be read by keys, in pages', async () => {
    const { customerId: id } = await says(newPhone(), 'STOP')
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-in`, { as: 'key', body: { evidence: 'form' } })
    const [first, second] = await world.pages(`/v1/customers/${id}/consents?limit=1`, { as: 'key' })
    expect(first).toMatchObject([{ kind: 'opt_in', source: 'api', words: 'form', userId: null }])
    expect(second).toMatchObject([{ kind: 'opt_out' }])
  })
})

describe('a preference reported by a provider', () => {
  const tells = (handle: string, wants: 'stop' | 'resume', words: string) =>
    receivePreference(world.database.sql, { workspaceId: world.workspaceId, channelId, handle, wants, words })

  test('opts out once with its text when it is a stop, and is recorded when it is a resume', async () => {
    for (const handle of [newPhone(), `US.${randomUUID()}`]) {
      const { customerId: id } = await says(handle, 'Hello')
      await tells(handle, 'stop', 'marketing: stop')
      await tells(handle, 'stop', 'once more')
      await tells(handle, 'resume', 'marketing: resume')
      expect((await customer(id)).optedOutAt).not.toBeNull()
      expect((await told(id)).map(({ data }) => data)).toEqual([
        { channel: 'sandbox', handle, scope: 'all', reason: 'marketing: stop' },
      ])
      expect((await consents(id)).map(({ kind, words }: Record<string, string>) => `${kind} ${words}`)).toEqual([
        'opt_in marketing: resume',
        'opt_out marketing: stop',
      ])
    }
  })

  test('is ignored for an unknown customer', async () => {
    await tells(newPhone(), 'stop', 'stop')
    await tells(newPhone(), 'resume', 'resume')
  })
})
