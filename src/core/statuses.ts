/** Statuses of messages and runs, end reasons and step outcomes, shared by all contexts. */

/** `waiting`: at a step, for a time or an event. `active`: advancing to the next step. */
export const runStatuses = ['active', 'waiting', 'done', 'failed', 'stopped'] as const
export type RunStatus = (typeof runStatuses)[number]

/** Reasons for the end of a run: its own completion or exit, a person, an erasure, or an internal fault. */
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

/** `waited` occurs only in traces that an early release wrote. */
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

/** Statuses of a message. */
export const messageStatuses = [
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'unknown',
  'received',
] as const
