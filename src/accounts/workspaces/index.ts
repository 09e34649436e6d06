export {
  allowPasswords,
  type CreatedWorkspace,
  changePlan,
  createFirstWorkspace,
  createWorkspace,
  findOpen,
  type OwnerInvitation,
  requireOpen,
  unknownWorkspace,
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
} from './sql.ts'
export {
  changeMoveState,
  closeWorkspace,
  deleteWorkspace,
  findPortableWorkspace,
  insertClosedWorkspace,
  openCopiedWorkspace,
  openWorkspace,
  type PortableWorkspace,
} from './transfer-sql.ts'
