import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { admit } from '../../src/events/allowance.ts'
import { type EventWrite, writeEvents } from '../../src/events/sql.ts'
import { Failed } from '../../src/platform/micro-batch.ts'
import { type Sql, transaction } from '../../src/platform/postgres/client.ts'
import { useDatabase } from '../support/database.ts'
import { eventWith } from './books.ts'

const database = useDatabase()

/** Creates a workspace with a monthly limit of events and a number of recorded events. */
const workspaceWith = async (limit: number, recorded: number) => {
  const id = randomUUID()
  await database.sql`
    insert into event_usage (workspace_id, month, shard, recorded)
    values (${id}, date_trunc('month', now() at time zone 'utc')::date, 3, ${recorded})`
  return { id, limit, recorded }
}
type Workspace = Awaited<ReturnType<typeof workspaceWith>>

const recordedIn = async ({ id }: Workspace): Promise<number> => {
  const [row] = await database.sql<{ recorded: number }[]>`
    select sum(recorded)::integer as recorded from event_usage where workspace_id = ${id}`
  return row!.recorded
}

/** Returns the write of an event of a known customer that matches no workflow. */
const newWrite = ({ id, limit }: Workspace, { key = null as string | null, deferred = 0 } = {}): EventWrite => ({
  id: uuidv7(),
  consentId: null,
  customerId: randomUUID(),
  enrol: false,
  fill: null,
  matchedWorkflows: 0,
  reason: 'no_listener',
  verdicts: [],
  deferredBefore: deferred,
  event: eventWith({ workspaceId: id, idempotencyKey: key, monthlyLimit: limit }),
})

/** Records the writes in one transaction. Returns which were recorded, refused, or of a locked month. */
const recordIn = async (tx: Sql, writes: EventWrite[]) => {
  const { admitted, others } = await admit(tx, writes)
  const { ids } =
    admitted.length > 0 ? await writeEvents(tx, admitted, { executions: new Map(), usageRow: 0 }) : { ids: [] }
  return {
    admitted: admitted.map(({ id }) => id),
    recorded: new Set(ids),
    refused: new Set([...others].filter(([, what]) => what instanceof Failed).map(([id]) => id)),
    held: new Set([...others].filter(([, what]) => what === 'held').map(([id]) => id)),
  }
}
const record = (writes: EventWrite[]) => transaction(database.sql, tx => recordIn(tx, writes))

/**
 * Records the writes and repeats those of a locked month until none is left. Returns which were recorded and refused.
 */
const recordAll = async (writes: EventWrite[]) => {
  const all = { recorded: new Set<string>(), refused: new Set<string>() }
  for (let open = writes; open.length > 0; ) {
    const { recorded, refused, held } = await record(open)
    for (const id of recorded) all.recorded.add(id)
    for (const id of refused) all.refused.add(id)
    open = open.filter(({ id }) => held.has(id))
  }
  return all
}

test('a month is locked until the transaction ends: a concurrent call returns immediately and counts correctly later', async () => {
  const [workspace, other] = [await workspaceWith(1, 0), await workspaceWith(1, 0)]
  const [second, beside] = [newWrite(workspace), newWrite(other)]
  await transaction(database.sql, async tx => {
    expect((await recordIn(tx, [newWrite(workspace)])).recorded.size).toBe(1)
    const { held, recorded } = await record([second, beside])
    expect([[...held], [...recorded]]).toEqual([[second.id], [beside.id]])
  })
  expect((await record([second])).refused.size).toBe(1)
})

test('a replay, which uses no allowance, has the same source and workspace as the key', async () => {
  const [workspace, other] = [await workspaceWith(2, 0), await workspaceWith(2, 1)]
  await record([newWrite(workspace, { key: 'seen' })])
  const byHand = newWrite(workspace, { key: 'seen' })
  byHand.event.source = 'dashboard'
  const elsewhere = newWrite(other, { key: 'seen' })
  const replay = newWrite(workspace, { key: 'seen' })
  // Each workspace gets one event more than it has allowance for, so that replays are looked up.
  const { admitted } = await record([replay, byHand, elsewhere, newWrite(other)])
  expect(admitted.toSorted()).toEqual([byHand.id, elsewhere.id].toSorted())
})

test('an event after deferred events of the round is deferred only if necessary, and others in order up to the limit', async () => {
  const counts = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 8 }), fc.nat({ max: 8 }), counts, async (limit, before, deferred) => {
      const workspace = await workspaceWith(limit, before)
      const writes = deferred.map(count => newWrite(workspace, { deferred: count }))
      const { admitted, others } = await transaction(database.sql, tx => admit(tx, writes))
      let used = before
      for (const write of writes) {
        const left = limit - used
        const what = others.get(write.id)
        if (what === undefined) {
          expect(left).toBeGreaterThan(write.deferredBefore)
          used++
        } else if (what === 'stood back') expect(left).toBeWithin(1, write.deferredBefore + 1)
        else {
          expect(left).toBeLessThanOrEqual(0)
          expect((what as Failed).error).toMatchObject({ code: 'plan_limit_reached' })
        }
      }
      expect(admitted).toEqual(writes.filter(({ id }) => !others.has(id)))
    }),
    { numRuns: 60 },
  )
})

test('concurrent transactions record exactly the allowed number of events, for any split of events and replays', async () => {
  const size = fc.record({ limit: fc.nat({ max: 12 }), before: fc.nat({ max: 14 }) })
  const event = fc.record({ of: fc.nat({ max: 1 }), key: fc.option(fc.constantFrom('k', 'l', 'm'), { freq: 2 }) })
  const batches = fc.array(fc.array(event, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8, size: 'max' })
  await fc.assert(
    fc.asyncProperty(fc.tuple(size, size), batches, async (sizes, divided) => {
      const workspaces = await Promise.all(sizes.map(({ limit, before }) => workspaceWith(limit, before)))
      const all = divided.map(events => {
        // The batch defers the second of two events with the same key.
        const keys = new Set<string>()
        const apart = events.filter(
          ({ of, key }) => key === null || (!keys.has(`${of} ${key}`) && keys.add(`${of} ${key}`)),
        )
        return apart.map(({ of, key }) => newWrite(workspaces[of]!, { key }))
      })
      const results = await Promise.all(all.map(recordAll))
      const recorded = new Set(results.flatMap(result => [...result.recorded]))
      const refused = new Set(results.flatMap(result => [...result.refused]))

      for (const workspace of workspaces) {
        const its = all.flat().filter(write => write.event.workspaceId === workspace.id)
        const distinct = new Set(its.map(({ id, event }) => event.idempotencyKey ?? id)).size
        const room = Math.max(0, workspace.limit - workspace.recorded)
        expect(its.filter(({ id }) => recorded.has(id))).toHaveLength(Math.min(room, distinct))
        expect(await recordedIn(workspace)).toBe(workspace.recorded + Math.min(room, distinct))
        const recordedKeys = its.filter(({ id }) => recorded.has(id)).map(({ event }) => event.idempotencyKey)
        for (const { id, event } of its.filter(({ id }) => !recorded.has(id)))
          expect(refused.has(id)).toBe(event.idempotencyKey === null || !recordedKeys.includes(event.idempotencyKey))
      }
    }),
    { numRuns: 40 },
  )
})
