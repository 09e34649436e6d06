/** Advances a run until it waits or ends. Pure: effects come out as values, and the caller commits them with the run. */
import { durationMs } from './duration.ts'
import { type Facts, holds, render } from './facts.ts'
import type { Definition } from './schema.ts'

export interface RunState {
  /** The step it is at; null before the first. */
  stepId: string | null
  /** True while the delay `stepId` runs. */
  waiting: boolean
  stepsTaken: number
}

/** What a run sees, and over which channels its workspace can write, the one connected first in front. */
export interface RunFacts extends Facts {
  channelIds: readonly string[]
}

export interface TraceEntry {
  position: number
  stepId: string
  outcome: 'waiting' | 'then' | 'else' | 'queued' | 'skipped'
  detail: Record<string, unknown> | null
}

export interface MessageToSend {
  /** The position in the trace: with the run's id it makes the message unique. */
  position: number
  text: string
  channelId: string
  handle: string
}

export interface Advance {
  state: RunState
  /** When to go on; null = the run has ended, `endReason` says how. */
  wakeAt: Date | null
  endReason: 'completed' | 'too_many_steps' | 'step_missing' | null
  trace: TraceEntry[]
  messages: MessageToSend[]
}

/** More than any sensible workflow takes; a circle of delays that nobody meant ends here. */
const maxSteps = 1000

/**
 * One visit: from where the run stands to its next delay or its end. The first delay of a run counts from the moment
 * its event was recorded (interface document 6.3 rule 1), a later one from the moment it is entered.
 */
export const advance = (
  definition: Definition,
  run: RunState,
  facts: RunFacts,
  recordedAt: Date,
  now: Date,
): Advance => {
  const trace: TraceEntry[] = []
  const messages: MessageToSend[] = []
  let { stepsTaken } = run
  let stepId: string | null = nextAfterWaiting(definition, run)

  const stop = (endReason: Advance['endReason'], wakeAt: Date | null = null): Advance => ({
    state: { stepId, waiting: wakeAt !== null, stepsTaken },
    wakeAt,
    endReason,
    trace,
    messages,
  })

  while (stepId !== null) {
    const step = definition.steps[stepId]
    if (!step) return stop('step_missing')
    if (stepsTaken >= maxSteps) return stop('too_many_steps')
    const entry = (outcome: TraceEntry['outcome'], detail: TraceEntry['detail'] = null) =>
      trace.push({ position: stepsTaken++, stepId: stepId as string, outcome, detail })

    switch (step.type) {
      case 'delay': {
        // A visit ends at its first delay, so the first delay of all is met in the first visit.
        const isFirstDelay = run.stepsTaken === 0
        const from = isFirstDelay ? recordedAt : now
        const wakeAt = new Date(from.getTime() + (durationMs(step.for) ?? 0))
        entry('waiting', { until: wakeAt.toISOString() })
        return stop(null, wakeAt)
      }
      case 'condition': {
        const outcome = holds(step.if, facts) ? 'then' : 'else'
        entry(outcome)
        stepId = step[outcome]
        break
      }
      case 'send_message': {
        const address = addressFor(step.channelId, facts)
        if ('reason' in address) {
          entry('skipped', { reason: address.reason })
        } else {
          messages.push({ position: stepsTaken, text: render(step.text, facts), ...address })
          entry('queued')
        }
        stepId = step.next
        break
      }
    }
  }
  return stop('completed')
}

const nextAfterWaiting = (definition: Definition, run: RunState): string | null => {
  if (run.stepId === null) return definition.start
  const step = definition.steps[run.stepId]
  return run.waiting && step?.type === 'delay' ? step.next : run.stepId
}

/** Where a message would go, or why it goes nowhere. Opt-outs are looked at later, at the moment of sending. */
const addressFor = (wanted: string | undefined, { channelIds, customer }: RunFacts) => {
  const channelId = wanted === undefined ? channelIds[0] : channelIds.find(id => id === wanted.toLowerCase())
  if (channelId === undefined) return { reason: 'no_channel' as const }
  if (customer.phone === null) return { reason: 'no_phone' as const }
  return { channelId, handle: customer.phone }
}
