import { beforeEach, expect, test } from 'bun:test'
import { admitSignInAttempt, rememberNetwork } from '../../../src/accounts/rate-limits/index.ts'
import { insertUser } from '../../../src/accounts/users/index.ts'
import { prune } from '../../../src/app/tasks/prune.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()
beforeEach(async () => {
  await database.sql`truncate sign_in_attempts, attempt_budgets, known_networks`
})

/** The limits are two attempts per pair of network and account, ten per account, and twenty per network. */
const max = 2
const email = 'ana@shop.example'
const tryFrom = (address: string, who: string | null = email) =>
  admitSignInAttempt(database.sql, { email: who, address, max })
const place = (n: number) => `198.51.100.${n}`

/** Returns how many concurrent attempts are admitted, and how many each budget rejects. */
const outcomes = async (tries: ReturnType<typeof tryFrom>[]) => {
  const counts: Record<string, number> = {}
  for (const verdict of await Promise.all(tries)) {
    const outcome = verdict.admitted ? 'admitted' : verdict.scope
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

test.each<[what: string, tryOne: (n: number) => ReturnType<typeof tryFrom>, counts: Record<string, number>]>([
  ['10 with one account', n => tryFrom(place(n % 30)), { admitted: 10, account: 90 }],
  ['20 from one network', n => tryFrom(place(1), `${n % 30}@shop.example`), { admitted: 20, network: 80 }],
  [
    'all with ten accounts from ten networks, without a deadlock,',
    n => tryFrom(place(n % 10), `${Math.floor(n / 10)}@shop.example`),
    { admitted: 100 },
  ],
  [
    '20 from an IPv6 network of 64 bits',
    n => tryFrom(`2001:db8:1:1::${n.toString(16)}`, `${n}@shop.example`),
    { admitted: 20, network: 80 },
  ],
  [
    '80 from an IPv6 network of 48 bits',
    n => tryFrom(`2001:db8:2:${n.toString(16)}::1`, `${n}@shop.example`),
    { admitted: 80, network: 20 },
  ],
])('admits %s of 100 concurrent attempts, and another one from elsewhere', async (_, tryOne, counts) => {
  expect(await outcomes(upTo(100).map(tryOne))).toEqual(counts)
  expect(await tryFrom('2001:db8:1:2::1', 'ben@shop.example')).toEqual({ admitted: true })
})

test('takes an attempt without an account only from the budget of the network', async () => {
  expect(await outcomes(upTo(30).map(() => tryFrom(place(1), null)))).toEqual({ admitted: 20, network: 10 })
  expect(await database.sql`select 1 from sign_in_attempts`).toHaveLength(0)
})

test('keeps the budget of an account separate from other e-mail addresses and from its codes', async () => {
  const tryCode = (address: string) => admitSignInAttempt(database.sql, { email, address, max, kind: 'second-factor' })
  await outcomes(upTo(40).map(n => tryFrom(place(n), `second-factor ${email}`)))
  await outcomes([1, 2, 3].map(() => tryFrom('198.51.100.200', '')))
  expect(await outcomes(upTo(10).map(n => tryCode(place(n))))).toEqual({ admitted: 10 })
})

test('admits a user at a known network while strangers try from other networks', async () => {
  const userId = (await insertUser(database.sql, { email, name: 'Ana', passwordHash: 'none' }))!
  await rememberNetwork(database.sql, { userId, email: 'Ana@Shop.example', address: place(1) })
  await outcomes(upTo(60).map(n => tryFrom(place(100 + (n % 30)))))
  await outcomes(upTo(60).map(n => tryFrom(place(1), `${n}@shop.example`)))
  expect(await tryFrom(place(2))).toMatchObject({ admitted: false, scope: 'account' })
  expect(await tryFrom(place(1), 'ben@shop.example')).toMatchObject({ admitted: false, scope: 'network' })
  expect(await outcomes([1, 1, 1].map(n => tryFrom(place(n))))).toEqual({ admitted: 2, pair: 1 })
  await database.sql`update known_networks set last_at = now() - interval '91 days'`
  await database.sql`truncate sign_in_attempts`
  expect(await tryFrom(place(1))).toMatchObject({ admitted: false })
})

test('admits one attempt per minute for an account under attack, a tenth of ten', async () => {
  await outcomes(upTo(60).map(n => tryFrom(place(n % 30))))
  const verdict = await tryFrom(place(99))
  if (verdict.admitted) throw new Error('it is admitted')
  expect(verdict.retryAfterSeconds).toBeWithin(50, 61)
  await database.sql`update attempt_budgets set full_at = full_at - interval '1 minute'`
  expect(await outcomes([tryFrom(place(99)), tryFrom(place(98))])).toEqual({ admitted: 1, account: 1 })
})

test('does not count a rejected attempt in any budget', async () => {
  await outcomes(upTo(60).map(() => tryFrom(place(1))))
  // Two of the ten attempts with this account were admitted before.
  expect(await outcomes(upTo(60).map(n => tryFrom(place(100 + (n % 30)))))).toEqual({ admitted: 8, account: 52 })
  await database.sql`truncate attempt_budgets`
  // Attempts that the budget of the account rejected do not count for a pair.
  expect(await outcomes(upTo(4).map(n => tryFrom(place(140 + n))))).toEqual({ admitted: 4 })
})

test('remembers the twenty networks of an account that signed in last', async () => {
  const { sql } = database
  const userId = (await insertUser(sql, { email: 'cleo@shop.example', name: 'Cleo', passwordHash: 'none' }))!
  const remember = (n: number) => rememberNetwork(sql, { userId, email: 'cleo@shop.example', address: place(n) })
  await remember(0)
  const [oldest] = await sql`update known_networks set last_at = now() - interval '2 days' returning key_hash`
  for (const n of upTo(19)) await remember(n + 1)
  expect(await sql`select 1 from known_networks`).toHaveLength(20)
  // A known network in use stays known: its time is updated once a day.
  await remember(0)
  const [updated] = await sql`
    update known_networks set last_at = now() - interval '2 days' where key_hash = ${oldest!.key_hash}
    returning old.last_at > now() - interval '1 hour' as "isNew"`
  expect(updated).toEqual({ isNew: true })
  await remember(20)
  expect(await sql`select 1 from known_networks`).toHaveLength(20)
  expect(await sql`select 1 from known_networks where key_hash = ${oldest!.key_hash}`).toHaveLength(0)
})

test('the scheduled task deletes full budgets and old networks', async () => {
  const { sql } = database
  const userId = (await insertUser(sql, { email: 'dan@shop.example', name: 'Dan', passwordHash: 'none' }))!
  for (const n of [1, 2]) {
    await tryFrom(place(n))
    await rememberNetwork(sql, { userId, email: 'dan@shop.example', address: place(n) })
  }
  const places = await sql<{ key_hash: Uint8Array }[]>`select key_hash from known_networks`
  await sql`update known_networks set last_at = now() - interval '91 days' where key_hash = ${places[0]!.key_hash}`
  // The budget of the account and those of the two networks.
  expect(await sql`select 1 from attempt_budgets`).toHaveLength(3)
  await sql`update attempt_budgets set full_at = now() where full_at < (select max(full_at) from attempt_budgets)`
  await prune(sql)
  expect(await sql`select 1 from attempt_budgets`).toHaveLength(1)
  expect(await sql`select 1 from known_networks`).toHaveLength(1)
})
