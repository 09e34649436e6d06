export { changePlan, createFirstWorkspace, createWorkspace, WorkspaceError } from './create.ts'
export { anyWorkspaceExists, selectWorkspaces, type WorkspaceRow } from './sql.ts'
