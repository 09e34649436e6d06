/**
 * One round of recording: reads what is known of the events, decides in memory, visits the runs that they start, writes
 * with guards.
 */
import { Again, type Answer, Failed } from '../../db/batch.ts'
import { isConnectionError, neverReachedServer, type Sql, sqlState, transaction } from '../../db/client.ts'
import { HeldUp, OutcomeUnknown } from '../errors.ts'
import type { QueuedFor } from '../messages/index.ts'
import { inTurns, type Rest } from '../turns.ts'
import type { FirstVisits, RunStart, StartingRun } from '../workflows/index.ts'
import { admit, isLimited } from './allowance.ts'
import { type Decision, decideInTurns } from './decide.ts'
import type { TriggerTypes } from './nearest.ts'
import type { Mismatch } from './schema.ts'
import { readSnapshot } from './snapshot.ts'
import {
  type EventWrite,
  type FreshEvent,
  type IncomingEvent,
  type SeenEvent,
  startsOf,
  touches,
  undoneState,
  type Visits,
  writeEvents,
} from './sql.ts'

export interface Recorded {
  /** False: the idempotency key had been seen, and `event` is the first event. */
  recorded: boolean
  event: FreshEvent | SeenEvent
  /** The event started at least one run that is due. */
  startedRuns: boolean
  /** In what a repeat differs from the first event, apart from its data. Empty for an event that was recorded. */
  mismatch: Mismatch[]
}

/** What became of one event: recorded or replayed, or the refusal or fault that its caller hears of. */
export type RecordResult = Recorded | Failed

/** An event on its way, with what it has been through. */
export interface Pending {
  readonly event: IncomingEvent
  /** When the database was first found to be away, by performance.now(). */
  brokenSince: number | null
  /** It was in a batch that waited for a lock in vain: it is written alone from then on, so that it costs nobody else. */
  heldUp: boolean
  /** Ids under which it may have been written: the connection broke before the answer came. */
  readonly attempts: string[]
  /** By performance.now(): until then it waits to see whether a run that is in its way is about to end. */
  readonly patientUntil: number
}

export const pendingOf = (event: IncomingEvent): Pending => ({
  event,
  brokenSince: null,
  heldUp: false,
  attempts: [],
  patientUntil: performance.now() + patienceMs,
})

/**
 * How long an event waits for a visit to judge what its customer did before. Nearly always that is a matter of
 * milliseconds; where visits are late, the event is recorded all the same.
 */
const patienceMs = 3000

/** How long an event goes round for a database that is away. */
const brokenPatienceMs = 2000
/** Rows of `event_usage` that a workspace's month is spread over, so that batches in flight seldom wait for one another. */
const usageLanes = 16
/** Of those that come alone, so many are written in one round; the others go round again. */
const maxAlone = 8
const maxLimitedParts = 4

const stoodBack = new Again()
const lostRace = new Again(new HeldUp('Other calls are changing the same customer or using the same key.'))
const heldMonth = new Again(new HeldUp("Other calls are counting the workspace's month."))
const runIsJudged = new Again(new HeldUp('Runs of the same customer are being worked on.'))
const heldLock = new Again(new HeldUp('The database holds back something that is needed here.'))

/** Unique violation, serialisation failure, deadlock: somebody else was first, and the next round will see it. */
const lostRaces = new Set(['23505', '40001', '40P01', undoneState])
/** Out of time, in all or waiting for a lock: it could be so again for each half. */
const timedOut = '57014'
const timedOutForLock = '55P03'

/** What rounds are made with. */
export interface RoundDeps {
  sql: Sql
  types: TriggerTypes
  /** Null where nobody in this process would send what a visit queues: then every run is left to whoever claims it. */
  firstVisits: FirstVisits | null
  /** Told which messages were queued and committed, and when their writing had begun, by `performance.now()`. */
  onQueued: (queued: QueuedFor, askedAt: number) => void
  /** Told that runs which waited for an event are due. */
  onRoused: () => void
  /** Called for every error by which PostgreSQL refused a batch or the reading for its runs, also where a repeat succeeds. */
  onRefused: (error: unknown, events: number) => void
}

/**
 * One read, one decision, one write. Each event is answered as soon as it is known what became of it; those that lost a
 * race, to another batch or to an event before it in this one, are told to go round again and find what the winner wrote.
 */
export const recordRound = async (
  { sql, types, firstVisits, onQueued, onRoused, onRefused }: RoundDeps,
  pending: Pending[],
  answer: Answer<Recorded>,
): Promise<(RecordResult | Again)[]> => {
  const events = pending.map(({ event }) => event)
  const results = new Array<RecordResult | Again>(pending.length)
  const places = new Map<string, number>()
  const settle = (place: number, result: RecordResult | Again) => {
    results[place] = result
    if (!(result instanceof Again)) answer(place, result)
  }

  const snapshot = await unlessBroken(() => readSnapshot(sql, types, events))
  if (snapshot instanceof Broken) return pending.map(one => whileAway(one, snapshot))
  const rest = inTurns()
  const begun = performance.now()
  const decisions = await decideInTurns(events, snapshot, rest, place => begun < pending[place]!.patientUntil)
  for (const [place, decision] of decisions.entries()) {
    if (decision.kind === 'write') places.set(decision.write.id, place)
    else settle(place, resultOf(decision, pending[place]!))
  }
  const writes = decisions.flatMap(decision => (decision.kind === 'write' ? [decision.write] : []))
  const isHeldUp = (write: EventWrite) => pending[places.get(write.id)!]!.heldUp
  const visits = firstVisits
    ? await visit(
        sql,
        firstVisits,
        writes.filter(write => !isHeldUp(write)),
        rest,
        onRefused,
      )
    : none
  const tell: Tell = (write, written, done = none) => {
    const place = places.get(write.id)!
    if (written === heldLock) pending[place]!.heldUp = true
    if (written instanceof Date) settle(place, recordedOf(write, written, done))
    else settle(place, written instanceof Broken ? afterBreak(write, pending[place]!, written) : written)
  }
  const onHeldUp = () => firstVisits?.rest()
  await writeAll(
    {
      sql,
      visits,
      onQueued,
      onRoused,
      onRefused,
      onHeldUp,
      tell,
      goesAlone: write => isFilling(write) || isHeldUp(write),
    },
    writes,
  )
  return results
}

const none: Visits = new Map()

/**
 * Visits the runs that these events start. Not where the event changes its customer, whom a visit would not see so. What
 * cannot be read here is read by whoever claims the run.
 */
const visit = async (
  sql: Sql,
  firstVisits: FirstVisits,
  writes: EventWrite[],
  rest: Rest,
  onRefused: RoundDeps['onRefused'],
): Promise<Visits> => {
  const starting = writes.flatMap(write => (touches(write) ? [] : startsOf(write).map(run => startingOf(write, run))))
  return firstVisits.make(sql, starting, rest).catch(error => {
    // What visits read is held: the next events are not to wait for it as well.
    if (isHeld(error)) firstVisits.rest()
    else if (!isConnectionError(error)) onRefused(error, writes.length)
    return none
  })
}

const startingOf = ({ event, enrol, customerId }: EventWrite, run: RunStart): StartingRun => ({
  ...run,
  event: { id: run.eventId, type: event.type },
  data: event.data,
  enrolled: enrol
    ? {
        id: customerId,
        name: event.name,
        phone: event.phone,
        externalId: null,
        attributes: {},
        optedIn: event.optInEvidence !== null,
        optedOut: false,
        hasConversation: false,
      }
    : null,
})

/** The connection broke. */
class Broken {
  constructor(readonly error: Error) {}
}

const unlessBroken = async <T>(work: () => Promise<T>): Promise<T | Broken> => {
  try {
    return await work()
  } catch (error) {
    if (isConnectionError(error)) return new Broken(error as Error)
    throw error
  }
}

/** Only what certainly was not written, or carries a key by which it would be found, may be written once more. */
const afterBreak = (write: EventWrite, pending: Pending, broken: Broken): Failed | Again => {
  if (neverReachedServer(broken.error)) return whileAway(pending, broken)
  if (pending.event.idempotencyKey === null)
    return new Failed(new OutcomeUnknown(unknownWithoutKey, false, { cause: broken.error }))
  pending.attempts.push(write.id)
  return whileAway(pending, broken)
}

/** Round again for a moment, as a database that restarts takes; who has a key may come back, whatever happened. */
const whileAway = (pending: Pending, { error }: Broken): Failed | Again => {
  pending.brokenSince ??= performance.now()
  if (performance.now() - pending.brokenSince < brokenPatienceMs) return new Again(error)
  return new Failed(pending.attempts.length > 0 ? new OutcomeUnknown(unknownWithKey, true, { cause: error }) : error)
}

const whileUnknown =
  'The connection to the database broke while the event was being written, and whether it was recorded is not known.'
const unknownWithoutKey = `${whileUnknown} With an idempotencyKey an event may be sent again at any time; this one had none, so look for it first.`
const unknownWithKey = `${whileUnknown} Send it again as it is: its idempotencyKey keeps it from being recorded twice.`

const resultOf = (decision: Exclude<Decision, { kind: 'write' }>, pending: Pending): RecordResult | Again => {
  if (decision.kind === 'again') return stoodBack
  if (decision.kind === 'later') return runIsJudged
  if (decision.kind === 'refuse') return new Failed(decision.error)
  const seen = decision.event
  if (!pending.attempts.includes(seen.id))
    return { recorded: false, event: seen, startedRuns: false, mismatch: decision.mismatch }
  // Of an attempt whose answer was lost: then the event that is found is this one, and it is news to its caller.
  const startedRuns = seen.verdicts.some(({ verdict }) => verdict === 'started')
  return { recorded: true, event: { ...seen, data: pending.event.data }, startedRuns, mismatch: [] }
}

const recordedOf = (
  { id, event, customerId, matchedWorkflows, verdicts }: EventWrite,
  createdAt: Date,
  visits: Visits,
): Recorded => ({
  recorded: true,
  mismatch: [],
  startedRuns: verdicts.some(({ runId }) => runId !== null && !visits.has(runId)),
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
    occurredAt: event.occurredAt,
    createdAt,
    verdicts,
  },
})

/** What became of a write. */
type Written = Date | Failed | Again | Broken
/** `visits`: what was written with it of the runs that it starts. */
type Tell = (write: EventWrite, written: Written, visits?: Visits) => void

/** What the writes of a round have in common. */
interface Round {
  sql: Sql
  visits: Visits
  onQueued: RoundDeps['onQueued']
  onRoused: RoundDeps['onRoused']
  onRefused: RoundDeps['onRefused']
  /** Told that what was written with visits waited for a lock in vain. */
  onHeldUp: () => void
  tell: Tell
  goesAlone: (write: EventWrite) => boolean
}

/** Never rejects: each write is told of. Those under a limit, and those that are not, wait for nobody of the others. */
const writeAll = async (round: Round, writes: EventWrite[]): Promise<void> => {
  const { goesAlone, tell } = round
  const limited = writes.filter(isLimited)
  const others = limited.length === 0 ? writes : writes.filter(write => !isLimited(write))
  const alone = others.filter(goesAlone)
  const together = alone.length === 0 ? others : others.filter(write => !goesAlone(write))
  for (const write of alone.slice(maxAlone)) tell(write, stoodBack)
  await Promise.all([
    writeSafely(round, together, writeUnlimited),
    ...alone.slice(0, maxAlone).map(write => writeSafely(round, [write], writeUnlimited)),
    writeLimitedInOrder(round, limited),
  ])
}

/** Filling in takes a lock that has its place in no order of several: it is written alone. */
const isFilling = ({ fill }: EventWrite): boolean => fill !== null

/** Events under a limit take their places in their order, so what comes behind one that is written alone waits for it. */
const writeLimitedInOrder = async (round: Round, writes: EventWrite[]): Promise<void> => {
  for (const [place, part] of inParts(writes, round.goesAlone).entries()) {
    if (place < maxLimitedParts) await writeSafely(round, part, writeLimited)
    else for (const write of part) round.tell(write, stoodBack)
  }
}

const inParts = (writes: EventWrite[], goesAlone: Round['goesAlone']): EventWrite[][] => {
  const parts: EventWrite[][] = []
  for (const write of writes) {
    const last = parts.at(-1)
    if (last && !goesAlone(write) && !goesAlone(last[0]!)) last.push(write)
    else parts.push([write])
  }
  return parts
}

/** What was written, by the ids of the events, and what their runs queued. */
interface WrittenTogether {
  written: Map<string, Written>
  queued: QueuedFor[]
  roused: boolean
}

type Write = (sql: Sql, writes: EventWrite[], visits: Visits) => Promise<WrittenTogether>

/**
 * Writes all together. What the database refuses may be for what the runs did: that must not cost an event, so it is
 * written again without. So it is where something is held that was not waited for: only runs need such. Where PostgreSQL
 * refuses that because of one row, each half is written by itself, so that a row nobody foresaw costs its own caller a
 * fault and nobody else anything. `onRefused` reports the error in each case: a repeat that succeeds must not hide it.
 */
const writeSafely = async (round: Round, writes: EventWrite[], write: Write): Promise<void> => {
  if (writes.length === 0) return
  const { sql, visits, tell, onQueued, onRoused, onRefused, onHeldUp } = round
  const askedAt = performance.now()
  try {
    const { written, queued, roused } = await write(sql, writes, visits)
    if (roused) onRoused()
    for (const one of queued) onQueued(one, askedAt)
    for (const one of writes) tell(one, written.get(one.id) ?? lostRace, visits)
  } catch (error) {
    const withVisits = writes.some(one => startsOf(one).some(({ id }) => visits.has(id)))
    const atOnce = performance.now() - askedAt < atOnceMs
    if (withVisits && isHeld(error) && !atOnce) onHeldUp()
    if (isRefusal(error)) onRefused(error, writes.length)
    if (withVisits && (isRefusal(error) || (isHeld(error) && atOnce)))
      await writeSafely({ ...round, visits: none }, writes, write)
    else if (writes.length > 1 && isOfOneRow(error)) {
      const half = Math.ceil(writes.length / 2)
      await writeSafely(round, writes.slice(0, half), write)
      await writeSafely(round, writes.slice(half), write)
    } else for (const one of writes) tell(one, writtenDespite(error))
  }
}

/** Milliseconds: well below what a statement waits for a lock. */
const atOnceMs = 250

const isHeld = (error: unknown): boolean => sqlState(error) === timedOutForLock

/** Not a lock that is held, nor a race: those end, and whoever goes round again meets them no more. */
const isRefusal = (error: unknown): boolean => {
  const state = sqlState(error)
  return state !== undefined && state !== timedOutForLock && !lostRaces.has(state) && !isConnectionError(error)
}

const isOfOneRow = (error: unknown): boolean => {
  const state = sqlState(error)
  return state !== undefined && state !== timedOut && state !== timedOutForLock && !isOfDatabase(error)
}

/** The connection, a right, the disk, the memory or the server itself: any statement would fail alike. */
const isOfDatabase = (error: unknown): boolean =>
  isConnectionError(error) || (/^(25|28|53|57|58)/.test(sqlState(error) ?? '') && sqlState(error) !== timedOut)

const writtenDespite = (error: unknown): Written => {
  if (isConnectionError(error)) return new Broken(error as Error)
  if (sqlState(error) === timedOutForLock) return heldLock
  return lostRaces.has(sqlState(error) ?? '') ? lostRace : new Failed(error)
}

const writeUnlimited: Write = async (sql, writes, visits) => {
  const lane = Math.floor(Math.random() * usageLanes)
  const { ids, createdAt, queued, roused } = await writeEvents(sql, writes, { visits, lane })
  return { written: new Map(ids.map(id => [id, createdAt])), queued, roused }
}

/** The same under the lock of each workspace's month, and only what the plans have room for. */
const writeLimited: Write = (sql, writes, visits) =>
  transaction(sql, async tx => {
    const { admitted, others } = await admit(tx, writes)
    const { written, queued, roused } =
      admitted.length > 0
        ? await writeUnlimited(tx, admitted, visits)
        : { written: new Map<string, Written>(), queued: [], roused: false }
    for (const [id, why] of others)
      written.set(id, why instanceof Failed ? why : { 'stood back': stoodBack, held: heldMonth }[why])
    return { written, queued, roused }
  })
