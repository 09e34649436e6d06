/** Advances a run until it waits or ends. Pure: effects come out as values, and the caller commits them with the run. */
import type { Effect } from './effects.ts'
import { Budget, maxLookedAtTogether } from './evaluate.ts'
import type { RunFacts } from './facts.ts'
import type { Definition } from './schema.ts'
import { stepTypeOf } from './steps/index.ts'

/** Where a run stands. */
export interface RunState {
  /** The step it is at; null before the first, and once it has ended. */
  stepId: string | null
  /** True while it waits at `stepId`; else that step is entered next. */
  waiting: boolean
  stepsTaken: number
}

export interface TraceEntry {
  position: number
  stepId: string
  outcome: string
  detail: Record<string, unknown> | null
}

/** An effect and the place in the trace of the step that had it: with the run's id it is done once. */
export type PlacedEffect = Effect & { position: number }

/** How far one visit brought a run. */
export interface Advance {
  state: RunState
  /** When to go on; null = the run has ended, `endReason` says how. */
  wakeAt: Date | null
  endReason: 'completed' | 'too_many_steps' | 'step_missing' | null
  /** The type of the step at which the run stands because this process does not know it; it is no fault of the run. */
  unknownType: string | null
  trace: TraceEntry[]
  effects: PlacedEffect[]
}

/** More than any sensible workflow takes; a circle of waits that nobody meant ends here. */
const maxSteps = 1000
/**
 * For so long a run is left to processes that know its next step: those of a newer release, while an older one still
 * runs beside them. Short beside a deploy, and long enough that waiting costs nothing.
 */
const unknownTypeWaitMs = 15_000

/**
 * One visit: from where the run stands to its next wait or its end. Pauses after each step, for whoever else is to act in
 * this process: a visit may be of a thousand steps.
 */
export function* advance(
  definition: Definition,
  run: RunState,
  facts: RunFacts,
  recordedAt: Date,
  now: Date,
): Generator<void, Advance> {
  const trace: TraceEntry[] = []
  const effects: PlacedEffect[] = []
  // A visit ends at the first wait, so the first wait of all is met in the first visit.
  const visit = {
    facts,
    budget: new Budget(maxLookedAtTogether),
    waitsFrom: run.stepsTaken === 0 ? recordedAt : now,
  }
  let { stepsTaken, waiting } = run
  let stepId: string | null = run.stepId ?? definition.start

  const stop = (endReason: Advance['endReason'], wakeAt: Date | null = null): Advance => ({
    state: { stepId, waiting: wakeAt !== null, stepsTaken },
    wakeAt,
    endReason,
    unknownType: null,
    trace,
    effects,
  })

  while (stepId !== null) {
    const step = definition.steps[stepId]
    if (!step) return stop('step_missing')
    const type = stepTypeOf(step)
    if (!type) return putOff(run, step.type, now)
    if (waiting && type.resume) {
      stepId = type.resume(step)
      waiting = false
      continue
    }
    if (stepsTaken >= maxSteps) return stop('too_many_steps')
    const result = type.enter(step, visit)
    const position = stepsTaken++
    trace.push({ position, stepId, outcome: result.outcome, detail: result.detail ?? null })
    for (const effect of result.effects ?? []) effects.push({ ...effect, position })
    if ('waitUntil' in result) return stop(null, result.waitUntil)
    stepId = result.next
    yield
  }
  return stop('completed')
}

/** The run as it stood, for a process that knows the step: what came before it in this visit is done there as well. */
const putOff = (run: RunState, unknownType: string, now: Date): Advance => ({
  state: run,
  wakeAt: new Date(now.getTime() + unknownTypeWaitMs),
  endReason: null,
  unknownType,
  trace: [],
  effects: [],
})
