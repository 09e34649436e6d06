export type { RetentionPeriods } from './kinds.ts'
export { type RetainDeps, retain } from './retain.ts'
