export type { Arrival } from './arrivals.ts'
export { isFailureOfDatabase } from './blame.ts'
export { checkWorkflow } from './check.ts'
export { completeDefinition } from './draft.ts'
export { durationMs } from './duration.ts'
export { type Entry, entryKeyOf, entryKeysInTheWay, type InTheWay, ruleOf } from './entry.ts'
export { eraseRunsOf, personalInWorkflows } from './erase.ts'
export { type ChannelOfRun, placeholdersOf, type RunFacts, render } from './facts.ts'
export { FirstVisits, type StartingRun } from './first-visit.ts'
export { type Advance, advance, beforeTheFirst, customerAfter, type TraceEntry } from './interpreter.ts'
export { beginningOfJson } from './json-beginning.ts'
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
export { moveRuns, stopRunsOf } from './move.ts'
export { removeOldRuns } from './old.ts'
export { queuedByVisits } from './record.ts'
export { type ClaimedRuns, claimDueRuns, nextRunDue } from './run-sql.ts'
export { advanceRuns, failUnclaimable, type RunObserver } from './runs.ts'
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
  countTriggerTypes,
  type FailingWorkflow,
  findFailingWorkflows,
  findListeningWorkflows,
  findRunsInTheWay,
  type ListeningWorkflow,
  type RunInTheWay,
  workflowsUsingTemplate,
} from './sql.ts'
export { type RunStart, type StartedRun, startingRuns, visitsOf } from './start.ts'
export { referencesOf, refuseTooManyConditions } from './validate.ts'
export { listVersions, readImpact, readStats, readVersion } from './versions.ts'
export { faultOfText } from './vocabulary.ts'
