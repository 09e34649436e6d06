import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { findDueChannels } from '../../../src/messaging/messages/index.ts'
import { LeaseHolder } from '../../../src/platform/postgres/lease.ts'
import type { ActorKind } from '../../../src/queue/actor.ts'
import { ActorHost } from '../../../src/queue/host.ts'
import { type ActorKey, type DuePage, startKey } from '../../../src/queue/queue.ts'
import { findDueEndpoints } from '../../../src/webhooks/deliveries/index.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
const workspaceIds: string[] = []
beforeAll(async () => {
  for (const _ of [1, 2]) workspaceIds.push(await newWorkspace(database.sql))
})

/** Reads all pages of each size as the poll does. Fails unless they contain every due actor once. */
const expectPages = async (find: (after: ActorKey, limit: number) => Promise<DuePage>, due: ActorKey[]) => {
  const inOrder = (actors: ActorKey[]) => actors.map(({ workspaceId, id }) => workspaceId + id).sort()
  for (const limit of [1, 2, 3, 4, 6, 7, 100]) {
    const found: ActorKey[] = []
    for (let after: ActorKey | null = startKey; after; ) {
      const page: DuePage = await find(after, limit)
      expect(page.due.length).toBeLessThanOrEqual(limit)
      found.push(...page.due)
      expect(found.length).toBeLessThanOrEqual(due.length)
      after = page.next
    }
    expect(inOrder(found), `${limit} rows per page`).toEqual(inOrder(due))
  }
}

test('the pages of due endpoints contain each of them once, in pages of any size', async () => {
  const { sql } = database
  const due: ActorKey[] = []
  const endpoint = async (workspaceId: string, seconds: (number | null)[], state = {}) => {
    const webhook = { workspace_id: workspaceId, url: 'https://x.example', events: [], secret: 's', ...state }
    const [row] = await sql<{ id: string }[]>`insert into webhooks ${sql(webhook)} returning id`
    for (const late of seconds)
      await sql`
        insert into deliveries (workspace_id, webhook_id, event_id, due_at)
        values (${workspaceId}, ${row!.id}, uuidv7(), now() + make_interval(secs => ${late}))`
    return { workspaceId, id: row!.id }
  }
  for (const workspaceId of workspaceIds)
    for (let count = 0; count < 3; count++) {
      due.push(await endpoint(workspaceId, [-10, -20, 60, null]))
      await endpoint(workspaceId, [60])
      await endpoint(workspaceId, [null])
      await endpoint(workspaceId, [-10], { enabled: false })
      await endpoint(workspaceId, [-10], { deleted_at: new Date() })
    }
  await expectPages((after, limit) => findDueEndpoints(sql, after, limit), due)
})

test('the pages of due channels contain each of them once, in pages of any size', async () => {
  const { sql } = database
  const due: ActorKey[] = []
  const channel = async (workspaceId: string, seconds: (number | null)[]): Promise<ActorKey> => {
    const [id, conversationId] = [randomUUID(), randomUUID()]
    await sql`insert into channels (workspace_id, id, kind, name) values (${workspaceId}, ${id}, 'sandbox', 'c')`
    await sql`
      insert into conversations (workspace_id, id, channel_id, customer_id, handle)
      values (${workspaceId}, ${conversationId}, ${id}, uuidv7(), '+49')`
    for (const late of seconds)
      await sql`
        insert into messages (workspace_id, channel_id, conversation_id, customer_id, direction, status, due_at)
        values (${workspaceId}, ${id}, ${conversationId}, uuidv7(), 'outbound', 'queued',
          now() + make_interval(secs => ${late}))`
    return { workspaceId, id }
  }
  for (const workspaceId of workspaceIds)
    for (let count = 0; count < 2; count++) {
      due.push(await channel(workspaceId, [-10, -20, 60, null]))
      await channel(workspaceId, [60, null])
      await channel(workspaceId, [null])
    }
  await expectPages((after, limit) => findDueChannels(sql, after, limit), due)
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
  const queueOf = (size: number) => {
    const names = Array.from({ length: size }, () => ({ workspaceId: workspaceIds[0]!, id: randomUUID() as string }))
    names.sort((a, b) => (a.id < b.id ? -1 : 1))
    const full = new Set(names.map(({ id }) => id))
    const handled: string[] = []
    const pages: string[] = []
    const kind: ActorKind = {
      name: 'test',
      maxInFlight: 1,
      read: async ({ id }) => (full.has(id) ? [{ id }] : []),
      handle: async ({ id }) => {
        full.delete(id)
        handled.push(id)
        return 'success'
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
    const { names, full, handled, pages, kind } = queueOf(1100)
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
    const { handled, full, kind } = queueOf(20)
    const host = await startHost({ ...kind, findDue: async () => ({ due: [], next: null }) }, await holder(), 3)
    for (const id of full) host.wake({ kind: kind.name, workspaceId: workspaceIds[0]!, id })
    expect(host.active).toBe(3)
    const swept = await startHost(kind, await holder(), 3)
    await eventually('all are handled, three at a time', () => {
      expect(swept.active).toBeLessThanOrEqual(3)
      return handled.length === 20
    })
  })
})
