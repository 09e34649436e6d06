/** Records a batch of events in one round: reads the related data, decides in memory, executes new runs, and writes. */

import { LockConflict, OutcomeUnknown } from '../core/errors.ts'
import type { QueuedChannel } from '../messaging/messages/index.ts'
import { createYield, type YieldIfDue } from '../platform/event-loop.ts'
import { Failed, Retry, type SettleItem } from '../platform/micro-batch.ts'
import {
  isConnectionError,
  isMoving,
  neverReachedServer,
  type Sql,
  sqlState,
  transaction,
} from '../platform/postgres/client.ts'
import type { Advance, ImmediateExecutor, RunStart, StartingRun } from '../workflows/index.ts'
import { admit, isLimited } from './allowance.ts'
import { type Decision, decideWithYields } from './decide.ts'
import type { Mismatch } from './schema.ts'
import { readSnapshot } from './snapshot.ts'
import {
  changesCustomer,
  EntryTaken,
  type EventWrite,
  type Executions,
  type ExistingEvent,
  type IncomingEvent,
  type NewEvent,
  rolledBackState,
  runStartsOf,
  writeEvents,
} from './sql.ts'
import type { TriggerTypes } from './trigger-types.ts'
import { usageRowOf } from './usage-sql.ts'

export interface Recorded {
  /** False if the idempotency key was used before. `event` is then the first event. */
  recorded: boolean
  event: NewEvent | ExistingEvent
  /** True if the event started at least one run that is due. */
  startedRuns: boolean
  /** Differences between a repeat and the first event, except in the data and the opt-in. Empty for a new event. */
  mismatch: Mismatch[]
}

/** Result of one event: recorded, repeated, or the error for its caller. */
export type RecordResult = Recorded | Failed

/** An event in progress, with its retry state. */
export interface Pending {
  readonly event: IncomingEvent
  /** Time of the call, on the clock of performance.now(). */
  readonly acceptedAt: number
  /** Time when the database was first unavailable, on the clock of performance.now(). */
  unavailableSince: number | null
  /**
   * True after a batch with this event timed out waiting for a lock. The event is then written alone, so that it does
   * not delay others.
   */
  hasConflict: boolean
  /** Ids under which the event may have been written, because the connection broke before the result arrived. */
  readonly attempts: string[]
  /**
   * Time, on the clock of performance.now(), until which the event waits for a blocking run that may be about to end.
   */
  readonly waitUntil: number
}

export const pendingOf = (event: IncomingEvent): Pending => {
  const acceptedAt = performance.now()
  return {
    event,
    acceptedAt,
    unavailableSince: null,
    hasConflict: false,
    attempts: [],
    waitUntil: acceptedAt + maxWaitMs,
  }
}

/**
 * Maximum time in milliseconds that an event waits for a blocking run to advance. It normally takes milliseconds. If
 * the workers are late, the event is recorded without waiting longer.
 */
const maxWaitMs = 3000

/** Maximum time in milliseconds that an event is retried while the database is unavailable. */
const maxUnavailableMs = 2000
/** Maximum number of events that are written alone in one round. The others are retried. */
const maxAlone = 8
const maxLimitedGroups = 4

const deferred = new Retry()
const lostRace = new Retry(
  new LockConflict('Other calls are changing the same customer or using the same idempotency key.'),
)
const usageConflict = new Retry(new LockConflict('Other calls are counting the monthly events of the workspace.'))
const runConflict = new Retry(new LockConflict('Runs of the same customer are being executed.'))
const lockConflict = new Retry(new LockConflict('A required record is locked in the database.'))

/**
 * Unique violation, serialisation failure, deadlock: another transaction was first, and the next round will see its
 * rows. A unique violation only occurs if two transactions add the same identifier to known customers at one moment.
 */
const lostRaceStates = new Set(['23505', '40001', '40P01', rolledBackState])
/**
 * SQLSTATEs of the statement timeout and the lock timeout. Splitting the batch would not help, because each half could
 * time out too.
 */
const statementTimeout = '57014'
const lockTimeout = '55P03'

/** Dependencies of rounds. */
export interface RoundDeps {
  sql: Sql
  types: TriggerTypes
  /** Null if this process sends no messages. All runs are then left to the workers that claim them. */
  executor: ImmediateExecutor | null
  /** Returns whether the runs of a workspace are paused. They are then written as due. */
  areRunsPaused: (workspaceId: string) => boolean
  /**
   * Called after commit with queued messages. `writeStartedAt` is the start of the write on the clock of `performance.now()`.
   */
  onQueued: (queued: QueuedChannel, writeStartedAt: number) => void
  /** Called after commit when the events woke waiting runs. */
  onRunsWoken: () => void
  /**
   * Called with every error by which PostgreSQL rejected a batch or the reads for its runs, also if a retry succeeds.
   */
  onDatabaseError: (error: unknown, events: number) => void
  /** Called with the steps of each run that was executed with its event. */
  onExecuted?: (run: StartingRun, trace: Advance['trace']) => void
}

/**
 * Runs one round: one read, one decision, one write. Each event is answered as soon as its result is known. Events that
 * lost a race to another batch or to an earlier event of this one are retried; they then find what the winner wrote.
 */
export const recordRound = async (
  { sql, types, executor, areRunsPaused, onQueued, onRunsWoken, onDatabaseError, onExecuted }: RoundDeps,
  pending: Pending[],
  answer: SettleItem<Recorded>,
): Promise<(RecordResult | Retry)[]> => {
  const events = pending.map(({ event }) => event)
  const results = new Array<RecordResult | Retry>(pending.length)
  const positions = new Map<string, number>()
  const settle = (position: number, result: RecordResult | Retry) => {
    results[position] = result
    if (!(result instanceof Retry)) answer(position, result)
  }

  const snapshot = await catchDisconnect(() => readSnapshot(sql, types, events))
  if (snapshot instanceof ConnectionLost) return pending.map(one => retryWhileUnavailable(one, snapshot))
  const yieldIfDue = createYield()
  const startedAt = performance.now()
  const decisions = await decideWithYields(
    events,
    snapshot,
    yieldIfDue,
    position => startedAt < pending[position]!.waitUntil,
  )
  for (const [position, decision] of decisions.entries()) {
    if (decision.kind === 'write') positions.set(decision.write.id, position)
    else settle(position, resultOf(decision, pending[position]!))
  }
  const writes = decisions.flatMap(decision => (decision.kind === 'write' ? [decision.write] : []))
  const isConflicting = (write: EventWrite) => pending[positions.get(write.id)!]!.hasConflict
  const executions = executor
    ? await executeRuns(
        sql,
        executor,
        writes.filter(write => !isConflicting(write) && !areRunsPaused(write.event.workspaceId)),
        yieldIfDue,
        { onDatabaseError, ...(onExecuted && { onExecuted }) },
      )
    : noExecutions
  const report: Report = (write, written, executions = noExecutions) => {
    const position = positions.get(write.id)!
    if (written === lockConflict) pending[position]!.hasConflict = true
    if (written instanceof Date) settle(position, recordedOf(write, written, executions))
    else
      settle(
        position,
        written instanceof ConnectionLost ? afterDisconnect(write, pending[position]!, written) : written,
      )
  }
  const onLockTimeout = () => executor?.pause()
  await writeAll(
    {
      sql,
      executions,
      onQueued,
      onRunsWoken,
      onDatabaseError,
      onLockTimeout,
      report,
      isWrittenAlone: write => addsIdentifiers(write) || isConflicting(write),
    },
    writes,
  )
  return results
}

const noExecutions: Executions = new Map()

/**
 * Executes the runs that these events start. Skips events that change their customer, because an execution would not
 * see the change. If the data of a run cannot be read here, the worker that claims the run reads it.
 */
const executeRuns = async (
  sql: Sql,
  executor: ImmediateExecutor,
  writes: EventWrite[],
  yieldIfDue: YieldIfDue,
  { onDatabaseError, onExecuted }: Pick<RoundDeps, 'onDatabaseError' | 'onExecuted'>,
): Promise<Executions> => {
  const startingRuns = writes.flatMap(write =>
    changesCustomer(write) ? [] : runStartsOf(write).map(run => startingRunOf(write, run)),
  )
  const executing = executor.execute(sql, startingRuns, yieldIfDue).then(executions => {
    if (onExecuted)
      for (const run of startingRuns) {
        const execution = executions.get(run.id)
        if (execution) onExecuted(run, execution.trace)
      }
    return executions
  })
  return executing.catch(error => {
    // The data for executions is locked. The pause keeps the next events from waiting for the same lock.
    if (isLockTimeout(error)) executor.pause()
    else if (!isConnectionError(error)) onDatabaseError(error, writes.length)
    return noExecutions
  })
}

const startingRunOf = ({ event, enrol, customerId }: EventWrite, run: RunStart): StartingRun => ({
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
class ConnectionLost {
  constructor(readonly error: Error) {}
}

const catchDisconnect = async <T>(work: () => Promise<T>): Promise<T | ConnectionLost> => {
  try {
    return await work()
  } catch (error) {
    if (isConnectionError(error)) return new ConnectionLost(error as Error)
    throw error
  }
}

/**
 * Retries a write after a broken connection only in two cases. Either it certainly never reached the server, or its
 * idempotency key will show whether it was written.
 */
const afterDisconnect = (write: EventWrite, pending: Pending, lost: ConnectionLost): Failed | Retry => {
  if (neverReachedServer(lost.error)) return retryWhileUnavailable(pending, lost)
  if (pending.event.idempotencyKey === null)
    return new Failed(new OutcomeUnknown(unknownWithoutKey, false, { cause: lost.error }))
  pending.attempts.push(write.id)
  return retryWhileUnavailable(pending, lost)
}

/**
 * Retries for a short time, as long as a restart of the database takes. With a key, the caller can repeat the event
 * safely afterwards.
 */
const retryWhileUnavailable = (pending: Pending, { error }: ConnectionLost): Failed | Retry => {
  pending.unavailableSince ??= performance.now()
  if (performance.now() - pending.unavailableSince < maxUnavailableMs) return new Retry(error)
  return new Failed(pending.attempts.length > 0 ? new OutcomeUnknown(unknownWithKey, true, { cause: error }) : error)
}

const unknownOutcome =
  'The connection to the database was lost while the event was being written. It may have been recorded.'
const unknownWithoutKey = `${unknownOutcome} This event has no idempotencyKey. Check GET /v1/events before you send it again.`
const unknownWithKey = `${unknownOutcome} Send it again unchanged: its idempotencyKey prevents a duplicate.`

const resultOf = (decision: Exclude<Decision, { kind: 'write' }>, pending: Pending): RecordResult | Retry => {
  if (decision.kind === 'again') return deferred
  if (decision.kind === 'later') return runConflict
  if (decision.kind === 'refuse') return new Failed(decision.error)
  const existing = decision.event
  if (!pending.attempts.includes(existing.id))
    return { recorded: false, event: existing, startedRuns: false, mismatch: decision.mismatch }
  // An earlier attempt of this event whose result was lost. The event found is this one, and new to its caller.
  const startedRuns = existing.verdicts.some(({ verdict }) => verdict === 'started')
  return { recorded: true, event: { ...existing, data: pending.event.data }, startedRuns, mismatch: [] }
}

const recordedOf = (
  { id, event, customerId, matchedWorkflows, verdicts }: EventWrite,
  createdAt: Date,
  executions: Executions,
): Recorded => ({
  recorded: true,
  mismatch: [],
  startedRuns: verdicts.some(({ runId }) => runId !== null && !executions.has(runId)),
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
type WriteOutcome = Date | Failed | Retry | ConnectionLost
/** `executions`: the executions that were written with the event. */
type Report = (write: EventWrite, written: WriteOutcome, executions?: Executions) => void

/** Shared parameters of the writes of a round. */
interface Round {
  sql: Sql
  executions: Executions
  onQueued: RoundDeps['onQueued']
  onRunsWoken: RoundDeps['onRunsWoken']
  onDatabaseError: RoundDeps['onDatabaseError']
  /** Called if a write with executions timed out waiting for a lock. */
  onLockTimeout: () => void
  report: Report
  isWrittenAlone: (write: EventWrite) => boolean
}

/**
 * Writes all events and reports the result of each. Never rejects. Events with and without a monthly limit are written
 * concurrently.
 */
const writeAll = async (round: Round, writes: EventWrite[]): Promise<void> => {
  const { isWrittenAlone, report } = round
  const limited = writes.filter(isLimited)
  const others = limited.length === 0 ? writes : writes.filter(write => !isLimited(write))
  const alone = others.filter(isWrittenAlone)
  const together = alone.length === 0 ? others : others.filter(write => !isWrittenAlone(write))
  for (const write of alone.slice(maxAlone)) report(write, deferred)
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
const addsIdentifiers = ({ fill }: EventWrite): boolean => fill !== null

/** Writes events under a monthly limit in their order. Events after one that is written alone wait for it. */
const writeLimitedInOrder = async (round: Round, writes: EventWrite[]): Promise<void> => {
  for (const [position, group] of splitGroups(writes, round.isWrittenAlone).entries()) {
    if (position < maxLimitedGroups) await writeSafely(round, group, writeLimited)
    else for (const write of group) round.report(write, deferred)
  }
}

const splitGroups = (writes: EventWrite[], isWrittenAlone: Round['isWrittenAlone']): EventWrite[][] => {
  const groups: EventWrite[][] = []
  for (const write of writes) {
    const last = groups.at(-1)
    if (last && !isWrittenAlone(write) && !isWrittenAlone(last[0]!)) last.push(write)
    else groups.push([write])
  }
  return groups
}

/** Results by event id, and the messages that their runs queued. */
interface WriteResults {
  written: Map<string, WriteOutcome>
  queued: QueuedChannel[]
  wokeRuns: boolean
}

type Write = (sql: Sql, writes: EventWrite[], executions: Executions) => Promise<WriteResults>

/**
 * Writes events together and retries smaller parts after an error. If PostgreSQL rejects the statement, the executions
 * may be the cause, so it is retried without them: they must not cost an event. The same applies to a lock error
 * without waiting, since only runs take such locks.
 *
 * Events whose entry key was taken are retried in the next round. The others are written again immediately. If a single
 * row can be the cause of an error, each half is written separately. An unexpected row then fails only its own caller.
 * `onDatabaseError` reports the error in every case, so that a successful retry does not hide it.
 */
const writeSafely = async (round: Round, writes: EventWrite[], write: Write): Promise<void> => {
  if (writes.length === 0) return
  const { sql, executions, report, onQueued, onRunsWoken, onDatabaseError, onLockTimeout } = round
  const writeStartedAt = performance.now()
  try {
    const { written, queued, wokeRuns } = await write(sql, writes, executions)
    if (wokeRuns) onRunsWoken()
    for (const one of queued) onQueued(one, writeStartedAt)
    for (const one of writes) report(one, written.get(one.id) ?? lostRace, executions)
  } catch (error) {
    if (error instanceof EntryTaken) {
      for (const one of writes) if (error.eventIds.has(one.id)) report(one, lostRace)
      const others = writes.filter(({ id }) => !error.eventIds.has(id))
      await writeSafely(round, others, write)
      return
    }
    const hasExecutions = writes.some(one => runStartsOf(one).some(({ id }) => executions.has(id)))
    const isImmediate = performance.now() - writeStartedAt < immediateMs
    if (hasExecutions && isLockTimeout(error) && !isImmediate) onLockTimeout()
    if (isDatabaseRejection(error)) onDatabaseError(error, writes.length)
    if (hasExecutions && (isDatabaseRejection(error) || (isLockTimeout(error) && isImmediate)))
      await writeSafely({ ...round, executions: noExecutions }, writes, write)
    else if (writes.length > 1 && isRowError(error)) {
      const half = Math.ceil(writes.length / 2)
      await writeSafely(round, writes.slice(0, half), write)
      await writeSafely(round, writes.slice(half), write)
    } else for (const one of writes) report(one, outcomeOfError(error))
  }
}

/** Milliseconds below which a lock error counts as immediate. Well below the lock timeout of a statement. */
const immediateMs = 250

const isLockTimeout = (error: unknown): boolean => sqlState(error) === lockTimeout

/** Excludes lock timeouts, lost races and moves, which are temporary and succeed on a retry. */
const isDatabaseRejection = (error: unknown): boolean => {
  const state = sqlState(error)
  return (
    state !== undefined &&
    state !== lockTimeout &&
    !lostRaceStates.has(state) &&
    !isConnectionError(error) &&
    !isMoving(error)
  )
}

const isRowError = (error: unknown): boolean => {
  const state = sqlState(error)
  return state !== undefined && state !== statementTimeout && state !== lockTimeout && !isDatabaseError(error)
}

/** Connection, privileges, disk, memory or the server itself: every statement would fail. */
const isDatabaseError = (error: unknown): boolean =>
  isConnectionError(error) || (/^(25|28|53|57|58)/.test(sqlState(error) ?? '') && sqlState(error) !== statementTimeout)

const outcomeOfError = (error: unknown): WriteOutcome => {
  if (isConnectionError(error)) return new ConnectionLost(error as Error)
  if (sqlState(error) === lockTimeout) return lockConflict
  return lostRaceStates.has(sqlState(error) ?? '') ? lostRace : new Failed(error)
}

const writeUnlimited: Write = async (sql, writes, executions) => {
  const [{ event, reason }] = writes as [EventWrite]
  const usageRow = usageRowOf(event.type, reason)
  const { ids, createdAt, queued, wokeRuns } = await writeEvents(sql, writes, { executions, usageRow })
  return { written: new Map(ids.map(id => [id, createdAt])), queued, wokeRuns }
}

/** Writes events while holding the lock on each workspace's monthly usage. Writes only events within the limit. */
const writeLimited: Write = (sql, writes, executions) =>
  transaction(sql, async tx => {
    const { admitted, others } = await admit(tx, writes)
    const { written, queued, wokeRuns } =
      admitted.length > 0
        ? await writeUnlimited(tx, admitted, executions)
        : { written: new Map<string, WriteOutcome>(), queued: [], wokeRuns: false }
    for (const [id, reason] of others)
      written.set(id, reason instanceof Failed ? reason : { 'stood back': deferred, held: usageConflict }[reason])
    return { written, queued, wokeRuns }
  })
