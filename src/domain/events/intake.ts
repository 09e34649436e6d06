/** Where events come in: what waits is gathered and recorded together. */
import { type Again, type Answer, Batcher, type BatcherOptions } from '../../db/batch.ts'
import type { Database } from '../../db/client.ts'
import { Backpressure } from '../gather.ts'
import type { QueuedFor } from '../messages/index.ts'
import { FirstVisits } from '../workflows/index.ts'
import { type Judged, judgeOnly } from './judge.ts'
import { isLarge, sizeUpTo } from './large.ts'
import { TriggerTypes } from './nearest.ts'
import type { IncomingEvent } from './sql.ts'
import { type Pending, pendingOf, type Recorded, type RecordResult, type RoundDeps, recordRound } from './writer.ts'

export interface IntakeDeps {
  sql: Database
  /** Told how many events are being recorded together, as it begins. */
  onBatch: (size: number) => void
  /** Longest delay of the next batch, in milliseconds, because other work is late. */
  restMs?: () => number
  /** Told that runs were started and committed that are due. */
  onRunsStarted: () => void
  /**
   * Told of messages that were queued and committed by runs which ended with their event, and when that was begun, by
   * `performance.now()`. Left out where nobody in this process would send them: then runs are left to whoever claims them.
   */
  onQueued?: (queued: QueuedFor, askedAt: number) => void
  /** Called for every error by which PostgreSQL refused a batch of so many events, also where a repeat succeeds. */
  onRefused?: (error: unknown, events: number) => void
}

/** Most events in one round, and most rounds at once of those that came alone and of those that came together. */
const maxEvents = 512
const maxRounds = 2
/** Most large events in one round, of which there is one at a time. */
const maxLargeEvents = 100
/** Size of the data of those in one round: the parameters of a statement are written in one go. */
const maxLargeSize = 3 * 1024 * 1024

export class EventWriter {
  readonly #types = new TriggerTypes()
  readonly #deps: IntakeDeps
  readonly #round: RoundDeps
  /** Events that came alone: all that wait go in one round. */
  readonly #single: Batcher<Pending, Recorded>
  /** Events that came together. They keep their order: else one could overtake another of the same key or customer. */
  readonly #together: Batcher<Pending, Recorded>
  /** What is large, alone or together, takes the database long: who sends little does not wait for it. */
  readonly #large: Batcher<Pending, Recorded>
  readonly #delay: Backpressure
  #runsToTell = false

  constructor(deps: IntakeDeps) {
    const { sql, onQueued, restMs = () => 0 } = deps
    this.#deps = deps
    this.#delay = new Backpressure(restMs)
    this.#round = {
      sql,
      types: this.#types,
      firstVisits: onQueued ? new FirstVisits() : null,
      onQueued: onQueued ?? (() => {}),
      onRoused: () => this.#tellOfRuns(),
      onRefused: deps.onRefused ?? (() => {}),
    }
    const options: BatcherOptions<Pending, Recorded> = {
      maxSize: maxEvents,
      lanes: maxRounds,
      onBatch: deps.onBatch,
      shareOf: ({ event }) => event.workspaceId,
      work: (pending, answer) => this.#record(pending, answer),
    }
    this.#single = new Batcher(options)
    this.#together = new Batcher(options)
    const bytes = { max: maxLargeSize, sizeOf: ({ event }: Pending) => sizeUpTo(event.data) }
    this.#large = new Batcher({ ...options, maxSize: maxLargeEvents, lanes: 1, bytes })
  }

  /** Records one event. Rejects with the refusal (DomainError) or the fault. */
  add(event: IncomingEvent): Promise<Recorded> {
    return (isLarge(event.data) ? this.#large : this.#single).add(pendingOf(event))
  }

  /** Records events of one workspace in their order, each judged alone: answers by position, and never rejects. */
  addAll(events: IncomingEvent[]): Promise<RecordResult[]> {
    const batcher = isLarge(events.map(({ data }) => data)) ? this.#large : this.#together
    return batcher.addInOrder(events.map(pendingOf))
  }

  /** What `add` would do at this moment. Records nothing, counts nothing. */
  judge(event: IncomingEvent): Promise<Judged> {
    return judgeOnly(this.#deps.sql, this.#types, event)
  }

  /** Resolves once everything added so far is settled. */
  async idle(): Promise<void> {
    await Promise.all([this.#single.idle(), this.#together.idle(), this.#large.idle()])
  }

  #record(pending: Pending[], answer: Answer<Recorded>): Promise<(RecordResult | Again)[]> {
    return this.#delay.run(() =>
      recordRound(this.#round, pending, (place, result) => {
        if ('startedRuns' in result && result.startedRuns) this.#tellOfRuns()
        answer(place, result)
      }),
    )
  }

  /** Once for all that are answered in one go. */
  #tellOfRuns(): void {
    if (this.#runsToTell) return
    this.#runsToTell = true
    queueMicrotask(() => {
      this.#runsToTell = false
      this.#deps.onRunsStarted()
    })
  }
}
