export { holds, valueAt } from './facts.ts'
export { changeWorkflow, createWorkflow, listRuns, listWorkflows, publishWorkflow, readWorkflow } from './manage.ts'
export {
  advanceDueRuns,
  advanceFirstDueRun,
  isFailureOfDatabase,
  nextRunDue,
  type OnRunFailure,
  type RunFailures,
} from './runs.ts'
export { ChangeWorkflow, CreateWorkflow, Definition, Run, Workflow } from './schema.ts'
export { countTriggerTypes, findListeningWorkflows, type ListeningWorkflow } from './sql.ts'
