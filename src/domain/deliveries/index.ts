export { createAttempt } from './attempt.ts'
export { attemptDelivery, type DeliveryPolicy, type Letter } from './deliver.ts'
export { dropDeliveries, dropOrphanedDeliveries } from './drop.ts'
export { eraseAnswersOf, personalInDeliveries } from './erase.ts'
export { type FannedOut, fanOut } from './fan-out.ts'
export { type Given, givenTo, judging, type Made, makingDeliveries, whatWasMade } from './make.ts'
export { listDeliveries, readDelivery, retryDelivery, testWebhook } from './manage.ts'
export { Delivery, DeliveryDetail, DeliveryList } from './schema.ts'
export {
  type AttemptEnd,
  type AttemptSettlement,
  findDueDeliveries,
  findDueEndpoints,
  findLastAttempt,
  findNextDueDelivery,
  settleAttempts,
} from './sql.ts'
