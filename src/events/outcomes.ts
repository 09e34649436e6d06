/** Describes the effect of an event on each workflow that listens to its type. Pure functions. */

import type { EntryBlock } from '../workflows/index.ts'
import { type DecidingComparison, explainComparisons } from './filter-explanation.ts'
import type { WorkflowOutcome } from './schema.ts'
import type { DidYouMean } from './trigger-types.ts'

/** Reason why no run started (contract 6.5). */
export type Reason = 'no_listener' | 'switched_off' | 'never_published' | 'not_run_for_customer'

/**
 * Result for one workflow when the event was recorded. Without a workflow, a suggestion of a similar type. Created by
 * `decide`. For a recorded event it is read from the runs and from `event_outcomes`.
 */
export interface Verdict {
  workflowId: string | null
  /** Current name of the workflow, or null if it was deleted. */
  name: string | null
  verdict: 'started' | Reason
  /** Id of the started run. */
  runId: string | null
  version: number | null
  /** Null if there is none, and after the customer was erased. */
  detail: FilterRejection | EntryBlock | SwitchedOff | DidYouMean | null
  /** Entry key of the new run, which no other run of the workflow may have. */
  entryKey?: string | null
}

/** Time since when a workflow has been disabled. */
export interface SwitchedOff {
  since: string
  /** Id of the user who disabled it. */
  by: string | null
}

/** Reason why a filter was false: these comparisons, or `tooMuch` if evaluating it would have exceeded the budget. */
export interface FilterRejection {
  comparisons: DecidingComparison[]
  tooMuch?: true
}

interface EvaluatedEvent {
  type: string
  verdicts: Verdict[]
}

/** Returns one outcome per workflow that listens to the type. Empty if none listens. */
export const outcomesOf = ({ type, verdicts }: EvaluatedEvent): WorkflowOutcome[] =>
  verdicts.flatMap(({ workflowId, name, verdict, runId, version, detail }) =>
    workflowId === null || verdict === 'no_listener'
      ? []
      : [
          {
            workflowId,
            name: name ?? removedName,
            verdict,
            runId: entryBlockOf(detail)?.runId ?? runId,
            ...detailOf(detail),
            explanation: sentences[verdict](`“${name ?? removedName}”`, { type, runId, version, detail }),
          },
        ],
  )

const entryBlockOf = (detail: Verdict['detail']): EntryBlock | null => (detail && 'rule' in detail ? detail : null)

const detailOf = (detail: Verdict['detail']): Pick<WorkflowOutcome, 'rule' | 'detail'> | null => {
  const block = entryBlockOf(detail)
  if (block) return { rule: block.rule, detail: block }
  const switchedOff = switchedOffOf(detail)
  return switchedOff && { detail: switchedOff }
}

const switchedOffOf = (detail: Verdict['detail']): SwitchedOff | null => (detail && 'by' in detail ? detail : null)

/** Returns the suggested type if no workflow listens to the event's type. */
export const didYouMeanOf = ({ verdicts }: Pick<EvaluatedEvent, 'verdicts'>): DidYouMean | null => {
  const detail = verdicts.find(({ workflowId }) => workflowId === null)?.detail
  return detail && 'workflows' in detail ? detail : null
}

/** Returns why no run started, in one sentence per listening workflow. */
export const explanationOf = (event: EvaluatedEvent): string => {
  const outcomes = outcomesOf(event)
  if (outcomes.length > 0) return outcomes.map(({ explanation }) => explanation).join(' ')
  const suggestion = didYouMeanOf(event)
  const noListener = `No workflow listens for ${event.type}.`
  return suggestion
    ? `${noListener} Did you mean ${suggestion.type} (${automations(suggestion.workflows)})?`
    : noListener
}

const removedName = 'a removed workflow'

const automations = (count: number): string => (count === 1 ? '1 automation' : `${count} automations`)

type SentenceFacts = { type: string } & Pick<Verdict, 'runId' | 'version' | 'detail'>

const notRunText = (workflow: string, { detail }: SentenceFacts): string => {
  const block = entryBlockOf(detail)
  const notRun = `${workflow} was ready but did not run for this customer`
  if (block) return `${notRun}: ${blockTexts[block.rule](block)}.`
  if (!detail || !('comparisons' in detail)) return `${notRun}.`
  const unmatched = `The filter of ${workflow} did not match`
  if (detail.tooMuch) return `${unmatched}: it compares too many values.`
  return detail.comparisons.length === 0 ? `${unmatched}.` : `${unmatched}: ${explainComparisons(detail.comparisons)}.`
}

const sentences: Record<WorkflowOutcome['verdict'], (workflow: string, facts: SentenceFacts) => string> = {
  started: (workflow, { runId, version }) =>
    `${workflow} (version ${version}) ${runId === null ? 'would start' : 'started'}.`,
  switched_off: (workflow, { type, detail }) =>
    `${workflow} listens for ${type} but ${switchedOffText(switchedOffOf(detail))}.`,
  never_published: (workflow, { type }) =>
    `${workflow} listens for ${type} and was switched on, but was never published.`,
  not_run_for_customer: notRunText,
}

const switchedOffText = (switchedOff: SwitchedOff | null): string => {
  if (!switchedOff) return 'was switched off'
  return `is switched off since ${switchedOff.since}`
}

/** Wording per entry rule, without the run, which `runId` has. If the workflow has an entry key, the rule applies to the customer and that key. */
const blockTexts: Record<EntryBlock['rule'], (block: EntryBlock) => string> = {
  once: ({ since }) => `it runs only once, and already ran at ${since}`,
  not_while_active: ({ since }) => `the customer already had an active run, started at ${since}`,
}
