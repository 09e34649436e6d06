/** Where events come in: what waits is gathered and recorded together. */
import { Batcher, Failed } from '../../db/batch.ts'
import type { Database } from '../../db/client.ts'
import { type Judged, judgeOnly } from './judge.ts'
import { TriggerTypes } from './nearest.ts'
import type { IncomingEvent } from './sql.ts'
import { type Recorded, type RecordResult, recordBatch } from './writer.ts'

export interface IntakeDeps {
  sql: Database
  /** Told how many events are being recorded together, as it begins. */
  onBatch: (size: number) => void
  /** Told that runs were started and committed. */
  onRunsStarted: () => void
}

export class EventWriter {
  readonly #types = new TriggerTypes()
  readonly #deps: IntakeDeps
  /** Events that came alone: all that wait go in one batch. */
  readonly #single: Batcher<IncomingEvent, Recorded>
  /** Events that came together. They stay together: apart, one could overtake another of the same key or customer. */
  readonly #together: Batcher<IncomingEvent[], RecordResult[]>

  constructor(deps: IntakeDeps) {
    this.#deps = deps
    this.#single = new Batcher({ maxSize: 512, lanes: 2, work: events => this.#record(events) })
    this.#together = new Batcher({ maxSize: 4, lanes: 2, work: lists => this.#recordLists(lists) })
  }

  /** Records one event. Rejects with the refusal (DomainError) or the fault. */
  add(event: IncomingEvent): Promise<Recorded> {
    return this.#single.add(event)
  }

  /** Records events in their order, each judged alone: answers by position, and rejects only when the whole failed. */
  async addAll(events: IncomingEvent[]): Promise<RecordResult[]> {
    return events.length === 0 ? [] : this.#together.add(events)
  }

  /** What `add` would do at this moment. Records nothing, counts nothing. */
  judge(event: IncomingEvent): Promise<Judged> {
    return judgeOnly(this.#deps.sql, this.#types, event)
  }

  /** Resolves once everything added so far is settled. */
  async idle(): Promise<void> {
    await Promise.all([this.#single.idle(), this.#together.idle()])
  }

  async #record(events: IncomingEvent[]): Promise<RecordResult[]> {
    this.#deps.onBatch(events.length)
    const outcomes = await recordBatch(this.#deps.sql, this.#types, events)
    if (outcomes.some(outcome => !(outcome instanceof Failed) && outcome.startedRuns)) this.#deps.onRunsStarted()
    return outcomes
  }

  async #recordLists(lists: IncomingEvent[][]): Promise<RecordResult[][]> {
    const outcomes = await this.#record(lists.flat())
    let from = 0
    return lists.map(({ length }) => outcomes.slice(from, (from += length)))
  }
}
