export { readPlans, readWorkspaceAccess } from './read.ts'
