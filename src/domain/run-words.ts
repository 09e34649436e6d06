/** The words for how a run stands, ends, and what its steps did, wherever it is told of. */

/** `waiting`: at a step, for its time or for something to arrive; `active`: on its way to the next. */
export const runStatuses = ['active', 'waiting', 'done', 'failed', 'stopped'] as const
export type RunStatus = (typeof runStatuses)[number]

/** How a run comes to its end by itself, and how it is ended: by a person, an erasure, or a fault of ours. */
export const endReasons = [
  'completed',
  'exited',
  'exit_condition',
  'opted_out',
  'too_many_steps',
  'step_missing',
  'stopped',
  'customer_erased',
  'internal_error',
] as const
export type EndReason = (typeof endReasons)[number]

/** `waited` is in traces that an early release wrote. */
export const stepOutcomes = [
  'queued',
  'skipped',
  'waiting',
  'waited',
  'reply',
  'event',
  'timeout',
  'then',
  'else',
  'set',
  'marked',
  'exited',
] as const
export type StepOutcome = (typeof stepOutcomes)[number]
