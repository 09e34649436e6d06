export { createAttempt } from './attempt.ts'
export { attemptDelivery, type DeliveryPolicy, type Letter } from './deliver.ts'
export { dropDeliveries, dropOrphanedDeliveries } from './drop.ts'
export { eraseAnswersOf, personalInDeliveries } from './erase.ts'
export { type FannedOut, fanOut } from './fan-out.ts'
export { readWebhookHealth } from './health.ts'
export { filtersUnasked, type Given, givenTo, judging, type Made, makingDeliveries, whatWasMade } from './make.ts'
export { listDeliveries, readDelivery, retryDelivery, sendOutboundEvent, testWebhook } from './manage.ts'
export { emptyLateAnswers, emptyOldAnswers, removeOldDeliveries } from './old.ts'
export { Delivery, DeliveryDetail, DeliveryList, DeliveryQuery, SendAgain, WebhookHealth } from './schema.ts'
export {
  type AttemptEnd,
  type AttemptSettlement,
  countUndelivered,
  findDueDeliveries,
  findDueEndpoints,
  findLastAttempt,
  findNextDueDelivery,
  findTroubled,
  makePageDueAgain,
  selectStillDue,
  settleAttempts,
  type TroubledRow,
  takePageBack,
  type UndeliveredSpan,
} from './sql.ts'
