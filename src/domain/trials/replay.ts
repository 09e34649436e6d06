/**
 * Simulates a workflow over past events: how many runs it would have started, and how far they would have come. Nothing
 * is written or sent.
 */
import { clock } from '../../platform/clock.ts'
import type { Reading } from '../context.ts'
import type { Rest } from '../turns.ts'
import { verb } from '../verb.ts'
import { carryThrough, type HasTime } from './carry.ts'
import { maxEvents, type ReplayedWorkflow, type ReplayWorkflow } from './schema.ts'
import { findEventsToReplay, type ReplayedEvent, type Tried } from './sql.ts'
import { readSurroundings, type Surroundings } from './surroundings.ts'
import { timeFor } from './time.ts'
import { readTried } from './try.ts'
import { wordOf } from './verdict.ts'

const dayMs = 86_400_000

/**
 * Simulates the workflow for past events of its type, newest first, with the customers as they are today. Every wait
 * times out. Each page uses its own connection, and none is held between pages.
 */
export const replayWorkflow = verb(
  { by: 'member' },
  async (
    { caller },
    reading: Reading,
    id: string,
    { days, version }: ReplayWorkflow,
    signal: AbortSignal,
  ): Promise<ReplayedWorkflow> => {
    const { turns, hasTime } = timeFor(signal)
    const { workspaceId } = caller
    const { tried, surroundings } = await turns.waitFor(() =>
      reading(workspaceId, async sql => {
        const tried = await readTried(sql, workspaceId, id, version)
        return { tried, surroundings: await readSurroundings(sql, caller, tried.definition, null) }
      }),
    )
    const replay = new Replay(tried, surroundings, turns.rest, hasTime)
    const since = clock.now() - days * dayMs
    const { eventType } = tried.definition.trigger
    for (let before: string | null = null; ; ) {
      const page = await turns.waitFor(() => readPage(reading, workspaceId, eventType, before))
      for (const event of page) {
        if (event.createdAt.getTime() < since) return replay.told(true)
        if (replay.events >= maxEvents || !(await replay.take(event))) return replay.told(false)
      }
      before = page.at(-1)?.id ?? null
      if (before === null) return replay.told(true)
    }
  },
)

const readPage = (
  reading: Reading,
  workspaceId: string,
  type: string,
  before: string | null,
): Promise<ReplayedEvent[]> => reading(workspaceId, sql => findEventsToReplay(sql, workspaceId, type, before))

/** Counts the results of simulated events. */
class Replay {
  events = 0
  readonly #verdicts = new Map<string, number>()
  readonly #byStep = new Map<string, number>()
  readonly #ends = new Map<string, number>()

  constructor(
    private readonly tried: Tried,
    private readonly surroundings: Surroundings,
    private readonly rest: Rest,
    private readonly hasTime: HasTime,
  ) {}

  /** Simulates one event. Returns false and counts nothing if no time is left. */
  async take(event: ReplayedEvent): Promise<boolean> {
    const resting = this.rest()
    if (resting) await resting
    if (!this.hasTime()) return false
    // Events of erased customers are skipped, because their data is gone.
    if (event.customer === null) return true
    const verdict = wordOf(this.tried, event)
    if (verdict === 'started' && !(await this.#carry(event, event.customer))) return false
    this.events++
    count(this.#verdicts, verdict)
    return true
  }

  async #carry(event: ReplayedEvent, customer: NonNullable<ReplayedEvent['customer']>): Promise<boolean> {
    const { channelsOf, optOutWords: _, ...surroundings } = this.surroundings
    const { id, type, data } = event
    const facts = { ...surroundings, data, event: { id, type }, customer, channels: channelsOf(customer) }
    const come = new Set<string>()
    const end = await carryThrough(
      { definition: this.tried.definition, facts, arrivals: [], start: event.createdAt },
      ({ trace }) => {
        for (const { stepId } of trace) come.add(stepId)
      },
      this.rest,
      this.hasTime,
    )
    if (end === 'unfinished' && !this.hasTime()) return false
    for (const stepId of come) count(this.#byStep, stepId)
    count(this.#ends, end)
    return true
  }

  told(complete: boolean): ReplayedWorkflow {
    return {
      events: this.events,
      complete,
      verdicts: Object.fromEntries(this.#verdicts),
      byStep: Object.fromEntries(this.#byStep),
      ends: Object.fromEntries(this.#ends),
    }
  }
}

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
