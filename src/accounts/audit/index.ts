export { FailedSignIns } from './failed-sign-ins.ts'
export { listAuditEntries } from './read.ts'
export { setAuditRetention } from './retention.ts'
export { type AuditAction, AuditEntry, AuditQuery, auditActions, operatorActions } from './schema.ts'
export { deleteOldEntries, type EntryToWrite } from './sql.ts'
export { withAudit } from './with-audit.ts'
export {
  type ActionRecord,
  type Detail,
  hashEmail,
  writeAccountEntries,
  writeEntry,
  writeMovedEntry,
  writeOperatorAccountEntries,
  writeOperatorEntry,
} from './write.ts'
