/** Describes the effect of an event on each workflow that listens to its type. Pure functions. */

import type { InTheWay } from '../workflows/index.ts'
import { type Deciding, sentenceOf } from './filter.ts'
import type { DidYouMean } from './nearest.ts'
import type { WorkflowOutcome } from './schema.ts'

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
  detail: Filtered | InTheWay | SwitchedOff | DidYouMean | null
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
export interface Filtered {
  comparisons: Deciding[]
  tooMuch?: true
}

interface Judged {
  type: string
  verdicts: Verdict[]
}

/** Returns one outcome per workflow that listens to the type. Empty if none listens. */
export const outcomesOf = ({ type, verdicts }: Judged): WorkflowOutcome[] =>
  verdicts.flatMap(({ workflowId, name, verdict, runId, version, detail }) =>
    workflowId === null || verdict === 'no_listener'
      ? []
      : [
          {
            workflowId,
            name: name ?? removed,
            verdict,
            runId: wayOf(detail)?.runId ?? runId,
            ...toldOf(detail),
            explanation: sentences[verdict](`"${name ?? removed}"`, { type, runId, version, detail }),
          },
        ],
  )

const wayOf = (detail: Verdict['detail']): InTheWay | null => (detail && 'rule' in detail ? detail : null)

const toldOf = (detail: Verdict['detail']): Pick<WorkflowOutcome, 'rule' | 'detail'> | null => {
  const way = wayOf(detail)
  if (way) return { rule: way.rule, detail: way }
  const off = offOf(detail)
  return off && { detail: off }
}

const offOf = (detail: Verdict['detail']): SwitchedOff | null => (detail && 'by' in detail ? detail : null)

/** Returns the suggested type if no workflow listens to the event's type. */
export const didYouMeanOf = ({ verdicts }: Pick<Judged, 'verdicts'>): DidYouMean | null => {
  const detail = verdicts.find(({ workflowId }) => workflowId === null)?.detail
  return detail && 'workflows' in detail ? detail : null
}

/** Returns why no run started, in one sentence per listening workflow. */
export const explanationOf = (event: Judged): string => {
  const outcomes = outcomesOf(event)
  if (outcomes.length > 0) return outcomes.map(({ explanation }) => explanation).join(' ')
  const meant = didYouMeanOf(event)
  const nothing = `Nothing listens for ${event.type}.`
  return meant ? `${nothing} Did you mean ${meant.type} (${automations(meant.workflows)})?` : nothing
}

const removed = 'a workflow removed since'

const automations = (count: number): string => (count === 1 ? '1 automation' : `${count} automations`)

type Told = { type: string } & Pick<Verdict, 'runId' | 'version' | 'detail'>

const sentences: Record<WorkflowOutcome['verdict'], (workflow: string, told: Told) => string> = {
  started: (workflow, { runId, version }) =>
    `${workflow} (version ${version}) ${runId === null ? 'would start' : 'started'}.`,
  switched_off: (workflow, { type, detail }) => `${workflow} listens for ${type} but ${sinceWhen(offOf(detail))}.`,
  never_published: (workflow, { type }) =>
    `${workflow} listens for ${type} and was switched on, but had never been published.`,
  not_run_for_customer: (workflow, { detail }) =>
    `${workflow} was ready but did not run for this customer${because(detail)}.`,
}

const sinceWhen = (off: SwitchedOff | null): string => {
  if (!off) return 'was switched off'
  return `had been switched off since ${off.since}${off.by === null ? '' : ` (by user ${off.by})`}`
}

const because = (detail: Told['detail']): string => {
  const way = wayOf(detail)
  if (way) return `: ${inTheWay[way.rule](way)}`
  if (!detail || !('comparisons' in detail)) return ''
  if (detail.tooMuch) return ': its filter counts as false, as it would have had to look at too many values'
  return detail.comparisons.length === 0 ? '' : `: its filter was false, as ${sentenceOf(detail.comparisons)}`
}

/** Wording per entry rule. If the workflow has an entry key, the rule applies to the customer and that key. */
const inTheWay: Record<InTheWay['rule'], (way: InTheWay) => string> = {
  once: ({ runId, since }) => `it runs once for each, and did so at ${since} (run ${runId})`,
  not_while_active: ({ runId, since }) => `they have been in it since ${since} (run ${runId})`,
}
