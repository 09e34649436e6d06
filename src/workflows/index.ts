export { durationMs } from '../core/duration.ts'
export { checkWorkflow } from './check.ts'
export { completeDefinition } from './draft.ts'
export { eraseRunsOf, personalInWorkflows } from './erase.ts'
export { countHeldRuns, stopHeldRuns } from './held-runs.ts'
export {
  changeWorkflow,
  createWorkflow,
  deleteWorkflow,
  listWorkflows,
  publishWorkflow,
  readWorkflow,
} from './manage.ts'
export { listRuns, readRun, stopRun } from './manage-runs.ts'
export { removeOldRuns } from './retention.ts'
export { Run, RunQuery } from './run-schema.ts'
export { advanceRuns, failUnclaimable, type RunObserver } from './runs/advance-runs.ts'
export type { Arrival } from './runs/arrivals.ts'
export { skipReasons } from './runs/effects.ts'
export { blockingEntryKeys, type Entry, type EntryBlock, entryKeyOf, entryRuleOf } from './runs/entry.ts'
export type { RunChannel, RunFacts } from './runs/facts.ts'
export { isDatabaseFailure } from './runs/failures.ts'
export { ImmediateExecutor, type StartingRun } from './runs/immediate-execution.ts'
export { type Advance, advance, applyToCustomer, initialState, type TraceEntry } from './runs/interpreter.ts'
export { queuedByExecutions } from './runs/record.ts'
export { type ClaimedRuns, claimDueRuns, nextRunDue, requeuePausedRuns } from './runs/sql.ts'
export { executionsOf, type RunStart, startRuns } from './runs/start.ts'
export { moveRuns, stopWorkflowRuns } from './runs/stop-and-move.ts'
export { traceSteps } from './runs/trace-steps.ts'
export {
  ChangeWorkflow,
  CheckedWorkflow,
  CreateWorkflow,
  Definition,
  PublishWorkflow,
  Workflow,
  WorkflowImpact,
  WorkflowQuery,
  WorkflowToCheck,
  WorkflowVersion,
  WorkflowVersionWhole,
} from './schema.ts'
export {
  type BlockingRun,
  countTriggerTypes,
  type FailingWorkflow,
  findBlockingRuns,
  findFailingWorkflows,
  findListeningWorkflows,
  type ListeningWorkflow,
  workflowsUsingTemplate,
} from './sql.ts'
export { readStats } from './stats.ts'
export { StatsQuery, WorkflowStats } from './stats-schema.ts'
export { referencesOf, rejectTooManyConditions } from './validate.ts'
export { listVersions, readImpact, readVersion } from './versions.ts'
