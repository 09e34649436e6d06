/** From which address a try to sign in counts, and what is told of too many. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startWorld, type World } from '../../support/world.ts'

let world: World
let token: string
/** One from one place with one account, five with an account. */
beforeAll(async () => {
  world = await startWorld({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_SIGN_IN: '1' })
  token = world.owner.token
})
afterAll(() => world.stop())

const signIn = (from: string, password: string, email = world.owner.email) =>
  world.call('POST', '/v1/auth/sign-in', {
    as: 'nobody',
    headers: { 'X-Forwarded-For': from },
    body: { email, password },
  })
const forgetPairs = () => world.database.sql`delete from sign_in_tries`

test('strangers who try an account from anywhere are told to wait, in words, and its holder is let in', async () => {
  await forgetPairs()
  const home = '198.51.100.1'
  expect((await signIn(`203.0.113.9, ${home}`, world.owner.password)).status).toBe(200)
  await world.database.sql`delete from try_budgets`
  const tries = await Promise.all([11, 12, 13, 14, 15].map(n => signIn(`${home}, 198.51.100.${n}`, 'wrong')))
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  // The password is not even looked at.
  const refused = await signIn('198.51.100.16', world.owner.password)
  expect(refused.status).toBe(429)
  expect(refused.body.error).toEqual({
    code: 'rate_limited',
    message:
      'Too many tries to sign in to this account from network addresses it was not signed in from before; from the others it goes on. Wait as many seconds as the header Retry-After says.',
  })
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(60, 121)
  await forgetPairs()
  expect((await signIn(home, world.owner.password)).status).toBe(200)
})

test('who makes the connection says nothing by X-Forwarded-For, unless it is a proxy that is trusted', async () => {
  const untrusting = await startWorld({ RATE_LIMIT_SIGN_IN: '1' })
  try {
    const tryAs = (from: string) =>
      untrusting.call('POST', '/v1/auth/sign-in', {
        as: 'nobody',
        headers: { 'X-Forwarded-For': from },
        body: { email: 'nobody@invented.example', password: 'no such password' },
      })
    expect((await tryAs('198.51.100.1')).status).toBe(401)
    expect((await tryAs('198.51.100.2')).status).toBe(429)
  } finally {
    await untrusting.stop()
  }
})

test('whoever has got hold of a session learns no password by it: a wrong one counts as a try to sign in', async () => {
  await forgetPairs()
  const change = () =>
    world.call('POST', '/v1/auth/password', {
      as: { Authorization: `Bearer ${token}` },
      headers: { 'X-Forwarded-For': '198.51.100.50' },
      body: { currentPassword: 'wrong', newPassword: 'a quiet river in the north' },
    })
  await world.database.sql`delete from try_budgets`
  expect((await change()).status).toBe(422)
  expect((await change()).status).toBe(429)
})
