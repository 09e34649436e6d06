export { cancelRecovery, readRecovery, startRecovery } from './manage.ts'
export { goOnRecovering, remindRecoveries } from './run.ts'
export { Recovery, RecoveryPreview, StartRecovery } from './schema.ts'
