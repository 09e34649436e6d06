export { changePlan, createFirstWorkspace, createWorkspace, WorkspaceError } from './create.ts'
export { anyWorkspaceExists, lockWorkspace, selectWorkspaces, type WorkspaceRow } from './sql.ts'
