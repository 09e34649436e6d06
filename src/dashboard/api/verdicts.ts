/** Verdict of a workflow on an event, with the reason if the workflow was ready but did not run. */
import type { Schemas } from './client.ts'

type Verdict = Schemas['WorkflowOutcome']['verdict']

/**
 * Returns the verdict. A workflow that did not run for the customer has the rule that prevented the run, or `filtered`.
 * The erasure of a customer empties the event and removes the rule, so that a recorded event without data has `skipped`.
 */
export const verdictOf = (
  { verdict, rule }: Pick<Schemas['WorkflowOutcome'], 'verdict' | 'rule'>,
  data?: object,
): Exclude<Verdict, 'not_run_for_customer'> | 'once' | 'not_while_active' | 'filtered' | 'skipped' => {
  if (verdict !== 'not_run_for_customer') return verdict
  return rule ?? (data && Object.keys(data).length === 0 ? 'skipped' : 'filtered')
}
