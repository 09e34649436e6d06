export { replayWorkflow } from './replay.ts'
export { ReplayedWorkflow, ReplayWorkflow, TriedWorkflow, TryWorkflow } from './schema.ts'
export { tryWorkflow } from './try.ts'
