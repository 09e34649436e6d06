export { limitOf, planLimitReached } from './allowances.ts'
export {
  findExhaustedAllowances,
  hasFeature,
  readEntitlements,
  readMonthlyUsage,
  requireAllowance,
  requireSeat,
} from './read.ts'
export { Entitlements } from './schema.ts'
