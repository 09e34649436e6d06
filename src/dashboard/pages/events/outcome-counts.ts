/** Events by outcome over time, as the charts of Events and Home show them. */
import type { Schemas } from '../../api/client.ts'

export type ChartedOutcome = 'started' | 'not_run_for_customer' | 'no_listener' | 'off'

/** Counters of the API that each series adds, in the order of the chart. */
export const counters: Readonly<Record<ChartedOutcome, readonly string[]>> = {
  started: ['started'],
  not_run_for_customer: ['not_run_for_customer'],
  no_listener: ['no_listener'],
  off: ['switched_off', 'never_published'],
}

export const chartedOutcomes = Object.keys(counters) as ChartedOutcome[]

/** Returns the events of the groups by outcome, in the hour or day with this index. */
export const countOutcomes = (
  groups: readonly Schemas['ActivityGroup'][],
  index: number,
): Record<ChartedOutcome, number> => {
  const count = (outcome: ChartedOutcome) =>
    groups.reduce(
      (total, { counts }) => total + counters[outcome].reduce((sum, name) => sum + (counts[name]?.[index] ?? 0), 0),
      0,
    )
  return {
    started: count('started'),
    not_run_for_customer: count('not_run_for_customer'),
    no_listener: count('no_listener'),
    off: count('off'),
  }
}
