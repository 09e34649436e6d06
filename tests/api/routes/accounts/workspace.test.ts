import { expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()

const path = '/v1/workspace'
const change = (body: unknown) => world.expect(200, 'PATCH', path, { body })

test('a new workspace has the time zone UTC', async () => {
  expect(await world.expect(200, 'GET', path)).toEqual({
    id: world.workspaceId,
    name: 'Shop',
    timezone: 'UTC',
    requireSecondFactor: false,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('an owner changes only the given fields', async () => {
  expect(await change({ name: 'Shop & Söhne' })).toMatchObject({ name: 'Shop & Söhne', timezone: 'UTC' })
  expect(await change({ timezone: 'Europe/Berlin' })).toMatchObject({ name: 'Shop & Söhne', timezone: 'Europe/Berlin' })
  expect(await world.expect(200, 'GET', path)).toMatchObject({ name: 'Shop & Söhne', timezone: 'Europe/Berlin' })
  const { workspace } = await world.expect(200, 'GET', '/v1/auth/session')
  expect(workspace.name).toBe('Shop & Söhne')
})

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['AMERICA/NEW_YORK', 'America/New_York'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['utc', 'UTC'],
])('the time zone %s is normalised to %s', async (given, timezone) => {
  expect((await change({ timezone: given })).timezone).toBe(timezone)
})

test.each([
  { timezone: 'Mars/Olympus' },
  { timezone: '+01:00' },
  { timezone: 'Europe/Berlin ' },
  { timezone: '' },
  { timezone: `Europe/${'x'.repeat(100)}` },
  { timezone: null },
])('rejects the time zone in %j', async body => {
  const { error } = await world.expect(400, 'PATCH', path, { body })
  expect(error.details).toEqual({
    timezone: 'Must be an IANA time zone such as Europe/Berlin or UTC.',
  })
})

test('rejects an empty name and an empty change', async () => {
  for (const name of ['', ' ', 'x'.repeat(101), null])
    expect(await world.answer('PATCH', path, { body: { name } })).toBe('400 invalid_request name')
  const { error } = await world.expect(400, 'PATCH', path, { body: {} })
  expect(error.details).toEqual({ body: 'Must contain at least one of name, timezone and requireSecondFactor.' })
})
