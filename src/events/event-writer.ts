/** Batches concurrent `POST /v1/events` calls into one write. */

import type { QueuedChannel } from '../messaging/messages/index.ts'
import { Batcher, type BatcherOptions, type Retry, type SettleItem } from '../platform/micro-batch.ts'
import type { Database } from '../platform/postgres/client.ts'
import { BatchThrottle } from '../platform/postgres/micro-batched.ts'
import type { Span, Tracer } from '../platform/tracing.ts'
import { ImmediateExecutor, traceSteps } from '../workflows/index.ts'
import { type CheckDecision, decideOnly } from './dry-run.ts'
import { isLarge, sizeUpTo } from './event-size.ts'
import {
  type Pending,
  pendingOf,
  type Recorded,
  type RecordResult,
  type RoundDeps,
  recordRound,
} from './record-round.ts'
import type { IncomingEvent } from './sql.ts'
import { TriggerTypes } from './trigger-types.ts'

export interface EventWriterDeps {
  sql: Database
  /** Called with the number of events when a batch starts. */
  onBatch: (size: number) => void
  /** Called for each recorded event with the milliseconds from its acceptance to its commit. */
  onRecorded?: (ms: number) => void
  /**
   * Returns the longest backpressure delay of the next batch in milliseconds, because other work is late. Defaults to
   * 0.
   */
  backpressureMs?: () => number
  /** Returns whether runs of the workspace must not be executed now. Defaults to never. */
  areRunsPaused?: (workspaceId: string) => boolean
  /** Called after commit when events started runs that are due. */
  onRunsStarted: () => void
  /**
   * Called after commit with the messages of runs that finished together with their event. `writeStartedAt` is the start of
   * that write on the clock of `performance.now()`. If missing, this process sends no messages, and all runs are left
   * to the workers that claim them.
   */
  onQueued?: (queued: QueuedChannel, writeStartedAt: number) => void
  /**
   * Called with every error by which PostgreSQL rejected a batch, and the number of events, also if a retry succeeds.
   */
  onDatabaseError?: (error: unknown, events: number) => void
  /** Null without an exporter of traces. */
  tracer?: Tracer | null
}

/**
 * Maximum number of events per round, and of concurrent rounds. The second limit applies separately to single events
 * and to groups of events.
 */
const maxEvents = 512
const maxRounds = 2
/** Maximum number of large events per round. Rounds of large events are not concurrent. */
const maxLargeEvents = 100
/**
 * Maximum data size of a round of large events, because the parameters of a statement are encoded in one synchronous
 * step.
 */
const maxLargeSize = 3 * 1024 * 1024

export class EventWriter {
  readonly #types = new TriggerTypes()
  readonly #deps: EventWriterDeps
  readonly #round: RoundDeps
  /** Single events. One round takes all that are waiting. */
  readonly #single: Batcher<Pending, Recorded>
  /** Events of one request. They keep their order, so that none overtakes another with the same key or customer. */
  readonly #groups: Batcher<Pending, Recorded>
  /** Large events, single or in groups. They take the database long, and smaller events do not wait for them. */
  readonly #large: Batcher<Pending, Recorded>
  readonly #delay: BatchThrottle
  #isNotifying = false

  constructor(deps: EventWriterDeps) {
    const { sql, onQueued, backpressureMs = () => 0, areRunsPaused = () => false } = deps
    this.#deps = deps
    this.#delay = new BatchThrottle(backpressureMs)
    this.#round = {
      sql,
      types: this.#types,
      areRunsPaused,
      executor: onQueued ? new ImmediateExecutor() : null,
      onQueued: onQueued ?? (() => {}),
      onRunsWoken: () => this.#notifyRunsStarted(),
      onDatabaseError: deps.onDatabaseError ?? (() => {}),
      ...(deps.tracer && { onExecuted: (run, trace) => traceSteps(deps.tracer!, run, trace) }),
    }
    const options: BatcherOptions<Pending, Recorded> = {
      maxSize: maxEvents,
      concurrency: maxRounds,
      onBatch: deps.onBatch,
      tenantOf: ({ event }) => event.workspaceId,
      work: (pending, answer) => this.#record(pending, answer),
    }
    this.#single = new Batcher(options)
    this.#groups = new Batcher(options)
    const bytes = { max: maxLargeSize, sizeOf: ({ event }: Pending) => sizeUpTo(event.data) }
    this.#large = new Batcher({ ...options, maxSize: maxLargeEvents, concurrency: 1, bytes })
  }

  /** Records one event. Rejects with a DomainError, or with an internal fault. */
  add(event: IncomingEvent): Promise<Recorded> {
    return (isLarge(event.data) ? this.#large : this.#single).add(pendingOf(event))
  }

  /**
   * Records events of one workspace in their order, each decided separately. Returns results by position and never
   * rejects.
   */
  addAll(events: IncomingEvent[]): Promise<RecordResult[]> {
    const batcher = isLarge(events.map(({ data }) => data)) ? this.#large : this.#groups
    return batcher.addInOrder(events.map(pendingOf))
  }

  /** Returns what `add` would do now. Records nothing and counts nothing. */
  check(event: IncomingEvent): Promise<CheckDecision> {
    return decideOnly(this.#deps.sql, this.#types, event)
  }

  /** Resolves once everything added so far is settled. */
  async idle(): Promise<void> {
    await Promise.all([this.#single.idle(), this.#groups.idle(), this.#large.idle()])
  }

  #record(pending: Pending[], answer: SettleItem<Recorded>): Promise<(RecordResult | Retry)[]> {
    const span = this.#startSpan(pending)
    const recording = this.#delay.run(() =>
      recordRound(this.#round, pending, (position, result) => {
        if ('recorded' in result && result.recorded)
          this.#deps.onRecorded?.(performance.now() - pending[position]!.acceptedAt)
        if ('startedRuns' in result && result.startedRuns) this.#notifyRunsStarted()
        answer(position, result)
      }),
    )
    return span ? recording.finally(() => span.end()) : recording
  }

  /** Starts the span of a batch, which is linked to the requests of its events. */
  #startSpan(pending: Pending[]): Span | null {
    const { tracer } = this.#deps
    if (!tracer) return null
    const links = [...new Set(pending.map(({ event }) => event.traceparent))].filter(link => link !== null)
    const attributes = { events: pending.length }
    return tracer.start('ingest batch', { kind: 'internal', parent: null, links, attributes })
  }

  /** Runs the callback once for all events that are settled together. */
  #notifyRunsStarted(): void {
    if (this.#isNotifying) return
    this.#isNotifying = true
    queueMicrotask(() => {
      this.#isNotifying = false
      this.#deps.onRunsStarted()
    })
  }
}
