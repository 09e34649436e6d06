export type { RetentionPeriods } from './kinds.ts'
export { type RetainDeps, retain } from './retain.ts'
export { findRemovedUpTo, firstId } from './sql.ts'
