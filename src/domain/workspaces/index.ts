export { changePlan, createFirstWorkspace, createWorkspace, WorkspaceError } from './create.ts'
export { anyWorkspaceExists, listWorkspaces, lockWorkspace, type WorkspaceRow } from './sql.ts'
