import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { createWorkspace } from '../../../src/accounts/workspaces/index.ts'
import { findDueChannels } from '../../../src/messaging/messages/index.ts'
import { LeaseHolder } from '../../../src/platform/postgres/lease.ts'
import type { ActorKind } from '../../../src/queue/actor.ts'
import { ActorHost } from '../../../src/queue/host.ts'
import { type ActorKey, type DuePage, startKey } from '../../../src/queue/queue.ts'
import { findDueEndpoints } from '../../../src/webhooks/deliveries/index.ts'
import { useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
const workspaceIds: string[] = []
beforeAll(async () => {
  for (const name of ['one', 'other']) {
    const owner = { email: `${name}@shop.example`, password: 'correct horse battery' }
    workspaceIds.push((await createWorkspace(database.sql, { name, planId: 'unlimited', owner })).id)
  }
})

/** Returns all pages as the poll reads them. */
const pagesOf = async (find: (after: ActorKey) => Promise<DuePage>): Promise<DuePage[]> => {
  const pages: DuePage[] = []
  let after: ActorKey | null = startKey
  while (after) {
    const page: DuePage = await find(after)
    pages.push(page)
    after = page.next
    if (pages.length > 50) throw new Error('the pages never end')
  }
  return pages
}

const inOrder = (addressees: ActorKey[]) =>
  [...addressees].sort((a, b) => (a.workspaceId + a.id < b.workspaceId + b.id ? -1 : 1))

describe('the pages of a queue contain every actor with due rows once', () => {
  test.each([1, 2, 3, 6, 7, 100])('endpoints, %i rows per page', async limit => {
    const { sql } = database
    await sql`truncate deliveries, webhooks cascade`
    const webhook = async (workspaceId: string, state: { enabled?: boolean; deleted?: boolean } = {}) => {
      const [row] = await sql<ActorKey[]>`
        insert into webhooks (workspace_id, url, events, secret, enabled, deleted_at)
        values (${workspaceId}, 'https://x.example', '{}', 's', ${state.enabled ?? true},
          case when ${state.deleted ?? false} then now() end)
        returning workspace_id as "workspaceId", id`
      return { ...row! }
    }
    const deliver = ({ workspaceId, id }: ActorKey, seconds: number | null) => sql`
      insert into deliveries (workspace_id, webhook_id, event_id, due_at)
      values (${workspaceId}, ${id}, uuidv7(), now() + make_interval(secs => ${seconds}))`
    const due: ActorKey[] = []
    for (const workspaceId of workspaceIds) {
      for (let count = 0; count < 3; count++) {
        const endpoint = await webhook(workspaceId)
        for (const seconds of [-10, -20, 60, null]) await deliver(endpoint, seconds)
        due.push(endpoint)
        await deliver(await webhook(workspaceId), 60)
        await deliver(await webhook(workspaceId), null)
        await deliver(await webhook(workspaceId, { enabled: false }), -10)
        await deliver(await webhook(workspaceId, { deleted: true }), -10)
      }
    }
    const pages = await pagesOf(after => findDueEndpoints(sql, after, limit))
    expect(inOrder(pages.flatMap(page => page.due))).toEqual(inOrder(due))
    for (const page of pages) expect(page.due.length).toBeLessThanOrEqual(limit)
  })

  test.each([1, 2, 3, 4, 5, 100])('channels, %i rows per page', async limit => {
    const { sql } = database
    await sql`truncate messages, conversations, channels cascade`
    const channel = async (workspaceId: string, secondsOfMessages: (number | null)[]): Promise<ActorKey> => {
      const [row] = await sql<{ id: string }[]>`
        insert into channels (workspace_id, kind, name) values (${workspaceId}, 'sandbox', 'c') returning id`
      const [conversation] = await sql<{ id: string }[]>`
        insert into conversations (workspace_id, channel_id, customer_id, handle)
        values (${workspaceId}, ${row!.id}, uuidv7(), '+49') returning id`
      for (const seconds of secondsOfMessages)
        await sql`
          insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, status, due_at)
          values (${workspaceId}, ${row!.id}, ${conversation!.id}, uuidv7(), 'outbound', 'queued',
            now() + make_interval(secs => ${seconds}))`
      return { workspaceId, id: row!.id }
    }
    const due: ActorKey[] = []
    for (const workspaceId of workspaceIds) {
      for (let count = 0; count < 2; count++) {
        due.push(await channel(workspaceId, [-10, -20, 60, null]))
        await channel(workspaceId, [60, null])
        await channel(workspaceId, [null])
      }
    }
    const pages = await pagesOf(after => findDueChannels(sql, after, limit))
    expect(inOrder(pages.flatMap(page => page.due))).toEqual(inOrder(due))
    for (const page of pages) expect(page.due.length).toBeLessThanOrEqual(limit)
  })
})

describe('the poll for due actors', () => {
  const undo: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    await database.sql`truncate leases, processes`
  })
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })

  /** Returns a lease whose single heartbeat lasts longer than the test. */
  const holder = async () => {
    const lease = new LeaseHolder(database.sql, { ttlMs: 600_000, renewMs: 1000 })
    await lease.renew()
    return lease
  }

  /** Creates an in-memory queue with the given number of actors and one due row each. */
  const mailboxOf = (size: number) => {
    const names = Array.from({ length: size }, () => ({ workspaceId: workspaceIds[0]!, id: randomUUID() as string }))
    names.sort((a, b) => (a.id < b.id ? -1 : 1))
    const full = new Set(names.map(({ id }) => id))
    const handled: string[] = []
    const pages: string[] = []
    const kind: ActorKind = {
      name: 'letterbox',
      maxInFlight: 1,
      read: async ({ id }) => (full.has(id) ? [{ id }] : []),
      handle: async ({ id }) => {
        full.delete(id)
        handled.push(id)
        return 'prompt'
      },
      dueInMs: async () => null,
      wakeIn: async () => {},
      findDue: async (after, limit) => {
        pages.push(after.id)
        const due = names.filter(({ id }) => id > after.id && full.has(id)).slice(0, limit)
        return { due, next: due.length === limit ? due.at(-1)! : null }
      },
    }
    return { names, full, handled, pages, kind }
  }

  const startHost = async (kind: ActorKind, lease: LeaseHolder, maxAwake?: number) => {
    const host = new ActorHost([kind], lease, pino({ level: 'silent' }), {}, maxAwake)
    undo.push(() => host.stop(AbortSignal.timeout(1000)))
    await host.start()
    return host
  }

  test('reaches every actor, even if more than a page is held by others, and starts again after the last', async () => {
    const { names, full, handled, pages, kind } = mailboxOf(1100)
    const other = await holder()
    const attended = names.slice(0, 700)
    await Promise.all(attended.map(({ workspaceId, id }) => other.acquire({ kind: kind.name, workspaceId, id })))
    await startHost(kind, new LeaseHolder(database.sql))
    await eventually('all unattended actors are handled', () => handled.length === 400)
    expect(new Set(handled)).toEqual(new Set(names.slice(700).map(({ id }) => id)))
    expect(pages.slice(0, 3)).toEqual([startKey.id, names[499]!.id, names[999]!.id])

    full.add(names[800]!.id)
    await eventually('an actor with new rows is handled again', () => handled.length === 401)
    await other.releaseAll()
    await eventually('the others are handled after their holder ends', () => full.size === 0)
    expect(handled.length).toBe(1101)
  })

  test('finds actors that were not woken because the maximum was awake', async () => {
    const { handled, full, kind } = mailboxOf(20)
    const host = await startHost({ ...kind, findDue: async () => ({ due: [], next: null }) }, await holder(), 3)
    for (const id of full) host.wake({ kind: kind.name, workspaceId: workspaceIds[0]!, id })
    expect(host.active).toBe(3)
    const swept = await startHost(kind, await holder(), 3)
    await eventually('all are handled, three at a time', () => {
      expect(swept.active).toBeLessThanOrEqual(3)
      return handled.length === 20
    })
  })

  test('treats a lease as held if its holder is another live process', async () => {
    const actor = () => ({ kind: 'letterbox', workspaceId: workspaceIds[0]!, id: randomUUID() })
    const [held, own, ofDead, free] = [actor(), actor(), actor(), actor()]
    const me = await holder()
    const other = await holder()
    const dead = await holder()
    await other.acquire(held)
    await me.acquire(own)
    await dead.acquire(ofDead)
    await database.sql`update processes set alive_until = now() where id = ${dead.id}`
    expect(await me.heldByOthers([held, own, ofDead, free])).toEqual(new Set([held.id]))
    expect(await other.heldByOthers([held, own, ofDead, free])).toEqual(new Set([own.id]))
    expect(await me.heldByOthers([{ ...held, kind: 'another' }])).toEqual(new Set())
    expect(await me.heldByOthers([])).toEqual(new Set())
  })
})
