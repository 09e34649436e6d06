import { expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()

const path = '/v1/workspace'
const change = (body: unknown, status = 200) => world.expect(status, 'PATCH', path, { body })

test('a new workspace has the time zone UTC, and an owner changes only the given fields', async () => {
  const fields = {
    id: world.workspaceId,
    requireSecondFactor: false,
    requireSso: false,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  }
  expect(await world.expect(200, 'GET', path)).toEqual({ ...fields, name: 'Shop', timezone: 'UTC' })
  const name = 'Shop & Söhne'
  expect(await change({ name })).toEqual({ ...fields, name, timezone: 'UTC' })
  expect(await change({ timezone: 'Europe/Berlin' })).toEqual({ ...fields, name, timezone: 'Europe/Berlin' })
  expect(await world.expect(200, 'GET', path)).toEqual({ ...fields, name, timezone: 'Europe/Berlin' })
  expect((await world.expect(200, 'GET', '/v1/auth/session')).workspace.name).toBe(name)
})

test('a time zone is normalised to the spelling of the IANA list, and others are rejected', async () => {
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC'])
    for (const given of [timezone, timezone.toLowerCase(), timezone.toUpperCase()])
      expect((await change({ timezone: given })).timezone).toBe(timezone)
  const reason = 'Must be an IANA time zone such as Europe/Berlin or UTC.'
  for (const timezone of ['Mars/Olympus', '+01:00', 'Europe/Berlin ', '', `Europe/${'x'.repeat(100)}`, null])
    expect((await change({ timezone }, 400)).error.details).toEqual({ timezone: reason })
})

test('rejects an empty name and an empty change', async () => {
  for (const name of ['', ' ', 'x'.repeat(101), null])
    expect(await world.answer('PATCH', path, { body: { name } })).toBe('400 invalid_request name')
  const { error } = await change({}, 400)
  expect(error.details).toEqual({
    body: 'Must contain at least one of name, timezone, requireSecondFactor and requireSso.',
  })
})

test('a workspace has at most 1,000 API keys, including revoked ones', async () => {
  const as = await world.otherOwner()
  const { id } = await world.expect(200, 'GET', path, { as })
  const issue = () => world.call('POST', '/v1/api-keys', { as, body: { name: 'one more' } })
  await world.database.sql`
    insert into api_keys (workspace_id, name, prefix, key_hash, created_by, revoked_at)
    select ${id}, 'k', 'ces_k', sha256(('old' || n)::bytea), gen_random_uuid(), now() from generate_series(1, 998) n`
  const replies = await Promise.all(Array.from({ length: 4 }, issue))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
  expect((await issue()).body.error.message).toBe(
    'A workspace has at most 1,000 API keys, including revoked ones. Use an existing key, or ask the operator for help.',
  )
})

test('a workspace has at most 100 active API keys, also with concurrent calls', async () => {
  const { sql } = world.database
  // The world has one key already.
  await sql`
    insert into api_keys (workspace_id, name, prefix, key_hash, created_by, revoked_at)
    select ${world.workspaceId}, 'k', 'ces_k', sha256(n::text::bytea), gen_random_uuid(), case when n > 96 then now() end
    from generate_series(1, 300) n`
  const issue = () => world.call('POST', '/v1/api-keys', { body: { name: 'one more' } })
  const replies = await Promise.all(Array.from({ length: 8 }, issue))
  const [first, ...others] = replies.toSorted((a, b) => a.status - b.status)
  expect(others.map(({ status }) => status)).toEqual([201, 201, 422, 422, 422, 422, 422])
  expect(others.at(-1)!.body.error).toEqual({
    code: 'unprocessable',
    message: 'A workspace has at most 100 API keys that are not revoked. Revoke a key that is not used any more.',
  })
  await world.expect(204, 'DELETE', `/v1/api-keys/${first!.body.id}`)
  expect([(await issue()).status, (await issue()).status]).toEqual([201, 422])
  await world.expect(201, 'POST', '/v1/api-keys', { as: await world.otherOwner(), body: { name: 'theirs' } })
})
