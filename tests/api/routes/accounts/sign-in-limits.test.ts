/** Tests of the limits for sign-in attempts: the counted address, known addresses and the errors. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { type Asking, bearer, startWorld, useWorld } from '../../../support/world.ts'

/** Allows one attempt per address and account, and five per account. */
const world = useWorld({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_SIGN_IN: '1' })
/** Forgets all attempts, so that each test starts with its full budgets. */
const forget = async () => {
  await world.database.sql`with pairs as (delete from sign_in_attempts) delete from attempt_budgets`
}
beforeEach(forget)

const call = async (path: string, from: string, body: object, as: Asking['as'] = 'nobody') =>
  world.call('POST', `/v1/auth/${path}`, { as, headers: { 'X-Forwarded-For': from }, body })
const signIn = (from: string, password: string, email = world.owner.email) => call('sign-in', from, { email, password })
const newPassword = 'a quiet river in the north'

/** Creates an agent with this address and the owner's password. */
const person = async (email: string): Promise<string> => {
  const { id } = await world.person()
  await world.database.sql`update users set email = ${email} where id = ${id}`
  return id
}

const linkOf = async (userId: string, kind: 'confirmation' | 'reset' | 'sign_in'): Promise<string> => {
  const token = `${kind}_${crypto.randomUUID()}`
  await world.database.sql`
    insert into account_links (token_hash, user_id, kind, mailed, expires_at)
    values (sha256(convert_to(${token}, 'UTF8')), ${userId}, ${kind}, true, now() + interval '1 hour')`
  return token
}

test('attempts from unknown addresses get 429, and the holder can sign in from a known address', async () => {
  const home = '198.51.100.1'
  expect((await signIn(`203.0.113.9, ${home}`, world.owner.password)).status).toBe(200)
  await forget()
  const tries = await Promise.all([11, 12, 13, 14, 15].map(n => signIn(`${home}, 198.51.100.${n}`, 'wrong')))
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  // The password is not verified.
  const refused = await signIn('198.51.100.16', world.owner.password)
  expect(refused.status).toBe(429)
  expect(refused.body.error).toEqual({
    code: 'rate_limited',
    message:
      'Too many sign-in attempts for this account from new network addresses. Use a network address that has signed in before. Retry after the number of seconds in the Retry-After header.',
  })
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(60, 121)
  await world.database.sql`delete from sign_in_attempts`
  expect((await signIn(home, world.owner.password)).status).toBe(200)
})

test('X-Forwarded-For is ignored unless the connection comes from a trusted proxy', async () => {
  await using untrusting = await startWorld({ RATE_LIMIT_SIGN_IN: '1' })
  const attempt = async (from: string) => {
    const body = { email: 'nobody@invented.example', password: 'no such password' }
    const asking = { as: 'nobody', headers: { 'X-Forwarded-For': from }, body } as const
    return (await untrusting.call('POST', '/v1/auth/sign-in', asking)).status
  }
  expect([await attempt('198.51.100.1'), await attempt('198.51.100.2')]).toEqual([401, 429])
})

test('a wrong current password in a session counts as a sign-in attempt', async () => {
  const change = async () =>
    (await call('password', '198.51.100.50', { currentPassword: 'wrong', newPassword }, bearer(world.owner.token)))
      .status
  expect([await change(), await change()]).toEqual([422, 429])
})

test('all spellings of an address count for one account, also those equal only in PostgreSQL', async () => {
  await person('ivi@shop.example')
  // PostgreSQL lowercases İ to i, and JavaScript to i with a combining dot.
  const spellings = ['ivi', 'IVI', 'İvi', 'ivİ', 'İVİ']
  const statuses = []
  for (const spelling of spellings)
    statuses.push((await signIn('198.51.100.60', 'wrong', `${spelling}@shop.example`)).status)
  expect(statuses).toEqual([401, 429, 429, 429, 429])
})

test('a person who reset the password can sign in from that address, despite attempts from others', async () => {
  const email = 'rita@shop.example'
  const token = await linkOf(await person(email), 'reset')
  await Promise.all([71, 72, 73, 74, 75].map(n => signIn(`198.51.100.${n}`, 'wrong', email)))
  const home = '198.51.100.76'
  expect((await signIn(home, world.owner.password, email)).status).toBe(429)
  expect((await call('reset-password', home, { token, password: newPassword })).status).toBe(204)
  expect((await signIn(home, newPassword, email)).status).toBe(200)
})

test('codes of a second factor have the same limits as passwords, counted separately', async () => {
  const email = 'tom@shop.example'
  const id = await person(email)
  const { sql } = world.database
  await sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
  await sql`
    insert into sign_in_tickets (token_hash, user_id, expires_at)
    values (sha256(convert_to('tkt_tom', 'UTF8')), ${id}, now() + interval '10 minutes')`
  const show = async (from: string) =>
    (await call('sign-in/second-factor', from, { ticket: 'tkt_tom', code: 'aaaa-bbbb-cccc-dddd' })).status
  const home = '198.51.100.90'
  expect((await signIn(home, world.owner.password, email)).body.secondFactor).toBe(true)
  expect([await show(home), await show(home)]).toEqual([401, 429])
  await forget()
  const strangers = await Promise.all([81, 82, 83, 84, 85, 86].map(n => show(`198.51.100.${n}`)))
  expect(strangers.sort()).toEqual([401, 401, 401, 401, 401, 429])
  await sql`
    insert into known_networks (key_hash, user_id)
    values (sha256(convert_to(${JSON.stringify(['known place', email, '198.51.100.91'])}, 'UTF8')), ${id})`
  expect([await show('198.51.100.87'), await show('198.51.100.91')]).toEqual([429, 401])
})

describe('links of different accounts', () => {
  const use = async (path: string, token: string) =>
    (await call(path, '198.51.100.120', { token, ...(/reset|accept/.test(path) && { password: newPassword }) })).status

  test('ten bad links of a network address are 422, the next 429, but good ones still work', async () => {
    const statuses: number[] = []
    const paths = ['confirm-email', 'reset-password', 'sign-in/link', 'accept-invitation', 'link']
    for (const path of [...paths, ...paths, 'link', 'link']) statuses.push(await use(path, 'unknown'))
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429])
    const id = await person('uma@shop.example')
    expect(await use('confirm-email', await linkOf(id, 'confirmation'))).toBe(204)
    expect(await use('sign-in/link', await linkOf(id, 'sign_in'))).toBe(200)
    expect(await use('reset-password', await linkOf(id, 'reset'))).toBe(204)
  })

  test('good links are not counted', async () => {
    const id = await person('vic@shop.example')
    for (let n = 0; n < 12; n += 1) expect(await use('confirm-email', await linkOf(id, 'confirmation'))).toBe(204)
    expect(await world.database.sql`select 1 from attempt_budgets`).toHaveLength(0)
  })
})
