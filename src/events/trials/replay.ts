/**
 * Simulates a workflow over past events: how many runs it would have started, and how far they would have come. Nothing
 * is written or sent.
 */

import type { ReadRunner } from '../../core/context.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import type { YieldIfDue } from '../../platform/event-loop.ts'
import { readEnvironment, type TrialEnvironment } from './environment.ts'
import { startScheduler } from './scheduler.ts'
import { maxEvents, type ReplayedWorkflow, type ReplayWorkflow } from './schema.ts'
import { type HasTime, simulateRun } from './simulate-run.ts'
import { findEventsToReplay, type ReplayedEvent, type TrialWorkflow } from './sql.ts'
import { readTrialWorkflow } from './try.ts'
import { verdictKindOf } from './verdict.ts'

const dayMs = 86_400_000

/**
 * Simulates the workflow for past events of its type, newest first, with the customers as they are today. Every wait
 * times out. Each page uses its own connection, and none is held between pages.
 */
export const replayWorkflow = verb(
  { by: 'member' },
  async (
    { caller },
    reading: ReadRunner,
    id: string,
    { days, version }: ReplayWorkflow,
    signal: AbortSignal,
  ): Promise<ReplayedWorkflow> => {
    const { scheduler, hasTime } = startScheduler(signal)
    const { workspaceId } = caller
    const { workflow: tried, environment } = await scheduler.waitFor(() =>
      reading(workspaceId, async sql => {
        const workflow = await readTrialWorkflow(sql, workspaceId, id, version)
        return { workflow, environment: await readEnvironment(sql, caller, workflow.definition, null) }
      }),
    )
    const replay = new Replay(tried, environment, scheduler.yieldIfDue, hasTime)
    const since = clock.now() - days * dayMs
    const { eventType } = tried.definition.trigger
    for (let before: string | null = null; ; ) {
      const page = await scheduler.waitFor(() => readPage(reading, workspaceId, eventType, before))
      for (const event of page) {
        if (event.createdAt.getTime() < since) return replay.report(true)
        if (replay.events >= maxEvents || !(await replay.add(event))) return replay.report(false)
      }
      before = page.at(-1)?.id ?? null
      if (before === null) return replay.report(true)
    }
  },
)

const readPage = (
  reading: ReadRunner,
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
    private readonly workflow: TrialWorkflow,
    private readonly environment: TrialEnvironment,
    private readonly yieldIfDue: YieldIfDue,
    private readonly hasTime: HasTime,
  ) {}

  /** Simulates one event. Returns false and counts nothing if no time is left. */
  async add(event: ReplayedEvent): Promise<boolean> {
    const yielding = this.yieldIfDue()
    if (yielding) await yielding
    if (!this.hasTime()) return false
    // Events of erased customers are skipped, because their data is gone.
    if (event.customer === null) return true
    const verdict = verdictKindOf(this.workflow, event)
    if (verdict === 'started' && !(await this.#simulate(event, event.customer))) return false
    this.events++
    count(this.#verdicts, verdict)
    return true
  }

  async #simulate(event: ReplayedEvent, customer: NonNullable<ReplayedEvent['customer']>): Promise<boolean> {
    const { channelsOf, optOutWords: _, ...surroundings } = this.environment
    const { id, type, data } = event
    const facts = { ...surroundings, data, event: { id, type }, customer, channels: channelsOf(customer) }
    const reachedSteps = new Set<string>()
    const end = await simulateRun(
      { definition: this.workflow.definition, facts, arrivals: [], start: event.createdAt },
      ({ trace }) => {
        for (const { stepId } of trace) reachedSteps.add(stepId)
      },
      this.yieldIfDue,
      this.hasTime,
    )
    if (end === 'unfinished' && !this.hasTime()) return false
    for (const stepId of reachedSteps) count(this.#byStep, stepId)
    count(this.#ends, end)
    return true
  }

  report(complete: boolean): ReplayedWorkflow {
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
