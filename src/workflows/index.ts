export { checkWorkflow } from './check.ts'
export { completeDefinition } from './draft.ts'
export { durationMs } from './duration.ts'
export { eraseRunsOf, personalInWorkflows } from './erase.ts'
export { countHeldRuns, stopHeldRuns } from './held-runs.ts'
export {
  changeWorkflow,
  createWorkflow,
  deleteWorkflow,
  listRuns,
  listWorkflows,
  publishWorkflow,
  readRun,
  readWorkflow,
  stopRun,
} from './manage.ts'
export { removeOldRuns } from './retention.ts'
export { advanceRuns, failUnclaimable, type RunObserver } from './runs/advance-runs.ts'
export type { Arrival } from './runs/arrivals.ts'
export { blockingEntryKeys, type Entry, type EntryBlock, entryKeyOf, entryRuleOf } from './runs/entry.ts'
export type { RunChannel, RunFacts } from './runs/facts.ts'
export { isDatabaseFailure } from './runs/failures.ts'
export { ImmediateExecutor, type StartingRun } from './runs/immediate-execution.ts'
export { type Advance, advance, applyToCustomer, initialState, type TraceEntry } from './runs/interpreter.ts'
export { queuedByExecutions } from './runs/record.ts'
export { type ClaimedRuns, claimDueRuns, nextRunDue } from './runs/sql.ts'
export { executionsOf, type RunStart, type StartedRun, startRuns } from './runs/start.ts'
export { moveRuns, stopWorkflowRuns } from './runs/stop-and-move.ts'
export {
  ChangeWorkflow,
  CheckedWorkflow,
  CreateWorkflow,
  Definition,
  PublishWorkflow,
  Run,
  StatsQuery,
  Workflow,
  WorkflowImpact,
  WorkflowStats,
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
export { referencesOf, rejectTooManyConditions } from './validate.ts'
export { listVersions, readImpact, readStats, readVersion } from './versions.ts'
