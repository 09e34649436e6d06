export { cancelHeldRecoveries, countHeldRecoveries } from './held.ts'
export { cancelRecovery, readRecovery, startRecovery } from './manage.ts'
export { advanceRecovery, wakeStalledRecoveries } from './run.ts'
export { Recovery, RecoveryPreview, StartRecovery } from './schema.ts'
