/** Decides whether an event would start a workflow version, and explains why. Pure. */

import { Budget, holds } from '../conditions/index.ts'
import { type Deciding, decidingComparisons, outcomesOf } from '../events/index.ts'
import type { Tried } from './sql.ts'

/** The event as the filter sees it. */
export interface TriedEvent {
  type: string
  data: Record<string, unknown>
}

export interface TriedVerdict {
  workflowId: string
  name: string
  verdict: 'started' | 'not_run_for_customer' | 'no_listener'
  runId: null
  explanation: string
  comparisons: Deciding[]
}

type Word = TriedVerdict['verdict']

/**
 * Returns whether the event would start a run. Ignores whether the workflow is enabled, and earlier runs of the
 * customer.
 */
export const wordOf = ({ definition: { trigger } }: Tried, { type, data }: TriedEvent, budget = new Budget()): Word => {
  if (trigger.eventType !== type) return 'no_listener'
  if (!trigger.where) return 'started'
  return holds(trigger.where, { data, event: { type } }, budget) ? 'started' : 'not_run_for_customer'
}

export const verdictOf = (tried: Tried, event: TriedEvent): TriedVerdict => {
  const budget = new Budget()
  const verdict = wordOf(tried, event, budget)
  const { workflowId, name } = tried
  return { workflowId, name, verdict, runId: null, ...explained(tried, event, verdict, budget.exceeded) }
}

const explained = (
  { workflowId, name, version, definition: { trigger } }: Tried,
  { type, data }: TriedEvent,
  verdict: Word,
  tooMuch: boolean,
): Pick<TriedVerdict, 'explanation' | 'comparisons'> => {
  if (verdict === 'no_listener')
    return { explanation: `"${name}" does not listen for ${type}, but for ${trigger.eventType}.`, comparisons: [] }
  if (verdict === 'started')
    return {
      explanation: `"${name}" (${version === null ? 'draft' : `version ${version}`}) would start.`,
      comparisons: [],
    }
  const comparisons = tooMuch ? [] : decidingComparisons(trigger.where!, { data, event: { type } })
  const detail = { comparisons, ...(tooMuch && { tooMuch: true as const }) }
  const [outcome] = outcomesOf({ type, verdicts: [{ workflowId, name, verdict, runId: null, version, detail }] })
  return { explanation: outcome!.explanation, comparisons }
}
