export { type PlanRow, readPlans, readWorkspaceAccess, type WorkspaceAccess } from './read.ts'
