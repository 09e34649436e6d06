export {
  allowPasswords,
  type CreatedWorkspace,
  changePlan,
  createFirstWorkspace,
  createWorkspace,
  type OwnerInvitation,
  requireOpen,
  WorkspaceError,
} from './create.ts'
export { changeWorkspace, readWorkspace } from './manage.ts'
export { ChangeWorkspace, Workspace } from './schema.ts'
export {
  anyWorkspaceExists,
  type EventUsageRow,
  findWorkspaceName,
  listAllowances,
  markEventsNotified,
  selectEventUsage,
  selectWorkspaces,
  type WorkspaceRow,
} from './sql.ts'
export {
  type ClosedFor,
  closeWorkspace,
  deleteWorkspace,
  findPortableWorkspace,
  insertClosedWorkspace,
  openWorkspace,
} from './transfer-sql.ts'
