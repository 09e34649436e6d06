export { createAttempt } from './attempt.ts'
export {
  type CreatedDeliveries,
  createdDeliveries,
  decideFanOut,
  type EndpointJobs,
  groupJobs,
  insertDeliveries,
  unevaluatedFilters,
} from './create.ts'
export { attemptDelivery, type DeliveryJob, type DeliveryPolicy } from './deliver.ts'
export { dropDeliveries, dropOrphanedDeliveries } from './drop.ts'
export { eraseResponsesOf, personalInDeliveries } from './erase.ts'
export { fanOut } from './fan-out.ts'
export { readWebhookHealth } from './health.ts'
export { countHeldDeliveries, skipHeldDeliveries, skippedDelivery } from './held.ts'
export { listDeliveries, readDelivery, retryDelivery, sendOutboundEvent, testWebhook } from './manage.ts'
export { deleteLateResponses, deleteOldResponses, removeOldDeliveries } from './retention.ts'
export { Delivery, DeliveryDetail, DeliveryList, DeliveryQuery, SendAgain, WebhookHealth } from './schema.ts'
export {
  type AttemptOutcome,
  type AttemptSettlement,
  cancelPageRetries,
  countUndelivered,
  findDueDeliveries,
  findDueEndpoints,
  findLastAttempt,
  findNextDueDelivery,
  findUnhealthyEndpoints,
  insertMissing,
  requestPageRetries,
  selectStillDue,
  settleAttempts,
  type TypeCount,
  type UnhealthyEndpointRow,
} from './sql.ts'
