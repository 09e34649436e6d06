import { expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()

test('a workspace has at most 100 active keys, also with concurrent calls', async () => {
  const { sql } = world.database
  // The world has one key already.
  await sql`
    insert into api_keys (workspace_id, name, prefix, key_hash)
    select ${world.workspaceId}, 'k', 'ces_k', sha256(n::text::bytea) from generate_series(1, 96) n`
  await sql`
    insert into api_keys (workspace_id, name, prefix, key_hash, revoked_at)
    select ${world.workspaceId}, 'gone', 'ces_g', sha256(n::text::bytea), now() from generate_series(1000, 1200) n`
  const issue = () => world.call('POST', '/v1/api-keys', { body: { name: 'one more' } })
  const replies = await Promise.all(Array.from({ length: 8 }, issue))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422, 422, 422])
  const refused = await issue()
  expect([refused.status, refused.body.error]).toEqual([
    422,
    {
      code: 'unprocessable',
      message: 'A workspace has at most 100 API keys that are not revoked. Revoke a key that is not used any more.',
    },
  ])

  const issued = replies.find(({ status }) => status === 201)!
  await world.expect(204, 'DELETE', `/v1/api-keys/${issued.body.id}`)
  expect((await issue()).status).toBe(201)
  expect((await issue()).status).toBe(422)
  const other = await world.otherOwner()
  await world.expect(201, 'POST', '/v1/api-keys', { as: other, body: { name: 'theirs' } })
})
