export {
  type CreatedWorkspace,
  changePlan,
  createFirstWorkspace,
  createWorkspace,
  type OwnerInvitation,
  WorkspaceError,
} from './create.ts'
export { changeWorkspace, readWorkspace } from './manage.ts'
export { notifyMonthlyEvents } from './monthly-events.ts'
export { ChangeWorkspace, Workspace } from './schema.ts'
export { anyWorkspaceExists, findWorkspaceName, selectWorkspaces, type WorkspaceRow } from './sql.ts'
