import { afterEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { ownProcess, type ProcessIdentity } from '../../../src/platform/local-processes.ts'
import { connect } from '../../../src/platform/postgres/client.ts'
import { type ActorId, deleteDeadProcesses, LeaseHolder, leaseDefaults } from '../../../src/platform/postgres/lease.ts'
import { useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
afterEach(async () => {
  await database.sql`truncate processes, leases`
})

const workspaceId = randomUUID()
const newActor = (): ActorId => ({ kind: 'test', workspaceId, id: randomUUID() })

/** Creates a process that has sent no heartbeat yet. It trusts its leases for `ttlMs` minus one second. */
const newHolder = (ttlMs = leaseDefaults.ttlMs) => new LeaseHolder(database.sql, { ttlMs, renewMs: 1000 })
const livingHolder = async (ttlMs?: number) => {
  const holder = newHolder(ttlMs)
  await holder.renew()
  return holder
}

/** Sets the expiry of the process to a time in the past. */
const expire = ({ id }: LeaseHolder, seconds = 1) =>
  database.sql`update processes set alive_until = clock_timestamp() - ${seconds} * interval '1 second' where id = ${id}`

const holderOf = async ({ kind, workspaceId, id }: ActorId): Promise<string | null> => {
  const [row] = await database.sql<{ holder: string }[]>`
    select holder from leases where kind = ${kind} and workspace_id = ${workspaceId} and actor_id = ${id}`
  return row?.holder ?? null
}

test('a heartbeat is valid for the configured time', async () => {
  const holder = await livingHolder(60_000)
  const [row] = await database.sql`
    select extract(epoch from alive_until - clock_timestamp())::float as seconds from processes where id = ${holder.id}`
  expect(row!.seconds).toBeWithin(55, 60)
})

describe('a process trusts its leases', () => {
  test('only until shortly before the database gives them to another process', async () => {
    const actor = newActor()
    const holder = await livingHolder(1100)
    await holder.acquire(actor)
    const other = await livingHolder()
    await eventually('it no longer trusts them', () => !holder.isValid)
    expect(await other.acquire(actor)).toBe(false)
    await eventually('the other process can take it', () => other.acquire(actor))
  })

  test('for a time that counts from before the heartbeat was sent, regardless of its duration', async () => {
    const holder = await livingHolder(1100)
    let renewal: Promise<boolean> | undefined
    await database.sql.begin(async tx => {
      await tx`select 1 from processes for update`
      const sentAt = performance.now()
      renewal = holder.renew()
      await eventually('it took longer than the leases are trusted', () => performance.now() - sentAt > 100)
    })
    expect(await renewal).toBe(true)
    expect(holder.isValid).toBe(false)
  })

  test('for no additional time after a failed heartbeat', async () => {
    const pool = connect({ url: database.url, applicationName: 'test' })
    await pool.end()
    const holder = new LeaseHolder(pool)
    await expect(holder.renew()).rejects.toThrow()
    expect(holder.isValid).toBe(false)
  })

  test('from its first heartbeat until it departs, even without an answer of the database', async () => {
    const holder = newHolder()
    expect(holder.isValid).toBe(false)
    await holder.renew()
    expect(holder.isValid).toBe(true)
    const departure = holder.releaseAll()
    expect(holder.isValid).toBe(false)
    await departure
  })
})

test.each([
  ['that is free', false],
  ['of a dead process', true],
])('a lease %s is acquired by exactly one of many concurrent processes', async (_, isTaken) => {
  const actors = Array.from({ length: 20 }, newActor)
  const dead = newHolder()
  for (const actor of isTaken ? actors : []) await dead.acquire(actor)
  const holders = await Promise.all(Array.from({ length: 6 }, () => livingHolder()))
  for (const actor of actors) {
    const taken = await Promise.all(holders.map(holder => holder.acquire(actor)))
    const winners: (string | null)[] = holders.filter((_, n) => taken[n]).map(({ id }) => id)
    expect(winners).toEqual([await holderOf(actor)])
  }
})

describe('a process that ends without departing', () => {
  const here = { pidScope: 'here', pid: process.pid, startTicks: ownProcess()?.startTicks ?? '' }
  const ended = { ...here, startTicks: 'long ago' }
  const createHolder = async (identity: ProcessIdentity | null) => {
    const holder = new LeaseHolder(database.sql, leaseDefaults, identity)
    await holder.renew()
    return holder
  }

  test.skipIf(process.platform !== 'linux')(
    'is detected by another process of the machine, which can acquire its leases immediately',
    async () => {
      const [actor, others] = [newActor(), newActor()]
      const [living, dead] = [await createHolder(here), await createHolder(ended)]
      await living.acquire(others)
      await dead.acquire(actor)
      const other = newHolder()
      expect(await other.acquire(actor)).toBe(false)
      const late = await createHolder(here)
      expect(await late.acquire(actor)).toBe(true)
      expect(await late.acquire(others)).toBe(false)
      // If the process is live after all, its next heartbeat reports that its leases are lost.
      expect(await dead.renew()).toBe(false)
      expect(await living.renew()).toBe(true)
    },
  )

  test.each([
    ['of another machine or container', { ...ended, pidScope: 'elsewhere' }],
    ['unknown to the kernel', null],
  ])('and is %s keeps its leases until they expire', async (_, identity) => {
    const actor = newActor()
    const dead = await createHolder(identity)
    await dead.acquire(actor)
    expect(await (await createHolder(here)).acquire(actor)).toBe(false)
    expect(await (await createHolder(null)).acquire(actor)).toBe(false)
  })
})

test('the leases held by others are those of live processes, without own and free ones', async () => {
  const [free, own, others, ofDead, ofNobody] = Array.from({ length: 5 }, newActor) as [
    ActorId,
    ActorId,
    ActorId,
    ActorId,
    ActorId,
  ]
  const [holder, other, dead] = [await livingHolder(), await livingHolder(), await livingHolder()]
  await holder.acquire(own)
  await other.acquire(others)
  await dead.acquire(ofDead)
  await expire(dead)
  await newHolder().acquire(ofNobody)
  const heldByOthers = async (...actors: ActorId[]) => [...(await holder.heldByOthers(actors))]
  const similar = [
    { ...others, kind: 'other' },
    { ...others, workspaceId: own.id },
  ]
  expect(await heldByOthers(free, own, others, ofDead, ofNobody, ...similar)).toEqual([others.id])
  expect(await heldByOthers(...similar)).toEqual([])
  expect(await heldByOthers()).toEqual([])
})

test('dead processes are deleted with their leases after a minute, and live ones are kept', async () => {
  const holders = [await livingHolder(), await livingHolder(), await livingHolder()]
  const actors = [newActor(), newActor(), newActor()]
  for (const [n, holder] of holders.entries()) await holder.acquire(actors[n]!)
  const [longDead, dead, living] = holders as [LeaseHolder, LeaseHolder, LeaseHolder]
  await expire(longDead, 61)
  await expire(dead, 50)
  await deleteDeadProcesses(database.sql)
  expect(await Promise.all(actors.map(holderOf))).toEqual([null, dead.id, living.id])
  const kept = await database.sql<{ id: string }[]>`select id from processes order by id`
  expect(kept.map(({ id }) => id)).toEqual([dead.id, living.id].toSorted())
})

/** The model: a lease belongs to the process that acquired it, until that process releases it, departs or is dead. */
test('a lease is held by exactly the processes that may hold it, and a heartbeat reports a loss once, for any sequence of calls', async () => {
  const step = fc.oneof(
    ...(['acquire', 'acquire', 'renew', 'release', 'depart', 'expire', 'be forgotten'] as const).map(does =>
      fc.record({ does: fc.constant(does), who: fc.nat({ max: 2 }), what: fc.nat({ max: 3 }) }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async steps => {
      const holders = [newHolder(), newHolder(), newHolder()]
      const actor = newActor()
      const other = { kind: 'other', workspaceId: randomUUID(), id: randomUUID() }
      // Another kind, workspace or id is another actor.
      const actors = [actor, ...Object.entries(other).map(([name, value]) => ({ ...actor, [name]: value }))]
      const living = new Set<number>()
      const holding = new Map<number, number>()
      for (const taken of steps) {
        const holder = holders[taken.who]!
        if (taken.does === 'renew') {
          expect(await holder.renew()).toBe(living.has(taken.who))
          living.add(taken.who)
        } else if (taken.does === 'acquire') {
          const held = holding.get(taken.what)
          const mayHave = held === undefined || held === taken.who || !living.has(held)
          expect(await holder.acquire(actors[taken.what]!)).toBe(mayHave)
          if (mayHave) holding.set(taken.what, taken.who)
        } else if (taken.does === 'release') {
          await holder.release(actors[taken.what]!)
          if (holding.get(taken.what) === taken.who) holding.delete(taken.what)
        } else {
          living.delete(taken.who)
          if (taken.does === 'expire') await expire(holder)
          else if (taken.does === 'be forgotten') await database.sql`delete from processes where id = ${holder.id}`
          else {
            await holder.releaseAll()
            for (const [actor, held] of holding) if (held === taken.who) holding.delete(actor)
          }
        }
      }
      const expected = actors.map((_, n) => holders[holding.get(n) ?? -1]?.id ?? null)
      expect(await Promise.all(actors.map(holderOf))).toEqual(expected)
    }),
    { numRuns: 80 },
  )
})
