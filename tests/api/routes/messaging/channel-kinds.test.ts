/** Tests that the listed kinds of channels describe the forms, limits and capabilities that the service enforces. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { KindDetails } from '../../../../src/messaging/channels/kinds.ts'
import { type ChannelKind, channelKinds, providers } from '../../../../src/messaging/channels/providers/index.ts'
import { useWorld } from '../../../support/world.ts'

const world = useWorld({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })
let kinds: KindDetails[]
beforeAll(async () => {
  kinds = (await world.expect(200, 'GET', '/v1/channel-kinds')).data
})

const detailsOf = (kind: ChannelKind): KindDetails => kinds.find(one => one.kind === kind)!

/** Returns each way to fill in the form: with every alternative, or once if there are none. */
const filledIn = (fields: KindDetails['credentials']): Record<string, string>[] => {
  const chosen = fields.filter(({ alternatives }) => alternatives.length > 0)
  return (chosen.length === 0 ? [undefined] : chosen).map(choice =>
    Object.fromEntries(
      fields
        .filter(({ alternatives }) => choice === undefined || !alternatives.includes(choice.name))
        .map(({ name, example }) => [name, example!]),
    ),
  )
}

const connect = (kind: ChannelKind, credentials: Record<string, string>) =>
  world.call('POST', '/v1/channels', { body: { kind, name: 'Shop', credentials } })

test('lists every kind in the order of the published document, with the capabilities that its provider declares', () => {
  expect(kinds.map(({ kind }) => kind)).toEqual(channelKinds)
  for (const { kind, name, setup, capabilities } of kinds) {
    const provider = providers[kind]
    expect(provider.capabilities).toMatchObject(capabilities)
    expect({ name, setup }).toEqual({ name: provider.name, setup: provider.callbacks?.setup ?? null })
    expect(Object.keys(capabilities)).toEqual(['maxCharacters', 'freeFormWindowHours', 'templates', 'media'])
  }
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
  } as unknown as KindDetails['credentials'][number])
  // Secrets that authenticate callbacks have at least 16 characters.
  const lengths = detailsOf('whatsapp_cloud').credentials.map(({ name, minLength }) => [name, minLength])
  expect(Object.fromEntries(lengths)).toMatchObject({ appSecret: 16, verifyToken: 16 })
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
        ...(minLength === null ? [] : [example!.slice(0, minLength - 1)]),
        ...(maxLength === null ? [] : [example!.padEnd(maxLength + 1, '0')]),
      ]
      expect(pattern).not.toBeNull()
      expect(invalid.length).toBeGreaterThan(1)
      expect(RegExp(pattern!).test(invalid[0]!)).toBe(false)
      for (const value of invalid) expect((await connect(kind, { ...filled, [name]: value })).status).toBe(400)
    }
  })
})
