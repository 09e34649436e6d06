export { findWorkspacesHere, readPlans, readReachableAccess, readWorkspaceAccess } from './read.ts'
export { selectWorkspaceIds as findWorkspaceIds } from './sql.ts'
