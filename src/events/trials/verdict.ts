/** Decides whether an event would start a workflow version, and explains why. Pure. */

import { Budget, evaluateCondition } from '../../core/conditions/index.ts'
import { type DecidingComparison, decidingComparisons, outcomesOf } from '../index.ts'
import type { TrialWorkflow } from './sql.ts'

/** The event as the filter sees it. */
export interface TrialEvent {
  type: string
  data: Record<string, unknown>
}

export interface TrialVerdict {
  workflowId: string
  name: string
  verdict: 'started' | 'not_run_for_customer' | 'no_listener'
  runId: null
  explanation: string
  comparisons: DecidingComparison[]
}

type VerdictKind = TrialVerdict['verdict']

/**
 * Returns whether the event would start a run. Ignores whether the workflow is enabled, and earlier runs of the
 * customer.
 */
export const verdictKindOf = (
  { definition: { trigger } }: TrialWorkflow,
  { type, data }: TrialEvent,
  budget = new Budget(),
): VerdictKind => {
  if (trigger.eventType !== type) return 'no_listener'
  if (!trigger.where) return 'started'
  return evaluateCondition(trigger.where, { data, event: { type } }, budget) ? 'started' : 'not_run_for_customer'
}

export const verdictOf = (workflow: TrialWorkflow, event: TrialEvent): TrialVerdict => {
  const budget = new Budget()
  const verdict = verdictKindOf(workflow, event, budget)
  const { workflowId, name } = workflow
  return { workflowId, name, verdict, runId: null, ...explain(workflow, event, verdict, budget.isExceeded) }
}

const explain = (
  { workflowId, name, version, definition: { trigger } }: TrialWorkflow,
  { type, data }: TrialEvent,
  verdict: VerdictKind,
  tooMuch: boolean,
): Pick<TrialVerdict, 'explanation' | 'comparisons'> => {
  if (verdict === 'no_listener')
    return { explanation: `“${name}” does not listen for ${type}, but for ${trigger.eventType}.`, comparisons: [] }
  if (verdict === 'started')
    return {
      explanation: `“${name}” (${version === null ? 'draft' : `version ${version}`}) would start.`,
      comparisons: [],
    }
  const comparisons = tooMuch ? [] : decidingComparisons(trigger.where!, { data, event: { type } })
  const detail = { comparisons, ...(tooMuch && { tooMuch: true as const }) }
  const [outcome] = outcomesOf({ type, verdicts: [{ workflowId, name, verdict, runId: null, version, detail }] })
  return { explanation: outcome!.explanation, comparisons }
}
