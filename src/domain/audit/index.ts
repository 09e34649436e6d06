export { FailedSignIns } from './failed-sign-ins.ts'
export { listAuditEntries } from './read.ts'
export { keepAuditFor } from './retention.ts'
export { type AuditAction, AuditEntry, AuditQuery, auditActions, operatorActions } from './schema.ts'
export { deleteOldEntries } from './sql.ts'
export {
  type Deed,
  type Detail,
  emailHash,
  writeAccountEntries,
  writeEntry,
  writeOperatorEntry,
  writeOperatorsDeed,
} from './write.ts'
