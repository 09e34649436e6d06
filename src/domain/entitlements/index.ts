export { limitOf, planLimitReached } from './allowances.ts'
export { fullAllowances, includes, monthlyUse, readEntitlements, requireRoom } from './read.ts'
export { Entitlements } from './schema.ts'
export { findEntitlements } from './sql.ts'
