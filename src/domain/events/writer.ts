/** Records a batch of events in one round: reads the related data, decides in memory, executes new runs, and writes. */
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
  /** False if the idempotency key was used before. `event` is then the first event. */
  recorded: boolean
  event: FreshEvent | SeenEvent
  /** True if the event started at least one run that is due. */
  startedRuns: boolean
  /** Differences between a repeat and the first event, except in the data. Empty for a new event. */
  mismatch: Mismatch[]
}

/** Result of one event: recorded, repeated, or the error for its caller. */
export type RecordResult = Recorded | Failed

/** An event in progress, with its retry state. */
export interface Pending {
  readonly event: IncomingEvent
  /** Time when the database was first unavailable, on the clock of performance.now(). */
  brokenSince: number | null
  /**
   * True after a batch with this event timed out waiting for a lock. The event is then written alone, so that it does
   * not delay others.
   */
  heldUp: boolean
  /** Ids under which the event may have been written, because the connection broke before the result arrived. */
  readonly attempts: string[]
  /**
   * Time, on the clock of performance.now(), until which the event waits for a blocking run that may be about to end.
   */
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
 * Maximum time in milliseconds that an event waits for a blocking run to advance. It normally takes milliseconds. If
 * the workers are late, the event is recorded without waiting longer.
 */
const patienceMs = 3000

/** Maximum time in milliseconds that an event is retried while the database is unavailable. */
const brokenPatienceMs = 2000
/**
 * Number of `event_usage` rows that a workspace's month is spread over, so that concurrent batches rarely wait for each
 * other.
 */
const usageLanes = 16
/** Maximum number of events that are written alone in one round. The others are retried. */
const maxAlone = 8
const maxLimitedParts = 4

const stoodBack = new Again()
const lostRace = new Again(new HeldUp('Other calls are changing the same customer or using the same key.'))
const heldMonth = new Again(new HeldUp("Other calls are counting the workspace's month."))
const runIsJudged = new Again(new HeldUp('Runs of the same customer are being worked on.'))
const heldLock = new Again(new HeldUp('The database holds back something that is needed here.'))

/**
 * Unique violation, serialisation failure, deadlock: another transaction was first, and the next round will see its
 * rows.
 */
const lostRaces = new Set(['23505', '40001', '40P01', undoneState])
/**
 * SQLSTATEs of the statement timeout and the lock timeout. Splitting the batch would not help, because each half could
 * time out too.
 */
const timedOut = '57014'
const timedOutForLock = '55P03'

/** Dependencies of rounds. */
export interface RoundDeps {
  sql: Sql
  types: TriggerTypes
  /** Null if this process sends no messages. All runs are then left to the workers that claim them. */
  firstVisits: FirstVisits | null
  /**
   * Called after commit with queued messages. `askedAt` is the start of the write on the clock of `performance.now()`.
   */
  onQueued: (queued: QueuedFor, askedAt: number) => void
  /** Called after commit when the events woke waiting runs. */
  onRoused: () => void
  /**
   * Called with every error by which PostgreSQL rejected a batch or the reads for its runs, also if a retry succeeds.
   */
  onRefused: (error: unknown, events: number) => void
}

/**
 * Runs one round: one read, one decision, one write. Each event is answered as soon as its result is known. Events that
 * lost a race to another batch or to an earlier event of this one are retried; they then find what the winner wrote.
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
 * Executes the runs that these events start. Skips events that change their customer, because an execution would not
 * see the change. If the data of a run cannot be read here, the worker that claims the run reads it.
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
    // The data for executions is locked. The pause keeps the next events from waiting for the same lock.
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

/**
 * Retries a write after a broken connection only in two cases. Either it certainly never reached the server, or its
 * idempotency key will show whether it was written.
 */
const afterBreak = (write: EventWrite, pending: Pending, broken: Broken): Failed | Again => {
  if (neverReachedServer(broken.error)) return whileAway(pending, broken)
  if (pending.event.idempotencyKey === null)
    return new Failed(new OutcomeUnknown(unknownWithoutKey, false, { cause: broken.error }))
  pending.attempts.push(write.id)
  return whileAway(pending, broken)
}

/**
 * Retries for a short time, as long as a restart of the database takes. With a key, the caller can repeat the event
 * safely afterwards.
 */
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
  // An earlier attempt of this event whose result was lost. The event found is this one, and new to its caller.
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

/** Result of a write. */
type Written = Date | Failed | Again | Broken
/** `visits`: the executions that were written with the event. */
type Tell = (write: EventWrite, written: Written, visits?: Visits) => void

/** Shared parameters of the writes of a round. */
interface Round {
  sql: Sql
  visits: Visits
  onQueued: RoundDeps['onQueued']
  onRoused: RoundDeps['onRoused']
  onRefused: RoundDeps['onRefused']
  /** Called if a write with executions timed out waiting for a lock. */
  onHeldUp: () => void
  tell: Tell
  goesAlone: (write: EventWrite) => boolean
}

/**
 * Writes all events and reports the result of each. Never rejects. Events with and without a monthly limit are written
 * concurrently.
 */
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

/**
 * Returns whether the event adds identifiers. Its lock has no fixed position in the lock order, so the event is written
 * alone.
 */
const isFilling = ({ fill }: EventWrite): boolean => fill !== null

/** Writes events under a monthly limit in their order. Events after one that is written alone wait for it. */
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

/** Results by event id, and the messages that their runs queued. */
interface WrittenTogether {
  written: Map<string, Written>
  queued: QueuedFor[]
  roused: boolean
}

type Write = (sql: Sql, writes: EventWrite[], visits: Visits) => Promise<WrittenTogether>

/**
 * Writes events together and retries smaller parts after an error. If PostgreSQL rejects the statement, the executions
 * may be the cause, so it is retried without them: they must not cost an event. The same applies to a lock error
 * without waiting, since only runs take such locks.
 *
 * If a single row can be the cause, each half is written separately. An unexpected row then fails only its own caller.
 * `onRefused` reports the error in every case, so that a successful retry does not hide it.
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

/** Milliseconds below which a lock error counts as immediate. Well below the lock timeout of a statement. */
const atOnceMs = 250

const isHeld = (error: unknown): boolean => sqlState(error) === timedOutForLock

/** Excludes lock timeouts and lost races, which are temporary and succeed on a retry. */
const isRefusal = (error: unknown): boolean => {
  const state = sqlState(error)
  return state !== undefined && state !== timedOutForLock && !lostRaces.has(state) && !isConnectionError(error)
}

const isOfOneRow = (error: unknown): boolean => {
  const state = sqlState(error)
  return state !== undefined && state !== timedOut && state !== timedOutForLock && !isOfDatabase(error)
}

/** Connection, privileges, disk, memory or the server itself: every statement would fail. */
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

/** Writes events while holding the lock on each workspace's monthly usage. Writes only events within the limit. */
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
