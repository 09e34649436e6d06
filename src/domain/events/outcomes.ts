/** What an event did with each workflow that names its type, in words for a person. Pure. */

import type { InTheWay } from '../workflows/index.ts'
import { type Deciding, sentenceOf } from './filter.ts'
import type { DidYouMean } from './nearest.ts'
import type { WorkflowOutcome } from './schema.ts'

/** Why nothing ran (contract 6.5). */
export type Reason = 'no_listener' | 'switched_off' | 'never_published' | 'not_run_for_customer'

/**
 * What held when the event was recorded: of a workflow, or, without one, the type that was perhaps meant. Made when an
 * event is decided, and read back from the runs and the `event_outcomes` of one that was recorded.
 */
export interface Verdict {
  workflowId: string | null
  /** The workflow's name of today; null when it is gone. */
  name: string | null
  verdict: 'started' | Reason
  /** Of a run that was started. */
  runId: string | null
  version: number | null
  /** Null where there is none, and for a customer who was erased. */
  detail: Filtered | InTheWay | SwitchedOff | DidYouMean | null
  /** Of a run that is to be started: what no other run of the workflow may have. */
  entryKey?: string | null
}

/** Since when a workflow has been switched off. */
export interface SwitchedOff {
  since: string
  /** The user who did it. */
  by: string | null
}

/** Why a filter was false: by these comparisons; or, `tooMuch`, it would have had to look at too many values. */
export interface Filtered {
  comparisons: Deciding[]
  tooMuch?: true
}

interface Judged {
  type: string
  verdicts: Verdict[]
}

/** One for each workflow that names the type; none where nothing listens. */
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

/** The type that was perhaps meant, where nothing listens for the event's own. */
export const didYouMeanOf = ({ verdicts }: Pick<Judged, 'verdicts'>): DidYouMean | null => {
  const detail = verdicts.find(({ workflowId }) => workflowId === null)?.detail
  return detail && 'workflows' in detail ? detail : null
}

/** Why nothing ran, in one sentence or, where several workflows listened, one for each. */
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

/** Where a key limits it, it is about the customer and that key. */
const inTheWay: Record<InTheWay['rule'], (way: InTheWay) => string> = {
  once: ({ runId, since }) => `it runs once for each, and did so at ${since} (run ${runId})`,
  not_while_active: ({ runId, since }) => `they have been in it since ${since} (run ${runId})`,
}
