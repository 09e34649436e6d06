import { Failed } from '../../db/batch.ts'
import { type Sql, sqlState, transaction } from '../../db/client.ts'
import { admit, isLimited } from './allowance.ts'
import { type Decision, decide } from './decide.ts'
import type { TriggerTypes } from './nearest.ts'
import { readSnapshot } from './snapshot.ts'
import { type EventRow, type EventWrite, type IncomingEvent, writeEvents } from './sql.ts'

export interface Recorded {
  /** False: the idempotency key had been seen, and `event` is the first event. */
  recorded: boolean
  event: EventRow
  /** The event started at least one run. */
  startedRuns: boolean
}

/** What became of one event: recorded or replayed, or the refusal or fault that its caller hears of. */
export type RecordResult = Recorded | Failed

/** An event that loses this many races to other batches is given up; its caller hears of a fault and may try again. */
const maxRacesLost = 8

/** Rows of `event_usage` that a workspace's month is spread over, so that batches in flight seldom wait for one another. */
const usageLanes = 16

/** Unique violation, serialisation failure, deadlock: somebody else was first, and the next round will see it. */
const lostRaces = new Set(['23505', '40001', '40P01'])
/** Out of time, waiting for a lock or in all: it would be so again for each event alone, one after the other. */
const timedOut = new Set(['55P03', '57014'])

/**
 * Records a batch of events: reads what is known of them, decides in memory, writes with guards. Whoever lost a race,
 * to another batch or to an event before it in this one, goes round again and finds what the winner wrote.
 */
export const recordBatch = async (sql: Sql, types: TriggerTypes, events: IncomingEvent[]): Promise<RecordResult[]> => {
  const pending = events.map((event, position) => ({ event, position, racesLost: 0 }))
  const settled = new Array<RecordResult>(events.length)
  for (let open = pending; open.length > 0; ) open = await recordRound(sql, types, open, settled)
  return settled
}

interface Pending {
  event: IncomingEvent
  position: number
  racesLost: number
}

/**
 * One read, one decision, one write. Returns those that must go round again. Standing back for an earlier event of the
 * batch is no race lost: of those that stand in line for one customer, each round settles at least the first.
 */
const recordRound = async (
  sql: Sql,
  types: TriggerTypes,
  open: Pending[],
  settled: RecordResult[],
): Promise<Pending[]> => {
  const batch = open.map(({ event }) => event)
  const decisions = decide(batch, await readSnapshot(sql, types, batch))
  const writes = decisions.flatMap(decision => (decision.kind === 'write' ? [decision.write] : []))
  const written = await writeAll(sql, writes)

  return open.filter((pending, index) => {
    const decision = decisions[index]!
    const result = resultOf(decision, written)
    if (result) settled[pending.position] = result
    else if (decision.kind === 'write' && !written.has(decision.write.id) && ++pending.racesLost === maxRacesLost)
      settled[pending.position] = new Failed(new Error('the event lost every race for its key or its customer'))
    return settled[pending.position] === undefined
  })
}

/** By the event's id; absent: it lost a race. `stood back`: whether there is room for it shows in the next round. */
type Written = Map<string, Date | Failed | 'stood back'>

const resultOf = (decision: Decision, written: Written): RecordResult | null => {
  switch (decision.kind) {
    case 'replay':
      return { recorded: false, event: decision.event, startedRuns: false }
    case 'refuse':
      return new Failed(decision.error)
    case 'again':
      return null
    case 'write': {
      const at = written.get(decision.write.id)
      if (at === undefined || at === 'stood back') return null
      return at instanceof Failed ? at : recordedOf(decision.write, at)
    }
  }
}

const recordedOf = ({ id, event, customerId, matchedWorkflows, verdicts }: EventWrite, createdAt: Date): Recorded => ({
  recorded: true,
  startedRuns: verdicts.some(({ verdict }) => verdict === 'started'),
  event: {
    id,
    workspaceId: event.workspaceId,
    type: event.type,
    source: event.source,
    sender: event.sender,
    customerId,
    data: event.data,
    idempotencyKey: event.idempotencyKey,
    matchedWorkflows,
    createdAt,
    verdicts,
  },
})

const writeAll = async (sql: Sql, writes: EventWrite[]): Promise<Written> => {
  const limited = writes.filter(isLimited)
  if (limited.length === 0) return writeSafely(sql, writes, writeUnlimited)
  const [written, writtenLimited] = await Promise.all([
    writeSafely(
      sql,
      writes.filter(write => !isLimited(write)),
      writeUnlimited,
    ),
    writeSafely(sql, limited, writeLimited),
  ])
  return new Map([...written, ...writtenLimited])
}

type Write = (sql: Sql, writes: EventWrite[]) => Promise<Written>

/**
 * Writes all together. Where PostgreSQL refuses that because of one row, each is written alone, so that a row nobody
 * foresaw costs its own caller a fault and nobody else anything.
 */
const writeSafely = async (sql: Sql, writes: EventWrite[], write: Write): Promise<Written> => {
  if (writes.length === 0) return new Map()
  try {
    return await write(sql, writes)
  } catch (error) {
    const state = sqlState(error)
    if (state === undefined || timedOut.has(state)) throw error
    if (writes.length === 1) return lostRaces.has(state) ? new Map() : new Map([[writes[0]!.id, new Failed(error)]])
    const alone: Written = new Map()
    for (const one of writes) for (const [id, result] of await writeSafely(sql, [one], write)) alone.set(id, result)
    return alone
  }
}

const writeUnlimited: Write = async (sql, writes) => {
  const { ids, createdAt } = await writeEvents(sql, writes, Math.floor(Math.random() * usageLanes))
  return new Map(ids.map(id => [id, createdAt]))
}

/** The same under the lock of each workspace's month, and only what the plans have room for. */
const writeLimited: Write = (sql, writes) =>
  transaction(sql, async tx => {
    const { admitted, others } = await admit(tx, writes)
    const written = admitted.length > 0 ? await writeUnlimited(tx, admitted) : []
    return new Map([...others, ...written])
  })
