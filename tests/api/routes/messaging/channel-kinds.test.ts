/** Tests that the listed kinds of channels describe the forms, limits and capabilities that the service enforces. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ChannelKind, channelKinds, providers } from '../../../../src/messaging/channels/providers/index.ts'
import { startWorld, type World } from '../../../support/world.ts'

interface Field {
  name: string
  alternatives: string[]
  required: boolean
  secret: boolean
  pattern: string | null
  minLength: number | null
  maxLength: number | null
  example: string
}
interface Kind {
  kind: ChannelKind
  name: string
  capabilities: Record<string, unknown>
  credentials: Field[]
  setup: string | null
}

let world: World
let kinds: Kind[]
beforeAll(async () => {
  world = await startWorld({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })
  kinds = (await world.expect(200, 'GET', '/v1/channel-kinds')).data
})
afterAll(() => world.stop())

const detailsOf = (kind: ChannelKind): Kind => kinds.find(one => one.kind === kind)!

/** Returns each way to fill in the form: with every alternative, or once if there are none. */
const filledIn = (fields: Field[]): Record<string, string>[] => {
  const chosen = fields.filter(({ alternatives }) => alternatives.length > 0)
  return (chosen.length === 0 ? [undefined] : chosen).map(choice =>
    Object.fromEntries(
      fields
        .filter(({ alternatives }) => choice === undefined || !alternatives.includes(choice.name))
        .map(({ name, example }) => [name, example]),
    ),
  )
}

const connect = (kind: ChannelKind, credentials: Record<string, string>) =>
  world.call('POST', '/v1/channels', { body: { kind, name: 'Shop', credentials } })

test('lists every kind in the order of the published document', () => {
  expect(kinds.map(({ kind }) => kind)).toEqual(channelKinds)
})

test.each(channelKinds)('states the capabilities and texts that the provider %s declares', kind => {
  const { name, capabilities, callbacks } = providers[kind]
  const details = detailsOf(kind)
  expect(capabilities).toMatchObject(details.capabilities)
  expect(details).toMatchObject({ name, setup: callbacks?.setup ?? null })
  expect(Object.keys(details.capabilities)).toEqual(['maxCharacters', 'freeFormWindowHours', 'templates', 'media'])
})

test('describes alternatives, secrets and limits of credentials', () => {
  expect(detailsOf('sandbox').credentials).toEqual([])
  const fields = detailsOf('twilio_sms').credentials
  expect(fields.map(({ name, required, alternatives }) => [name, required, alternatives])).toEqual([
    ['accountSid', true, []],
    ['authToken', true, []],
    ['from', false, ['messagingServiceSid']],
    ['messagingServiceSid', false, ['from']],
  ])
  expect(fields.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(['authToken'])
  expect(fields[1]).toEqual({
    name: 'authToken',
    label: 'Auth token',
    description: expect.any(String),
    secret: true,
    required: true,
    alternatives: [],
    pattern: '^[!-~]*$',
    minLength: 16,
    maxLength: 1000,
    example: expect.any(String),
  } as unknown as Field)
})

describe.each(channelKinds.filter(kind => providers[kind].credentials.type !== 'null'))('the form of %s', kind => {
  test('connects a channel with the example of each field', async () => {
    for (const credentials of filledIn(detailsOf(kind).credentials)) {
      const reply = await connect(kind, credentials)
      expect([reply.status, reply.body.kind]).toEqual([201, kind])
    }
  })

  test('states the limits that the service enforces', async () => {
    const { credentials: fields } = detailsOf(kind)
    for (const { name, pattern, minLength, maxLength, example } of fields) {
      const filled = filledIn(fields).find(credentials => name in credentials)!
      const invalid = [
        `${example}\n`,
        ...(minLength === null ? [] : [example.slice(0, minLength - 1)]),
        ...(maxLength === null ? [] : [example.padEnd(maxLength + 1, '0')]),
      ]
      expect(pattern).not.toBeNull()
      expect(invalid.length).toBeGreaterThan(1)
      expect(RegExp(pattern!).test(invalid[0]!)).toBe(false)
      for (const value of invalid) expect((await connect(kind, { ...filled, [name]: value })).status).toBe(400)
    }
  })
})

test('is readable for members, and not for API keys', async () => {
  await world.expect(403, 'GET', '/v1/channel-kinds', { as: 'key' })
  await world.expect(401, 'GET', '/v1/channel-kinds', { as: 'nobody' })
})
