/** Tests that the statistics by type and outcome count every event once, whatever the batches and their usage rows. */
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { type EventWrite, writeEvents } from '../../src/events/sql.ts'
import { selectUsageByType } from '../../src/events/usage-sql.ts'
import { selectStats } from '../../src/insights/activity/sql.ts'
import { rollUpStats, selectGroups, statsRange } from '../../src/webhooks/statistics/index.ts'
import { newWorkspace, useDatabase } from '../support/database.ts'
import { randomFrom } from '../support/random.ts'
import { eventWith } from './books.ts'

const database = useDatabase()
const random = randomFrom(7)
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!

const reasons = [null, 'no_listener', 'switched_off'] as const

const newWrite = (workspaceId: string, type: string, reason: EventWrite['reason'], awaited: boolean): EventWrite => ({
  id: uuidv7(),
  consentId: null,
  customerId: randomUUID(),
  enrol: false,
  fill: null,
  matchedWorkflows: 0,
  reason,
  verdicts: [],
  awaited,
  deferredBefore: 0,
  event: eventWith({ workspaceId, type, idempotencyKey: random() < 0.3 ? oneOf(['a', 'b', 'c']) : null }),
})

const newBatch = (workspaceIds: readonly string[]): EventWrite[] => {
  const size = oneOf([1, 1, 1, 2, 5])
  const isUniform = random() < 0.5
  const [type, reason, awaited] = [oneOf(['one', 'two']), oneOf(reasons), random() < 0.5]
  return Array.from({ length: size }, () =>
    isUniform
      ? newWrite(oneOf(workspaceIds), type, reason, awaited)
      : newWrite(oneOf(workspaceIds), oneOf(['one', 'two']), oneOf(reasons), random() < 0.5),
  )
}

const thisDay = () => statsRange('hour', { since: undefined, until: undefined }, { since: '', until: '' })

/** Reads the totals of a workspace from the statistics, in the form of `countEventsOf`. */
const readStats = async (workspaceId: string) => {
  const range = thisDay()
  const further = selectUsageByType(database.sql, { workspaceId, ...range })
  const rows = await selectGroups(database.sql, { workspaceId, kind: 'type', range, limit: 20, further })
  const [totals] = await selectStats(database.sql, { workspaceId, ...range })
  const total = (counts: Record<string, number> | null | undefined) =>
    Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)
  return {
    events: totals?.events ?? 0,
    unhandled: totals?.unhandled ?? 0,
    types: rows
      .map(({ groupId, counts: [started, noListener, switchedOff] }) => [
        groupId,
        ...[started, noListener, switchedOff].map(total),
      ])
      .sort(),
  }
}

const countEventsOf = async (workspaceId: string) => {
  const [row] = await database.sql<{ events: number; unhandled: number }[]>`
    select count(*)::integer as events,
      count(*) filter (where not awaited and reason is not null)::integer as unhandled from events where workspace_id = ${workspaceId}`
  const types = await database.sql`
    select type, count(*) filter (where reason is null)::integer as started,
      count(*) filter (where reason = 'no_listener')::integer as no_listener,
      count(*) filter (where reason = 'switched_off')::integer as switched_off
    from events where workspace_id = ${workspaceId} group by type order by type`
  return { events: row!.events, unhandled: row!.unhandled, types: types.map(one => Object.values(one)) }
}

test('counts every event once, by type and outcome, before and after a roll-up', async () => {
  const workspaceIds = [await newWorkspace(database.sql), await newWorkspace(database.sql)]
  for (let n = 0; n < 120; n++) {
    // Two rows for all types, so that they often take over a row of another type.
    await writeEvents(database.sql, newBatch(workspaceIds), { executions: new Map(), usageRow: oneOf([0, 1]) })
    if (n % 30 === 20) await rollUpStats(database.sql)
    if (n % 10 !== 0) continue
    for (const id of workspaceIds) expect(await readStats(id)).toEqual(await countEventsOf(id))
  }
  await rollUpStats(database.sql)
  for (const id of workspaceIds) expect(await readStats(id)).toEqual(await countEventsOf(id))
})

test('events of one type and outcome add no change row', async () => {
  const workspaceId = await newWorkspace(database.sql)
  for (const size of [1, 3, 1]) {
    const writes = Array.from({ length: size }, (_, n) => newWrite(workspaceId, 'one', 'no_listener', n % 2 === 1))
    await writeEvents(database.sql, writes, { executions: new Map(), usageRow: 0 })
  }
  expect(await database.sql`select from hourly_stat_changes where workspace_id = ${workspaceId}`).toHaveLength(0)
  expect(await readStats(workspaceId)).toEqual(await countEventsOf(workspaceId))
})
