export { changePlan, createFirstWorkspace, createWorkspace, WorkspaceError } from './create.ts'
export { changeWorkspace, readWorkspace } from './manage.ts'
export { ChangeWorkspace, Workspace } from './schema.ts'
export { anyWorkspaceExists, selectWorkspaces, type WorkspaceRow } from './sql.ts'
